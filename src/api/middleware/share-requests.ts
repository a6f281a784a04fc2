import type { Middleware } from 'koa';
import { createBulkhead } from '../../shared/platform/bulkhead/bulkhead.ts';
import { RequestError } from '../../shared/errors.ts';
import type { ApiState } from '../http.ts';

/** Under way at once in a process, of which an account alone has a third: a proxy has 1,000 connections to it, see `listen`. */
const total = 900;

/**
 * Shares what can be under way at once among the accounts, see `createBulkhead`: requests that wait for silent endpoints, or
 * answers that are read slowly, hold connections that behind a proxy are everybody's. A place is free again when both the
 * work is done and its answer is out.
 */
export const shareRequests = (): Middleware<Partial<ApiState>> => {
  const places = createBulkhead({ total });
  return async (ctx, next) => {
    const { principal } = ctx.state;
    // Signing in has no account yet; it has bounds of its own.
    if (!principal) return next();
    const lane = { accountId: principal.accountId, key: principal.accountId };
    if (!places.take(lane)) {
      throw new RequestError(
        'rate_limited',
        'The account has too many requests under way. Try again when some are done.',
      );
    }
    const release = () => places.release(lane);
    try {
      return await next();
    } finally {
      if (ctx.res.closed) release();
      else ctx.res.once('close', release);
    }
  };
};
