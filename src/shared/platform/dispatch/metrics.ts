import { Counter, type Registry } from 'prom-client';
import type { NoSlot } from '../bulkhead/shares.ts';

export type DispatchMetrics = {
  /** Counts requests of committed transactions, 1 by default. */
  dispatched: (outcome: 'started' | 'outbox' | 'left_to_sweep', count?: number) => void;
  /** Counts workflows of finished rows; `dropped` without asking Temporal, `failed` when it took no start. */
  spare: (outcome: 'started' | 'dropped' | 'failed', count?: number) => void;
  /** Counts overdue rows; `sent` by the outbox, `failed` when Temporal took no start. */
  swept: (counts: { started: number; sent: number; failed: number }) => void;
};

export type WriteMetrics = {
  writeRefused: (taken: NoSlot['taken']) => void;
};

/** Creates the instruments; docs/metrics.md describes them. Labels are enums, so that their values stay few. */
export const createDispatchMetrics = (registry: Registry): DispatchMetrics & WriteMetrics => {
  const registers = [registry];
  const dispatches = new Counter({
    name: 'parley_dispatch_total',
    help: 'What committed transactions asked for: a workflow started, a first attempt by the outbox, or left to the sweep',
    labelNames: ['outcome'],
    registers,
  });
  const spare = new Counter({
    name: 'parley_spare_starts_total',
    help: 'Workflows of deliveries that their first attempt has finished: started, dropped for want of room, or failed to start',
    labelNames: ['outcome'],
    registers,
  });
  const started = new Counter({
    name: 'parley_sweep_started_total',
    help: 'Workflows that the sweep started for what was overdue',
    registers,
  });
  const sent = new Counter({
    name: 'parley_sweep_sent_total',
    help: 'Overdue first attempts that the sweep handed to the outbox',
    registers,
  });
  const failed = new Counter({
    name: 'parley_sweep_failed_total',
    help: 'Overdue rows whose workflow the sweep could not start, and which it tries again',
    registers,
  });
  const refused = new Counter({
    name: 'parley_writes_refused_total',
    help: 'Writes refused because too many were in progress: on the same row, of their account, or of all accounts',
    labelNames: ['taken'],
    registers,
  });
  return {
    writeRefused: (taken) => refused.inc({ taken }),
    dispatched: (outcome, count = 1) => dispatches.inc({ outcome }, count),
    spare: (outcome, count = 1) => spare.inc({ outcome }, count),
    swept: (counts) => {
      started.inc(counts.started);
      sent.inc(counts.sent);
      failed.inc(counts.failed);
    },
  };
};
