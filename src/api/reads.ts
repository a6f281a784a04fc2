import postgres from 'postgres';
import { connectDatabase, type Database, type DatabaseTarget } from '../shared/platform/db/connect.ts';
import type { ReplaceOptions } from '../shared/platform/db/replace-on-loss.ts';
import { createBulkhead } from '../shared/platform/bulkhead/bulkhead.ts';
import { RequestError } from '../shared/errors.ts';

/**
 * Runs an account's lists and counts on connections of their own, so that deliveries and writes always have theirs. There are as many places as
 * connections: `read` sends one statement after the other, or begins one transaction. Throws `rate_limited` when the account has its share under
 * way and none of it ends soon, and `unavailable` when the reads of all accounts are too many, or this one takes too long.
 */
export type Reads = <Result>(accountId: string, read: (db: Database) => Promise<Result>) => Promise<Result>;

/** Connections of a process; an account that is alone reads on four of them at once, see `createBulkhead`. */
const connections = 10;

/** PostgreSQL gives up a statement after this long, in ms. */
const statementTimeoutMs = 5_000;

export type ReadsOptions = {
  /** How long a read waits for a place, in ms. */
  patienceMs?: number;
  /** How long a read may take once it has a place, in ms, also when the database hangs. */
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

type Waiter = { admit: () => void };

/** Shares the connections of `db` among accounts. Those that wait are admitted account by account. */
export const createReads = (
  db: Database,
  { patienceMs = 2_000, deadlineMs = 8_000, waitingPerAccount = 100 }: ReadsOptions = {},
): Reads => {
  const places = createBulkhead({ total: connections });
  const waiting = new Map<string, Set<Waiter>>();
  const laneOf = (accountId: string) => ({ accountId, key: accountId });

  const admitWaiting = (): void => {
    for (const [accountId, line] of Array.from(waiting)) {
      const [next] = line;
      if (!next || !places.take(laneOf(accountId))) continue;
      leave(accountId, next);
      if (line.size > 0) {
        // To the end of the line, behind the other accounts.
        waiting.delete(accountId);
        waiting.set(accountId, line);
      }
      next.admit();
    }
  };

  const leave = (accountId: string, waiter: Waiter): void => {
    const line = waiting.get(accountId);
    line?.delete(waiter);
    if (line?.size === 0) waiting.delete(accountId);
  };

  const waitForPlace = async (accountId: string): Promise<void> => {
    const line = waiting.get(accountId) ?? new Set<Waiter>();
    if (line.size >= waitingPerAccount) throw tooManyOfAccount();
    const admitted = Promise.withResolvers<void>();
    const waiter = { admit: admitted.resolve };
    waiting.set(accountId, line.add(waiter));
    using patience = after(patienceMs, () => {
      leave(accountId, waiter);
      return places.usualOf(laneOf(accountId)) > 0 ? tooManyOfAccount() : tooManyOfAll();
    });
    await Promise.race([admitted.promise, patience.over]);
  };

  return async (accountId, read) => {
    if (!places.take(laneOf(accountId))) await waitForPlace(accountId);
    const result = read(db);
    // The place is free when the connection is free, however long its asker waits.
    const settled = result.finally(() => {
      places.release(laneOf(accountId));
      admitWaiting();
    });
    settled.catch(() => {});
    using deadline = after(deadlineMs, tooSlow);
    try {
      return await Promise.race([settled, deadline.over]);
    } catch (error) {
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
    'This account has too many lists and counts under way. Try again when they are done.',
  );

const tooManyOfAll = () =>
  new RequestError('unavailable', 'Too many lists and counts are under way. Try again in a moment.');

const tooSlow = () =>
  new RequestError(
    'unavailable',
    'This takes the database too long now. Ask for less, as of one webhook, a shorter time or one tag, or try again later.',
  );
