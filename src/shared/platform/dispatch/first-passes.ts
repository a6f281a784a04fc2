import { availableParallelism } from 'node:os';
import type { Lane } from '../bulkhead/bulkhead.ts';
import { createShares } from '../bulkhead/shares.ts';

/** Paces starts of workflows: a bounded number of an account has started and not made its first pass. */
export type FirstPasses = {
  /** Starts a workflow once its account has a slot, and keeps the slot until the first pass where this process makes that. */
  take: (lane: Lane, id: string, start: () => Promise<{ eager: boolean }>) => Promise<void>;
  /** Frees the slot of this row, a UUID, if it has one. */
  passed: (id: string) => void;
};

/** One flow alone has a third, one start on two cores, which keeps the machine nearly as busy as eight do and delays no other account in Temporal. */
const defaultTotal = Math.ceil(1.5 * availableParallelism());

/** A workflow without a pass for so long went elsewhere or died, in ms. */
const forgottenAfterMs = 5_000;

/** Temporal takes starts in their order, so the many runs that one event begins wait here, where accounts alternate. */
export const createFirstPasses = (total: number = defaultTotal): FirstPasses => {
  const shares = createShares({ total });
  const awaited = new Map<string, () => void>();

  const expectPass = (id: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    awaited.set(id, resolve);
    const timer = setTimeout(resolve, forgottenAfterMs);
    return {
      promise,
      [Symbol.dispose]: () => {
        clearTimeout(timer);
        awaited.delete(id);
      },
    };
  };

  return {
    take: (lane, id, start) =>
      shares.take(lane, async () => {
        // The pass may end before the answer to the start arrives.
        using pass = expectPass(id);
        const { eager } = await start();
        if (eager) await pass.promise;
      }),
    passed: (id) => awaited.get(id)?.(),
  };
};
