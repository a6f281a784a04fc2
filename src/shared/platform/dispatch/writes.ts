import type { Asker } from '../bulkhead/asker.ts';
import { createShares, type Shares, type SharesOptions } from '../bulkhead/shares.ts';
import type { Database } from '../db/connect.ts';

/** The part of a pool's connections for transactions; the rest is for single statements, which wait for no lock. */
const ofConnections = 0.8;

export type Writes = {
  /** Does `work`, on one connection, once its account and line have a slot. Throws `NoSlot`. */
  take: <Result>(asker: Asker, work: () => Promise<Result>) => Promise<Result>;
  waiting: Shares['waiting'];
};

/** One transaction of a line runs at a time in this process, so that a contended lock holds up nothing else of its account. */
export const createWrites = (
  db: Database,
  { patienceMs = 8_000, waitingPerAccount = 500, ...rest }: Partial<Omit<SharesOptions, 'total' | 'perKey'>> = {},
): Writes => {
  const total = Math.max(2, Math.floor(db.options.max * ofConnections));
  const shares = createShares({ total, perKey: 1, patienceMs, waitingPerAccount, ...rest });
  let count = 0;
  return {
    // A transaction without a line gets a key of its own.
    take: ({ accountId, line, patienceMs }, work) =>
      shares.take({ accountId, key: `${accountId}/${line ?? (count += 1)}` }, work, { patienceMs }),
    waiting: shares.waiting,
  };
};
