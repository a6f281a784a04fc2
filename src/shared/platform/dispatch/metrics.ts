import { Counter, type Registry } from 'prom-client';
import type { NoPlace } from '../bulkhead/shares.ts';

/** What the dispatcher and the sweep report. */
export type DispatchMetrics = {
  /** Counts what committed transactions asked for, 1 by default: a workflow started, sent without one, or left to the sweep. */
  dispatched: (outcome: 'started' | 'straight' | 'left_to_sweep', count?: number) => void;
  /** Counts the workflows that the sweep has started for overdue rows, and those that it failed to start. */
  swept: (counts: { started: number; failed: number }) => void;
};

/** What the shares of writes report. */
export type WriteMetrics = {
  /** Counts a write that was refused because those under way were too many: of one line, of its account, or of all. */
  writeRefused: (taken: NoPlace['taken']) => void;
};

/** Creates the instruments; docs/metrics.md describes them. Labels are enums, so that their values stay few. */
export const createDispatchMetrics = (registry: Registry): DispatchMetrics & WriteMetrics => {
  const registers = [registry];
  const dispatches = new Counter({
    name: 'parley_dispatch_total',
    help: 'Workflows to start after a commit, by whether they were started at once, went out without one, or are left to the sweep',
    labelNames: ['outcome'],
    registers,
  });
  const started = new Counter({
    name: 'parley_sweep_started_total',
    help: 'Workflows that the sweep started for what was overdue',
    registers,
  });
  const failed = new Counter({
    name: 'parley_sweep_failed_total',
    help: 'Workflows that the sweep could not start, and tries again',
    registers,
  });
  const refused = new Counter({
    name: 'parley_writes_refused_total',
    help: 'Writes refused because too many were under way: of the same thing, of their account, or of all accounts',
    labelNames: ['taken'],
    registers,
  });
  return {
    writeRefused: (taken) => refused.inc({ taken }),
    dispatched: (outcome, count = 1) => dispatches.inc({ outcome }, count),
    swept: (counts) => {
      started.inc(counts.started);
      failed.inc(counts.failed);
    },
  };
};
