import { createBulkhead } from '../shared/platform/bulkhead/bulkhead.ts';
import { createFairQueue } from '../shared/platform/bulkhead/fair-queue.ts';
import { RequestError } from '../shared/errors.ts';
import type { ApiContext } from './http.ts';

/** The most that wait for their turn, some two seconds' worth. A single asker may have a third of them; see `createBulkhead`. */
const maxWaiting = 50;

/** Does `work` on a password when its turn has come. `key` names the asker. */
export type PasswordTurns = <Result>(ctx: ApiContext, key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Handles one password at a time: argon2 holds a thread and 19 MiB for some 30 ms, and a flood of sign-ins must leave the other threads and the
 * CPU to deliveries. Askers take turns, so that one with many passwords cannot keep others waiting or out. Throws `unavailable` when too
 * many wait.
 */
export const createPasswordTurns = (): PasswordTurns => {
  const turns = createFairQueue(1);
  const places = createBulkhead({ total: maxWaiting });
  return async (ctx, key, work) => {
    const asker = { accountId: key, key };
    if (!places.take(asker)) {
      ctx.set('Retry-After', '5');
      throw new RequestError('unavailable', 'Too many passwords are being looked at; try again in a moment.');
    }
    try {
      return await turns.take(key, work);
    } finally {
      places.release(asker);
    }
  };
};
