import { Counter, Histogram, type Registry } from 'prom-client';
import type { Variant } from '../facts/names.ts';
import type { AttemptOutcome, DeliveryStatus } from './types.ts';

export type DeliveryMetrics = {
  attempted: (variant: Variant, outcome: AttemptOutcome) => void;
  /** Observes a first success, `seconds` after the event. */
  delivered: (variant: Variant, attempt: 'first' | 'later', seconds: number) => void;
  /** Counts a round that has ended or was parked, by its workflow unless `way` says otherwise. */
  ended: (end: { status: DeliveryStatus; counts: boolean }, way?: Way) => void;
};

type Way = 'workflow' | 'outbox';

/** Creates the instruments; docs/metrics.md describes them. Labels are enums, so that their values stay few. */
export const createDeliveryMetrics = (registry: Registry): DeliveryMetrics => {
  const registers = [registry];
  const attempts = new Counter({
    name: 'parley_delivery_attempts_total',
    help: 'Attempts made, by variant, outcome and reason of failure',
    labelNames: ['variant', 'outcome', 'reason'],
    registers,
  });
  const endings = new Counter({
    name: 'parley_deliveries_total',
    help: 'Rounds of deliveries that ended or were parked, by the status they ended with, and whether a workflow carried them',
    labelNames: ['status', 'way'],
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
    ended: ({ status, counts }, way = 'workflow') => {
      if (counts) endings.inc({ status, way });
    },
  };
};
