import type { Middleware } from 'koa';
import { askAs } from '../../shared/platform/bulkhead/asker.ts';
import { createBulkhead } from '../../shared/platform/bulkhead/bulkhead.ts';
import { RequestError } from '../../shared/errors.ts';
import type { ApiState } from '../http.ts';

/** The most concurrent requests of a process, fewer than the 1,000 connections of a proxy (see `listen`). An account alone has a third. */
const total = 900;

/**
 * Shares the concurrent requests of a process among accounts (see `createBulkhead`). Requests that wait for silent endpoints, and answers that
 * are read slowly, hold connections, which behind a proxy belong to everybody. A slot is free again when the work is done and its answer is
 * sent. What a request writes comes out of its account's share of the connections to the database, too.
 */
export const shareRequests = (): Middleware<Partial<ApiState>> => {
  const slots = createBulkhead({ total });
  return async (ctx, next) => {
    const { principal } = ctx.state;
    // A sign-in has no account yet. It has bounds of its own.
    if (!principal) return next();
    const lane = { accountId: principal.accountId, key: principal.accountId };
    if (!slots.take(lane)) {
      throw new RequestError(
        'rate_limited',
        'The account has too many requests in progress. Try again when some are done.',
      );
    }
    let holds = true;
    const release = () => {
      if (holds) slots.release(lane);
      holds = false;
    };
    ctx.state.leaveShare = release;
    try {
      return await askAs({ accountId: principal.accountId }, next);
    } finally {
      if (ctx.res.closed) release();
      else ctx.res.once('close', release);
    }
  };
};
