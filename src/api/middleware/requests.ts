import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { showId } from '../../shared/ids.ts';
import type { Logger } from '../../shared/platform/log.ts';
import type { ApiState, RequestState } from '../http.ts';

/** Gives every request an id, the caller's own where it is a sane one, and says it in X-Request-Id. */
export const requestId = (): Middleware<RequestState> => async (ctx, next) => {
  const given = ctx.get('x-request-id');
  ctx.state.requestId = /^[\w.:/+=-]{1,100}$/.test(given) ? given : randomUUID();
  ctx.set('X-Request-Id', ctx.state.requestId);
  await next();
};

/** The template of the route that took the request, such as /v1/contacts/:id; undefined where none did. */
export const routeOf = (ctx: Context): string | undefined => {
  const route: unknown = ctx['_matchedRoute'];
  return typeof route === 'string' ? route : undefined;
};

/**
 * One line per request: who, what, outcome, duration. It has the route, never the path, which may hold a contact's data. Health checks are
 * told at debug level: they come every few seconds for ever.
 */
export const accessLog =
  (log: Logger): Middleware<Partial<ApiState>> =>
  async (ctx, next) => {
    const startedAt = performance.now();
    try {
      await next();
    } finally {
      const { requestId, traceId, clientAddress, principal, contactId } = ctx.state;
      const level = ctx.path.startsWith('/health/') ? 'debug' : 'info';
      log[level](
        {
          request_id: requestId,
          trace_id: traceId,
          client_address: clientAddress,
          method: ctx.method,
          route: routeOf(ctx),
          status: ctx.status,
          duration_ms: Math.round((performance.now() - startedAt) * 10) / 10,
          account_id: principal && showId('account', principal.accountId),
          api_key_id: principal?.apiKeyId && showId('apiKey', principal.apiKeyId),
          user_id: principal?.userId && showId('user', principal.userId),
          contact_id: contactId && showId('contact', contactId),
        },
        'api.request',
      );
    }
  };
