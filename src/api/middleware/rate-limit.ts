import type { Middleware } from 'koa';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { RequestError } from '../../shared/errors.ts';
import type { ApiState } from '../http.ts';

const windowSeconds = 60;

/**
 * Gives each account a budget of requests per minute, counted by each process for itself. Every answer says in RateLimit-* headers what is left;
 * times are in seconds.
 */
export const rateLimit = (requestsPerMinute: number): Middleware<Partial<ApiState>> => {
  const limiter = new RateLimiterMemory({ points: requestsPerMinute, duration: windowSeconds });
  return async (ctx, next) => {
    const { principal } = ctx.state;
    // Signing in has no account yet, and a budget of its own.
    if (!principal) return next();
    const take = async (requests: number): Promise<void> => {
      const { allowed, used } = await consume(limiter, principal.accountId, requests);
      const resetSeconds = Math.max(1, Math.ceil(used.msBeforeNext / 1000));
      ctx.set({
        'RateLimit-Limit': String(requestsPerMinute),
        'RateLimit-Remaining': String(Math.max(0, used.remainingPoints)),
        'RateLimit-Reset': String(resetSeconds),
      });
      if (allowed) return;
      ctx.set('Retry-After', String(resetSeconds));
      const left = `${used.remainingPoints} of the account's ${requestsPerMinute} requests of this minute are left`;
      throw new RequestError(
        'rate_limited',
        requests > 1
          ? `The list needs ${requests} more, and ${left}.`
          : `The account's ${requestsPerMinute} requests of this minute are used up.`,
      );
    };
    await take(1);
    ctx.state.spend = take;
    return next();
  };
};

/** Takes so many, or none when fewer are left. The library rejects with its result, not with an error, when nothing is left. */
const consume = async (limiter: RateLimiterMemory, key: string, requests: number) => {
  // One that is refused counts. Many that are refused would use up what is left.
  const before = requests > 1 ? await limiter.get(key) : null;
  if (before && before.remainingPoints < requests) return { allowed: false, used: before };
  try {
    return { allowed: true, used: await limiter.consume(key, requests) };
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return { allowed: false, used: refused };
    throw refused;
  }
};
