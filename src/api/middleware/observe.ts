import { SpanKind, type Span } from '@opentelemetry/api';
import type { Context, Middleware } from 'koa';
import { currentTraceId, failSpan, inSpan } from '../../shared/platform/telemetry/tracing.ts';
import type { ApiDeps, RequestState } from '../http.ts';
import { routeOf } from './requests.ts';

/**
 * Counts and times every answer, and makes a span of it, in the caller's trace where it sends a W3C traceparent. Metrics and spans carry the
 * route, never the path, which may hold anything. Health checks are left out, because they come every few seconds.
 */
export const observe =
  ({ metrics }: Pick<ApiDeps, 'metrics'>): Middleware<RequestState> =>
  async (ctx, next) => {
    if (ctx.path.startsWith('/health/')) {
      await next();
      return;
    }
    const startedAt = performance.now();
    const parent = ctx.get('traceparent');
    try {
      await inSpan('HTTP request', { kind: SpanKind.SERVER, parent }, async (span) => {
        ctx.state.traceId = currentTraceId();
        await next();
        describe(span, ctx);
      });
    } finally {
      const route = routeOf(ctx) ?? '';
      // Where no route matches, the method may be invented as well.
      const method = route === '' ? '' : ctx.method;
      metrics.answered({ method, route, status: ctx.status, seconds: (performance.now() - startedAt) / 1000 });
    }
  };

const describe = (span: Span, ctx: Context): void => {
  const route = routeOf(ctx);
  if (route !== undefined) span.updateName(`${ctx.method} ${route}`);
  span.setAttributes({
    'http.request.method': ctx.method,
    'http.route': route,
    'http.response.status_code': ctx.status,
    'parley.request_id': ctx.state.requestId,
  });
  if (ctx.status >= 500) failSpan(span, String(ctx.status));
};
