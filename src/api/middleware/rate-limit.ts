import type { Middleware } from 'koa';
import { RequestError } from '../../shared/errors.ts';
import type { ApiState } from '../http.ts';
import type { Principal } from '../principal.ts';
import { createWindows } from '../windows.ts';

const windowSeconds = 60;

/** The requests of a minute that an account has used, and how many of them each of its users, of whom it has a bounded number. */
type Used = { account: number; ofUsers: Map<string, number> };

/**
 * Gives each account a budget of requests per minute, counted by each process for itself. A user may take as many of them as are left to the account
 * then: one alone ends with a half, two that flood with a third each, and the next user always finds some (as slots of `createBulkhead`). Every
 * answer says in RateLimit-* headers what is left to the one who asks; times are in seconds.
 */
export const rateLimit = (requestsPerMinute: number): Middleware<Partial<ApiState>> => {
  const windows = createWindows({ windowSeconds, begin: (): Used => ({ account: 0, ofUsers: new Map() }) });
  /** Takes so many, or none when fewer are left. */
  const takeOf = ({ accountId, userId }: Principal, requests: number) => {
    const { window, waitSeconds } = windows.of(accountId);
    const { used } = window;
    const ofUser = userId === undefined ? 0 : (used.ofUsers.get(userId) ?? 0);
    const leftToAccount = requestsPerMinute - used.account;
    const left = userId === undefined ? leftToAccount : Math.max(0, Math.ceil((leftToAccount - ofUser) / 2));
    if (requests > left) return { isTaken: false, left, leftToAccount, waitSeconds };
    used.account += requests;
    if (userId !== undefined) used.ofUsers.set(userId, ofUser + requests);
    return { isTaken: true, left: left - requests, leftToAccount: leftToAccount - requests, waitSeconds };
  };
  return async (ctx, next) => {
    const { principal } = ctx.state;
    // Signing in has no account yet, and a budget of its own.
    if (!principal) return next();
    const take = (requests: number): void => {
      const { isTaken, left, leftToAccount, waitSeconds } = takeOf(principal, requests);
      ctx.set({
        'RateLimit-Limit': String(requestsPerMinute),
        'RateLimit-Remaining': String(left),
        'RateLimit-Reset': String(waitSeconds),
      });
      if (isTaken) return;
      ctx.set('Retry-After', String(waitSeconds));
      const budget = `account's ${requestsPerMinute} requests of this minute`;
      const isShare = left < leftToAccount;
      throw new RequestError(
        'rate_limited',
        requests > 1
          ? `The list needs ${requests} more, and ${left} of ${isShare ? 'your share of the' : 'the'} ${budget} are left.`
          : isShare
            ? `Your share of the ${budget} is used up.`
            : `The ${budget} are used up.`,
      );
    };
    take(1);
    ctx.state.spend = take;
    return next();
  };
};
