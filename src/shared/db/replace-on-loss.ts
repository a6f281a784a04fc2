import { setImmediate } from 'node:timers/promises';
import type postgres from 'postgres';

/** What is under way on the other connections of a pool that is replaced has so many seconds to end. */
const retireSeconds = 5;

/** Connections that are refused are losses too: a pool is not replaced more often than this, in ms. */
const replaceEveryMs = 1_000;

/**
 * A pool that is replaced as a whole when one of its connections is lost. postgres.js (3.4.9) uses a lost connection again
 * with queries still noted on it that were never sent: they wait for ever, and those after them get one another's answers
 * (porsager/postgres#1216). `open` makes a pool that calls `lost` when a connection has closed.
 */
export const replaceOnLoss = (open: (lost: () => void) => postgres.Sql): postgres.Sql => {
  let ended = false;
  let replacedAt = 0;
  let waiting: NodeJS.Timeout | undefined;

  const openNext = (): postgres.Sql => {
    const pool: postgres.Sql = open(() => {
      if (pool === current && !ended && !waiting) replaceInTurn();
    });
    return pool;
  };
  let current = openNext();

  const replaceInTurn = (): void => {
    const waitMs = replacedAt + replaceEveryMs - Date.now();
    if (waitMs <= 0) return replace();
    waiting = setTimeout(replace, waitMs).unref();
  };

  const replace = (): void => {
    waiting = undefined;
    if (ended) return;
    replacedAt = Date.now();
    void current.end({ timeout: retireSeconds });
    current = openNext();
  };

  const end = (options?: { timeout?: number }): Promise<void> => {
    ended = true;
    return current.end(options);
  };

  const begin = (work: (sql: postgres.TransactionSql) => Promise<unknown>): Promise<unknown> =>
    beginGuarded(current, work);

  return new Proxy(current, {
    apply: (_, self, args) => Reflect.apply(current, self, args),
    get: (_, key) => (key === 'end' ? end : key === 'begin' ? begin : Reflect.get(current, key)),
  });
};

/**
 * A transaction whose queries are refused once it is over. Where its connection is lost, postgres.js rejects it but lets its
 * work go on, on whatever connection comes next and outside of any transaction, and then commits there.
 */
const beginGuarded = (
  pool: postgres.Sql,
  work: (sql: postgres.TransactionSql) => Promise<unknown>,
): Promise<unknown> => {
  let over = false;
  const begun = pool.begin(async (sql) => {
    const guarded = new Proxy(sql, {
      apply: (query, self, args) => {
        if (over) throw new Error('the transaction has lost its connection');
        return Reflect.apply(query, self, args);
      },
    });
    const [outcome] = await Promise.allSettled([work(guarded)]);
    // The loss of a connection is told to its queries first: the transaction hears of it before this is over.
    if (outcome.status === 'rejected') await setImmediate();
    // Neither a commit nor a rollback may follow: written to a closed connection, it ends the whole process.
    if (over) await new Promise(() => {});
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
  begun.catch(() => {
    over = true;
  });
  return begun;
};
