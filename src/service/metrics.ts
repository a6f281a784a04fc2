import { collectDefaultMetrics, Registry } from 'prom-client';
import { createRequestMetrics, type RequestMetrics } from '../api/middleware/request-metrics.ts';
import { createDeliveryMetrics, type DeliveryMetrics } from '../shared/deliveries/metrics.ts';
import { createMailMetrics, type MailMetrics } from '../shared/mail/metrics.ts';
import { createDispatchMetrics, type DispatchMetrics } from '../shared/platform/dispatch/metrics.ts';

/** What is counted by the process itself; what only the database and Temporal know is read at each scrape (`gauges.ts`). */
export type Metrics = DeliveryMetrics & MailMetrics & DispatchMetrics & RequestMetrics & { registry: Registry };

/** The numbers of one process: those of each room, on one registry. */
export const createMetrics = (): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    ...createDeliveryMetrics(registry),
    ...createMailMetrics(registry),
    ...createDispatchMetrics(registry),
    ...createRequestMetrics(registry),
  };
};
