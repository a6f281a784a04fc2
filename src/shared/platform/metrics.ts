import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { AttemptOutcome, DeliveryStatus } from '../deliveries/types.ts';
import type { Variant } from '../events/names.ts';

/** What the activities report. */
export type DeliveryMetrics = {
  attempted: (variant: Variant, outcome: AttemptOutcome) => void;
  /** A delivery has reached its receiver for the first time, so many seconds after its event. */
  delivered: (variant: Variant, attempt: 'first' | 'later', seconds: number) => void;
  /** What became of a delivery at the end of a round, or when it was parked; counted where it `counts`. */
  ended: (end: { status: DeliveryStatus; counts: boolean }) => void;
};

/** What becomes of a mail; `failed` is tried again. */
export type MailMetrics = { mailTried: (outcome: 'sent' | 'refused' | 'failed') => void };

/** What the dispatcher and the sweep report. */
export type DispatchMetrics = {
  /** So many requests of committed transactions, one if not said, were carried out, or left to the sweep. */
  dispatched: (outcome: 'started' | 'left_to_sweep', count?: number) => void;
  /** The sweep has started so many workflows for what was overdue, and failed to start so many. */
  swept: (counts: { started: number; failed: number }) => void;
};

/** What the API reports of each answer; `route` is the template that matched, never a path. */
export type RequestMetrics = {
  answered: (request: { method: string; route: string; status: number; seconds: number }) => void;
};

/** What is counted by the process itself; what only the database and Temporal know is read at each scrape (`gauges.ts`). */
export type Metrics = DeliveryMetrics & MailMetrics & DispatchMetrics & RequestMetrics & { registry: Registry };

/** The numbers of one process; docs/metrics.md says what each is for. Labels are enums: their values stay few. */
export const createMetrics = (): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    ...deliveryMetrics(registry),
    ...mailMetrics(registry),
    ...dispatchMetrics(registry),
    ...requestMetrics(registry),
  };
};

const deliveryMetrics = (registry: Registry): DeliveryMetrics => {
  const registers = [registry];
  const attempts = new Counter({
    name: 'parley_delivery_attempts_total',
    help: 'Attempts made, by variant, outcome and reason of failure',
    labelNames: ['variant', 'outcome', 'reason'],
    registers,
  });
  const endings = new Counter({
    name: 'parley_deliveries_total',
    help: 'Rounds of deliveries that ended or were parked, by the status they ended with',
    labelNames: ['status'],
    registers,
  });
  const attemptSeconds = new Histogram({
    name: 'parley_delivery_attempt_seconds',
    help: "Time from an attempt's start to the answer's headers",
    labelNames: ['variant'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const deliverySeconds = new Histogram({
    name: 'parley_delivery_seconds',
    help: 'Time from an event to its first successful attempt, replays aside, by whether it took retries',
    labelNames: ['variant', 'attempt'],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 35, 100, 220, 460, 1000],
    registers,
  });
  return {
    attempted: (variant, { outcome, reason, durationMs }) => {
      attempts.inc({ variant, outcome, reason: reason ?? '' });
      attemptSeconds.observe({ variant }, durationMs / 1000);
    },
    delivered: (variant, attempt, seconds) => deliverySeconds.observe({ variant, attempt }, seconds),
    ended: ({ status, counts }) => {
      if (counts) endings.inc({ status });
    },
  };
};

const mailMetrics = (registry: Registry): MailMetrics => {
  const mails = new Counter({
    name: 'parley_mail_attempts_total',
    help: 'Mails handed to the mail server, by what came of it; a failed one is tried again',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return { mailTried: (outcome) => mails.inc({ outcome }) };
};

const dispatchMetrics = (registry: Registry): DispatchMetrics => {
  const registers = [registry];
  const dispatches = new Counter({
    name: 'parley_dispatch_total',
    help: 'Workflows to start after a commit, by whether they were started at once or left to the sweep',
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
  return {
    dispatched: (outcome, count = 1) => dispatches.inc({ outcome }, count),
    swept: (counts) => {
      started.inc(counts.started);
      failed.inc(counts.failed);
    },
  };
};

const requestMetrics = (registry: Registry): RequestMetrics => {
  const requests = new Histogram({
    name: 'parley_http_request_seconds',
    help: 'Time to answer a request to the API, by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  });
  return { answered: ({ seconds, ...labels }) => requests.observe(labels, seconds) };
};
