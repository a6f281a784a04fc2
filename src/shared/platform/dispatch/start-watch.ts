import type { DispatchMetrics } from './metrics.ts';

/** Judges by the reports of dispatcher and sweep whether this process can start workflows. */
export type StartWatch = DispatchMetrics & {
  /** Whether all starts have failed for a while. */
  failing: () => boolean;
};

/** Fewer or shorter failures come from a restart of Temporal or a burst of load. */
const failures = { atLeast: 4, forMs: 15_000 };

/** Failures say nothing after so long without another start, in ms. */
const knownForMs = 60_000;

/** Passes each report on to `metrics`. */
export const watchStarts = (metrics: DispatchMetrics, now = (): number => performance.now()): StartWatch => {
  let failed = { count: 0, firstAt: 0, lastAt: 0 };
  const note = (outcome: 'started' | 'failed'): void => {
    const at = now();
    if (outcome === 'started') failed = { count: 0, firstAt: at, lastAt: at };
    else failed = { count: failed.count + 1, firstAt: failed.count === 0 ? at : failed.firstAt, lastAt: at };
  };
  return {
    dispatched: (outcome, count) => {
      if (outcome !== 'outbox') note(outcome === 'started' ? 'started' : 'failed');
      metrics.dispatched(outcome, count);
    },
    spare: (outcome, count) => {
      if (outcome !== 'dropped') note(outcome);
      metrics.spare(outcome, count);
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
