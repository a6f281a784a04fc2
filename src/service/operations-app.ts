import Koa from 'koa';
import type { Registry } from 'prom-client';
import { routesOf } from '../api/doors.ts';
import { createRouter, type ApiDeps } from '../api/http.ts';
import { errors } from '../api/middleware/errors.ts';
import { checkHead } from '../api/middleware/request-head.ts';
import { requestId } from '../api/middleware/requests.ts';
import { healthRoutes } from '../api/routes/health.ts';

export type OperationsDeps = Pick<ApiDeps, 'health' | 'processId' | 'log'> & { registry: Registry; sdkMetrics: string };

/**
 * What every process serves on loopback for those who run it: `/metrics`, the service's numbers with those of Temporal's
 * SDK behind them, and the same `/health/…` as the API, for a worker has no other.
 */
export const createOperationsApp = ({ registry, sdkMetrics, health, processId, log }: OperationsDeps): Koa => {
  const app = new Koa();
  app.use(requestId());
  app.use(checkHead());
  app.use(errors(log));
  const metrics = createRouter();
  metrics.get('/metrics', async (ctx) => {
    const [ours, sdk] = await Promise.all([registry.metrics(), readSdkMetrics(sdkMetrics)]);
    ctx.type = registry.contentType;
    ctx.body = `${ours}\n${sdk}`;
  });
  for (const step of routesOf({ prefix: '', routers: [metrics, healthRoutes({ health, processId })] })) app.use(step);
  return app;
};

/** The SDK serves its numbers on a port of its own; nothing when that does not answer. */
const readSdkMetrics = async (address: string): Promise<string> => {
  try {
    const answer = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(2_000) });
    return await answer.text();
  } catch {
    return '';
  }
};
