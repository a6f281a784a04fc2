import { setTimeout as sleep } from 'node:timers/promises';
import type { Middleware } from 'koa';
import { createShares, NoSlot } from '../../shared/platform/bulkhead/shares.ts';
import { RequestError } from '../../shared/errors.ts';
import type { ApiState } from '../http.ts';

/** A body of fewer bytes is parsed in a millisecond or two. */
const largeBytes = 64 * 1024;

/** How long an account's large bodies rest after one was parsed, in times of what that took: this thread belongs to everybody. */
const rest = 3;

/** The most of an account that wait. */
const waitingPerAccount = 50;

/** Has a body of an account parsed, at once or in the account's slot. */
export type ParseInSlot = <Result>(accountId: string, bytes: Buffer, parse: () => Result) => Result | Promise<Result>;

/**
 * Parses the large bodies of an account one after the other, with a rest after each. `patienceMs` is how long one waits for the slot. Throws
 * `rate_limited` after that, and where many wait already.
 */
export const createParseSlots = ({ patienceMs = 10_000 } = {}): ParseInSlot => {
  const slots = createShares({ total: 2, perKey: 1, patienceMs, waitingPerAccount });
  return (accountId, bytes, parse) => {
    if (bytes.length < largeBytes) return parse();
    return new Promise((resolve, reject) => {
      const parseAndRest = async (): Promise<void> => {
        const since = performance.now();
        try {
          // It is answered before the rest, for which the slot is kept.
          resolve(parse());
        } catch (error) {
          reject(error);
        }
        await sleep(rest * (performance.now() - since));
      };
      slots.take({ accountId, key: accountId }, parseAndRest).catch((error: unknown) => {
        reject(error instanceof NoSlot ? tooMany() : error);
      });
    });
  };
};

const tooMany = () =>
  new RequestError('rate_limited', 'The account sends too many large bodies. Send them one after the other.');

/** Has the large bodies of an account parsed in its slot. */
export const largeBodies = (): Middleware<Partial<ApiState>> => {
  const parseInSlot = createParseSlots();
  return (ctx, next) => {
    const accountId = ctx.state.principal?.accountId;
    if (accountId !== undefined) {
      ctx.state.parseInSlot = (bytes, parse) => parseInSlot(accountId, bytes, parse);
    }
    return next();
  };
};
