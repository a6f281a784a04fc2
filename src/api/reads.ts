import postgres from 'postgres';
import { connectDatabase, type Database, type DatabaseTarget } from '../shared/platform/db/connect.ts';
import type { ReplaceOptions } from '../shared/platform/db/replace-on-loss.ts';
import { createShares, NoSlot } from '../shared/platform/bulkhead/shares.ts';
import { RequestError } from '../shared/errors.ts';

/**
 * Runs an account's lists and counts on connections of their own, so that deliveries and writes always have theirs. There are as many slots as
 * connections: `read` sends one statement after the other, or begins one transaction. Throws `rate_limited` when the account has its share under
 * way and none of it ends soon, and `unavailable` when the reads of all accounts are too many, or this one takes too long.
 */
export type Reads = <Result>(accountId: string, read: (db: Database) => Promise<Result>) => Promise<Result>;

/** Connections of a process; an account that is alone reads on four of them at once, see `createBulkhead`. */
const connections = 10;

/** PostgreSQL gives up a statement after this long, in ms. */
const statementTimeoutMs = 5_000;

export type ReadsOptions = {
  /** How long a read waits for a slot, in ms. */
  patienceMs?: number;
  /** How long a read may take once it has a slot, in ms, also when the database hangs. */
  deadlineMs?: number;
  /** The most reads of one account that wait at once. */
  waitingPerAccount?: number;
};

/** A pool for `createReads`, without parallel workers: a list may take one core at most. */
export const connectReads = (target: DatabaseTarget, watching: ReplaceOptions = {}): Database =>
  connectDatabase(target, {
    max: connections,
    settings: { statement_timeout: statementTimeoutMs, max_parallel_workers_per_gather: 0 },
    ...watching,
  });

/** Shares the connections of `db` among accounts. Those that wait are admitted account by account. */
export const createReads = (
  db: Database,
  { patienceMs = 2_000, deadlineMs = 8_000, waitingPerAccount = 100 }: ReadsOptions = {},
): Reads => {
  const shares = createShares({ total: connections, patienceMs, waitingPerAccount });
  return async (accountId, read) => {
    const begun = Promise.withResolvers<void>();
    // The slot is free when the connection is free, however long its asker waits.
    const settled = shares.take({ accountId, key: accountId }, () => {
      begun.resolve();
      return read(db);
    });
    settled.catch(begun.resolve);
    await begun.promise;
    using deadline = after(deadlineMs, tooSlow);
    try {
      return await Promise.race([settled, deadline.over]);
    } catch (error) {
      if (error instanceof NoSlot) throw error.taken === 'all' ? tooManyOfAll() : tooManyOfAccount();
      throw error instanceof postgres.PostgresError && error.code === canceled ? tooSlow() : error;
    }
  };
};

/** Rejects with `error` when the time is over, unless it is disposed of first. */
const after = (ms: number, error: () => Error): { over: Promise<never> } & Disposable => {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(error()), ms);
  return { over, [Symbol.dispose]: () => clearTimeout(timer) };
};

/** query_canceled: the statement took too long. */
const canceled = '57014';

const tooManyOfAccount = () =>
  new RequestError(
    'rate_limited',
    'The account has too many lists and counts in progress. Try again when some are done.',
  );

const tooManyOfAll = () =>
  new RequestError('unavailable', 'Too many lists and counts are in progress. Try again in a moment.');

const tooSlow = () =>
  new RequestError(
    'unavailable',
    'The database takes too long. Narrow the filters, such as to one webhook, one tag or a shorter time, or try again later.',
  );
