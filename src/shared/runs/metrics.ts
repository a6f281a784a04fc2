import { Counter, Histogram, type Registry } from 'prom-client';
import type { RunStatus } from './engine/run-state.ts';

/** Counts runs by what they ended as, and attempts of External Requests by outcome. */
export type RunMetrics = {
  runEnded: (status: RunStatus) => void;
  /** An attempt that was made; `seconds` is how long it took. */
  requestMade: (outcome: 'answered' | 'failed', seconds: number) => void;
  /** A short request was about to be made, in its workflow task or, where that had no room, as an activity. */
  requestPlaced: (isLocal: boolean) => void;
  /** The breaker of an origin that fails was opened, or closed again. */
  originChanged: (change: 'opened' | 'closed') => void;
};

/** Creates the instruments; docs/metrics.md describes them. Labels are enums, so that their values stay few. */
export const createRunMetrics = (registry: Registry): RunMetrics => {
  const ended = new Counter({
    name: 'parley_runs_ended_total',
    help: 'Runs of flows that ended by themselves, by their status',
    labelNames: ['status'],
    registers: [registry],
  });
  const calls = new Histogram({
    name: 'parley_call_seconds',
    help: 'Tries of External Requests, by what came of them',
    labelNames: ['outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
    registers: [registry],
  });
  const origins = new Counter({
    name: 'parley_origin_changes_total',
    help: 'Breakers of origins that External Requests call, opened or closed',
    labelNames: ['change'],
    registers: [registry],
  });
  const placed = new Counter({
    name: 'parley_short_requests_total',
    help: 'External Requests of up to ten seconds, by where their first attempt was to be made',
    labelNames: ['place'],
    registers: [registry],
  });
  return {
    requestPlaced: (isLocal) => placed.inc({ place: isLocal ? 'workflow_task' : 'activity' }),
    originChanged: (change) => origins.inc({ change }),
    runEnded: (status) => ended.inc({ status }),
    requestMade: (outcome, seconds) => calls.observe({ outcome }, seconds),
  };
};
