import { collectDefaultMetrics, Registry } from 'prom-client';
import { createRequestMetrics, type RequestMetrics } from '../api/middleware/request-metrics.ts';
import { createTokenMetrics, type TokenMetrics } from '../shared/credentials/oauth2/metrics.ts';
import { createDeliveryMetrics, type DeliveryMetrics } from '../shared/deliveries/metrics.ts';
import { createMailMetrics, type MailMetrics } from '../shared/mail/metrics.ts';
import { createRunMetrics, type RunMetrics } from '../shared/runs/metrics.ts';
import { createOutboundMetrics, type OutboundMetrics } from '../shared/messages/outbound/metrics.ts';
import { createDispatchMetrics, type DispatchMetrics, type WriteMetrics } from '../shared/platform/dispatch/metrics.ts';

/** The metrics that the process itself counts. `gauges.ts` reads those of the database and of Temporal at each scrape. */
export type Metrics = DeliveryMetrics &
  MailMetrics &
  OutboundMetrics &
  RunMetrics &
  TokenMetrics &
  DispatchMetrics &
  WriteMetrics &
  RequestMetrics & { registry: Registry };

/** Creates the metrics of a process, those of each room, on one registry. */
export const createMetrics = (): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    ...createDeliveryMetrics(registry),
    ...createMailMetrics(registry),
    ...createOutboundMetrics(registry),
    ...createRunMetrics(registry),
    ...createTokenMetrics(registry),
    ...createDispatchMetrics(registry),
    ...createRequestMetrics(registry),
  };
};
