import type { Middleware } from 'koa';
import { RequestError } from '../../shared/errors.ts';
import type { ApiState } from '../http.ts';
import { createSharedBudget } from '../shared-budget.ts';

const windowSeconds = 60;

/**
 * Gives each account a budget of requests per minute, counted by each process for itself. Its users share theirs (see
 * `createSharedBudget`). Every answer says in RateLimit-* headers what is left to the one who asks; times are in seconds.
 */
export const rateLimit = (requestsPerMinute: number): Middleware<Partial<ApiState>> => {
  const budget = createSharedBudget({ tries: requestsPerMinute, windowSeconds });
  return async (ctx, next) => {
    const { principal } = ctx.state;
    // Signing in has no account yet, and a budget of its own.
    if (!principal) return next();
    const take = (requests: number): void => {
      const { isTaken, left, leftToAll, waitSeconds } = budget.take(principal.accountId, principal.userId, requests);
      ctx.set({
        'RateLimit-Limit': String(requestsPerMinute),
        'RateLimit-Remaining': String(left),
        'RateLimit-Reset': String(waitSeconds),
      });
      if (isTaken) return;
      ctx.set('Retry-After', String(waitSeconds));
      const budgetName = `account's ${requestsPerMinute} requests of this minute`;
      const isShare = left < leftToAll;
      throw new RequestError(
        'rate_limited',
        requests > 1
          ? `The list needs ${requests} more, and ${left} of ${isShare ? 'your share of the' : 'the'} ${budgetName} are left.`
          : isShare
            ? `Your share of the ${budgetName} is used up.`
            : `The ${budgetName} are used up.`,
      );
    };
    take(1);
    ctx.state.spend = take;
    return next();
  };
};
