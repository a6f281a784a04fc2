import { CancellationScope, condition, defineSignal, isCancellation, setHandler } from '@temporalio/workflow';
import type { CallResult } from '../../shared/runs/types.ts';
import type { Next } from '../../shared/runs/scene.ts';
import { sayWait } from './view.ts';

/** Something is new in the run's rows. */
const wake = defineSignal('wake');

type Wait = Extract<Next, { type: 'wait' }>;

/** What tells a sleeping run to look again. */
export type Wakes = {
  /** How many have come. */
  count: () => number;
  /** Whether a cancellation was asked for in Temporal's UI. */
  cancelled: () => boolean;
  /** Sleeps until one comes after the first `seen`, and answers true; false when the time of the wait is over. */
  after: (seen: number, wait: Wait) => Promise<boolean>;
  /** Sleeps so long, but no longer than until the run is cancelled. */
  pause: (ms: number, summary: string) => Promise<void>;
  /** Waits for a call, and breaks it off when the run is cancelled. */
  untilCancelled: (call: () => Promise<CallResult>) => Promise<CallResult>;
};

/**
 * Listens to the signal, and to a cancellation in Temporal's UI, which is one more reason to look: the run itself decides in its rows.
 */
export const listenForWakes = (): Wakes => {
  let count = 0;
  let cancelled = false;
  setHandler(wake, () => void (count += 1), { description: 'Looks again at what is new for the run.' });
  CancellationScope.current().cancelRequested.catch(() => {
    cancelled = true;
    count += 1;
  });
  return {
    count: () => count,
    cancelled: () => cancelled,
    after: async (seen, wait) => {
      const woken = (): boolean => count !== seen;
      if (wait.dueInMs !== undefined) return woken() || condition(woken, wait.dueInMs, { summary: sayWait(wait) });
      await condition(woken);
      return true;
    },
    pause: async (ms, summary) => {
      await condition(() => cancelled, ms, { summary });
    },
    untilCancelled: async (call) => {
      const scope = new CancellationScope();
      const calling = scope.run(call);
      await Promise.race([calling.catch(() => {}), condition(() => cancelled)]);
      if (cancelled) scope.cancel();
      try {
        return await calling;
      } catch (error) {
        if (isCancellation(error)) return {};
        throw error;
      }
    },
  };
};
