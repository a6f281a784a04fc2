import { CancellationScope, condition, defineSignal, isCancellation, setHandler } from '@temporalio/workflow';
import type { AttemptResult, Next } from '../../shared/runs/types.ts';
import { sayWait } from './view.ts';

/** Something is new in the run's rows. */
const wake = defineSignal('wake');

/** The run was ended in its rows. */
const stop = defineSignal('stop');

type Wait = Extract<Next, { type: 'wait' }>;

/** How many have come: wakes, and among them those by which the run was ended. */
export type Seen = { wakes: number; stops: number };

/** A signal that comes with the start of the workflow is seen by no pass before it. */
export const nothingSeen: Seen = { wakes: 0, stops: 0 };

/** What wakes a sleeping run. */
export type Wakes = {
  seen: () => Seen;
  /** Whether a cancellation was asked for in Temporal's UI. */
  cancelled: () => boolean;
  /** Whether the run was ended after those that were seen. */
  ended: (seen: Seen) => boolean;
  /** Sleeps until one comes after those that were seen, and answers true; false when the time of the wait is over. */
  after: (seen: Seen, wait: Wait) => Promise<boolean>;
  /** Sleeps so long, but no longer than until the run is ended. */
  pause: (seen: Seen, ms: number, summary: string) => Promise<void>;
  /** Waits for an attempt, and breaks it off when the run is ended. */
  untilEnded: (seen: Seen, call: () => Promise<AttemptResult>) => Promise<AttemptResult>;
};

/**
 * Listens to the signals, and to a cancellation in Temporal's UI, which is one more reason to ask: the run itself decides in its rows.
 */
export const listenForWakes = (): Wakes => {
  let wakes = 0;
  let stops = 0;
  let cancelled = false;
  const onStop = (): void => {
    wakes += 1;
    stops += 1;
  };
  setHandler(wake, () => void (wakes += 1), { description: 'Looks again at what is new for the run.' });
  setHandler(stop, onStop, { description: 'Breaks off what is under way, and looks again: the run has ended.' });
  CancellationScope.current().cancelRequested.catch(() => {
    cancelled = true;
    onStop();
  });
  const ended = (seen: Seen): boolean => stops !== seen.stops;
  return {
    seen: () => ({ wakes, stops }),
    cancelled: () => cancelled,
    ended,
    after: async (seen, wait) => {
      const woken = (): boolean => wakes !== seen.wakes;
      if (wait.dueInMs !== undefined) return woken() || condition(woken, wait.dueInMs, { summary: sayWait(wait) });
      await condition(woken);
      return true;
    },
    pause: async (seen, ms, summary) => {
      await condition(() => ended(seen), ms, { summary });
    },
    untilEnded: async (seen, call) => {
      const isEnded = (): boolean => ended(seen);
      const scope = new CancellationScope();
      const calling = scope.run(call);
      await Promise.race([calling.catch(() => {}), condition(isEnded)]);
      if (isEnded()) scope.cancel();
      try {
        return await calling;
      } catch (error) {
        if (isCancellation(error)) return {};
        throw error;
      }
    },
  };
};
