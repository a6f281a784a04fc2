import type { DispatchMetrics } from '../metrics.ts';

/** Tells whether the workflows of this process can be started, from what the dispatcher and the sweep report. */
export type StartWatch = DispatchMetrics & {
  /** Whether starts fail, and have done so for a while without one that succeeded. */
  failing: () => boolean;
};

/** Fewer, or for a shorter time, is a restart of Temporal, or load that passes. */
const failures = { atLeast: 4, forMs: 15_000 };

/** Nobody has tried for longer than this: then nothing is known. In ms; the sweep tries every few seconds what is overdue. */
const knownForMs = 60_000;

/** Passes on to `metrics` what it is told. */
export const watchStarts = (metrics: DispatchMetrics, now = (): number => performance.now()): StartWatch => {
  let failed = { count: 0, firstAt: 0, lastAt: 0 };
  const note = (outcome: 'started' | 'failed'): void => {
    const at = now();
    if (outcome === 'started') failed = { count: 0, firstAt: at, lastAt: at };
    else failed = { count: failed.count + 1, firstAt: failed.count === 0 ? at : failed.firstAt, lastAt: at };
  };
  return {
    dispatched: (outcome, count) => {
      note(outcome === 'started' ? 'started' : 'failed');
      metrics.dispatched(outcome, count);
    },
    swept: (counts) => {
      if (counts.started > 0) note('started');
      else if (counts.failed > 0) note('failed');
      metrics.swept(counts);
    },
    failing: () => {
      const { count, firstAt, lastAt } = failed;
      return count >= failures.atLeast && lastAt - firstAt >= failures.forMs && now() - lastAt < knownForMs;
    },
  };
};
