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
 * What every process serves on loopback for its operator: `/metrics`, with the numbers of Temporal's SDK after the service's own, and the
 * same `/health/…` as the API, because a worker has no other place for it.
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

/** The SDK's numbers, from the port on which it serves them; empty when that does not answer. */
const readSdkMetrics = async (address: string): Promise<string> => {
  try {
    const answer = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(2_000) });
    return await answer.text();
  } catch {
    return '';
  }
};
