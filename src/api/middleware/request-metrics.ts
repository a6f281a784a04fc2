import { Histogram, type Registry } from 'prom-client';

/** What the API reports of each answer; `route` is the template that matched, never a path. */
export type RequestMetrics = {
  answered: (request: { method: string; route: string; status: number; seconds: number }) => void;
};

/** Makes its instruments; docs/metrics.md says what each is for. Labels are enums: their values stay few. */
export const createRequestMetrics = (registry: Registry): RequestMetrics => {
  const requests = new Histogram({
    name: 'parley_http_request_seconds',
    help: 'Time to answer a request to the API, by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  });
  return { answered: ({ seconds, ...labels }) => requests.observe(labels, seconds) };
};
