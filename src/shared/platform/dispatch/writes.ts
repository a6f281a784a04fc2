import type { Asker } from '../bulkhead/asker.ts';
import { createShares, type Shares, type SharesOptions } from '../bulkhead/shares.ts';
import type { Database } from '../db/connect.ts';

/** The share of a pool's connections that transactions may have; the rest is for single statements, which wait for nobody. */
const ofConnections = 0.8;

/** The connections of a pool that wait for locks and write, shared among accounts. */
export type Writes = {
  /** Does `work`, which takes one connection, when its account and its line have a slot for it. Throws `NoSlot`. */
  take: <Result>(asker: Asker, work: () => Promise<Result>) => Promise<Result>;
  waiting: Shares['waiting'];
};

/**
 * Shares four fifths of the connections of `db`: an account alone holds half of those at most, with locks that it waits for. Of one line only one
 * is under way in this process, so that a lock on which an account has many wait holds up nothing else of the account either.
 */
export const createWrites = (
  db: Database,
  { patienceMs = 8_000, waitingPerAccount = 500, ...rest }: Partial<Omit<SharesOptions, 'total' | 'perKey'>> = {},
): Writes => {
  const total = Math.max(2, Math.floor(db.options.max * ofConnections));
  const shares = createShares({ total, perKey: 1, patienceMs, waitingPerAccount, ...rest });
  let count = 0;
  return {
    // What stands in no line has a key of its own.
    take: ({ accountId, line, patienceMs }, work) =>
      shares.take({ accountId, key: `${accountId}/${line ?? (count += 1)}` }, work, { patienceMs }),
    waiting: shares.waiting,
  };
};
