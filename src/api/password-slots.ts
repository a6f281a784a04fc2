import { createShares, NoSlot } from '../shared/platform/bulkhead/shares.ts';
import { RequestError } from '../shared/errors.ts';

/** The most that wait at once, some two seconds' worth. A single asker may have a third of them; see `createBulkhead`. */
const waitingInAll = 50;

/** Does `work` on a password once its asker, named by `key`, has the slot. */
export type PasswordSlots = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Handles one password at a time: argon2 holds a thread and 19 MiB for some 30 ms, and a flood of sign-ins must leave the other threads and the
 * CPU to deliveries. The slot goes from asker to asker, so that one with many passwords cannot keep others waiting or out. Throws
 * `unavailable` when too many wait.
 */
export const createPasswordSlots = (): PasswordSlots => {
  const shares = createShares({ total: 1, waitingInAll });
  return (key, work) =>
    shares.take({ accountId: key, key }, work).catch((error: unknown) => {
      throw error instanceof NoSlot ? tooMany() : error;
    });
};

const tooMany = () => new RequestError('unavailable', 'Too many sign-ins are in progress. Try again in a moment.');
