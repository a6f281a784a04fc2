import type { Middleware } from 'koa';
import { askAs } from '../../shared/platform/bulkhead/asker.ts';
import { createBulkhead } from '../../shared/platform/bulkhead/bulkhead.ts';
import { RequestError } from '../../shared/errors.ts';
import type { ApiState } from '../http.ts';
import type { Principal } from '../principal.ts';
import { networkOf } from './client-address.ts';

/** The most concurrent requests of a process, together fewer than the 1,000 connections of a proxy (see `listen`). */
const totals = { members: 600, visitors: 300 };

type Share = Middleware<Partial<ApiState>>;

/**
 * Shares the concurrent requests of a process among accounts, and those of an account among its users and, as one, its API keys (see
 * `createBulkhead`). Requests that wait for silent endpoints, and answers that are read slowly, hold connections, which behind a proxy belong to
 * everybody. A slot is free again when the work is done and its answer is sent. What a request writes comes out of its account's share of the
 * connections to the database, too.
 */
export const shareRequests = (): Share =>
  shareSlots(totals.members, {
    keyOf: ({ accountId, userId }) => userId ?? accountId,
    say: 'You or your account have too many requests in progress. Try again when some are done.',
  });

/**
 * The same for visitors of webchats and whoever has a link, who take none of the slots of users and API keys: they need no credential, and their bodies
 * may come and their files go slowly. Each network has its share of those of an account.
 */
export const shareVisits = (): Share =>
  shareSlots(totals.visitors, {
    keyOf: ({ accountId }, address) => `${accountId} ${networkOf(address)}`,
    say: 'Too many requests are in progress here. Try again when some are done.',
  });

const shareSlots = (
  total: number,
  { keyOf, say }: { keyOf: (principal: Principal, address: string) => string; say: string },
): Share => {
  const slots = createBulkhead({ total });
  return async (ctx, next) => {
    const { principal, clientAddress = '' } = ctx.state;
    // A sign-in has no account yet. It has bounds of its own.
    if (!principal) return next();
    const { accountId } = principal;
    const lane = { accountId, key: keyOf(principal, clientAddress) };
    if (!slots.take(lane)) throw new RequestError('rate_limited', say);
    let holds = true;
    const release = () => {
      if (holds) slots.release(lane);
      holds = false;
    };
    ctx.state.leaveShare = release;
    try {
      return await askAs({ accountId }, next);
    } finally {
      if (ctx.res.closed) release();
      else ctx.res.once('close', release);
    }
  };
};
