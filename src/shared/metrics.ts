import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { AttemptOutcome, DeliveryStatus } from './deliveries/types.ts';
import type { Variant } from './events/names.ts';

/** What the activities report. */
export type DeliveryMetrics = {
  attempted: (variant: Variant, outcome: AttemptOutcome) => void;
  /** A round has ended, or was parked, with this status of its delivery. */
  ended: (status: DeliveryStatus) => void;
};

/** What is counted by the process itself; the backlog is read from the database when it is asked for. */
export type Metrics = DeliveryMetrics & { registry: Registry };

/** The numbers of one process. `backlog` counts the unfinished deliveries by status, read at each scrape. */
export const createMetrics = ({
  backlog,
}: {
  backlog: () => Promise<{ status: string; count: number }[]>;
}): Metrics => {
  const registry = new Registry();
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
  const seconds = new Histogram({
    name: 'parley_delivery_attempt_seconds',
    help: "Time from an attempt's start to the answer's headers",
    labelNames: ['variant'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const unfinished = new Gauge({
    name: 'parley_deliveries_unfinished',
    help: 'Deliveries that are pending, retrying or parked',
    labelNames: ['status'],
    registers: [],
    async collect() {
      this.reset();
      // Without the database there is no backlog to tell; the other numbers are wanted all the more.
      for (const { status, count } of await backlog().catch(() => [])) this.set({ status }, count);
    },
  });
  registry.registerMetric(unfinished);
  return {
    registry,
    ended: (status) => endings.inc({ status }),
    attempted: (variant, { outcome, reason, durationMs }) => {
      attempts.inc({ variant, outcome, reason: reason ?? '' });
      seconds.observe({ variant }, durationMs / 1000);
    },
  };
};
