import type { RequestListener } from 'node:http';
import type { Registry } from 'prom-client';

/** Answers `GET /metrics` with the service's numbers and, behind them, those of Temporal's SDK. */
export const createMetricsHandler =
  ({ registry, sdkMetrics }: { registry: Registry; sdkMetrics: string }): RequestListener =>
  (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    Promise.all([registry.metrics(), readSdkMetrics(sdkMetrics)]).then(
      ([ours, sdk]) => response.writeHead(200, { 'content-type': registry.contentType }).end(`${ours}\n${sdk}`),
      () => response.writeHead(503).end(),
    );
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
