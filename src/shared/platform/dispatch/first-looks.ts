import { availableParallelism } from 'node:os';
import type { Lane } from '../bulkhead/bulkhead.ts';
import { createShares } from '../bulkhead/shares.ts';

/** Paces the starts of workflows whose first task asks the database what is next: a bounded number of an account has not asked yet. */
export type FirstLooks = {
  /** Starts a workflow when its account has a place, and keeps that until its first look where this process gets its first task. */
  take: (lane: Lane, id: string, start: () => Promise<{ eager: boolean }>) => Promise<void>;
  /** The workflow of this row, a UUID, has looked. Does nothing for others. */
  looked: (id: string) => void;
};

/**
 * Starts that have not looked, of all accounts: those of one flow have a third, one on two cores. That keeps the machine nearly as busy as eight
 * do, and everybody else's runs do not wait behind them in Temporal.
 */
const usualTotal = Math.ceil(1.5 * availableParallelism());

/** A workflow that has not looked for so long went elsewhere or died, in ms. */
const forgottenAfterMs = 5_000;

/**
 * Temporal and the workers take starts in the order in which they come. Many of one account, such as the runs that an event begins, would all be
 * there before the next one of another account. So they wait here, account by account.
 */
export const createFirstLooks = (total: number = usualTotal): FirstLooks => {
  const shares = createShares({ total });
  const awaited = new Map<string, () => void>();

  const expectLook = (id: string) => {
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
        // Before the start: the look may be over before its answer is here.
        using look = expectLook(id);
        const { eager } = await start();
        if (eager) await look.promise;
      }),
    looked: (id) => awaited.get(id)?.(),
  };
};
