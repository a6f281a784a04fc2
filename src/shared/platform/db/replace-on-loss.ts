import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import { watchSilence } from './silence.ts';
import { createSockets, type Sockets } from './sockets.ts';

/** How long queries on the other connections of a replaced pool may take to end, in seconds. */
const retireSeconds = 5;

/** The shortest time between two replacements under TLS, in ms: there a refused connection looks like a lost one. */
const replaceEveryMs = 1_000;

/** How soon a connection to an absent server is tried again, in seconds. Queries wait for it. */
const reconnectSeconds = 0.05;

/** Options of postgres.js through which a pool is watched. */
export type Hooks = { socket: Sockets['open']; onclose: () => void; backoff: () => number };

export type ReplaceOptions = {
  /** How often the server is asked `select 1`, in ms. A pool without an answer twice in a row is replaced. */
  probeMs?: number | undefined;
};

/**
 * A pool that is replaced as a whole when one of its connections is lost. postgres.js (3.4.9) uses a lost connection again while
 * queries are noted on it that were never sent: they wait for ever, and later queries get each other's answers
 * (porsager/postgres#1216). A refused connection has no such queries, so the pool stays. `open` makes a pool with the hooks given.
 */
export const replaceOnLoss = (open: (hooks: Hooks) => postgres.Sql, { probeMs }: ReplaceOptions = {}): postgres.Sql => {
  const ending = new AbortController();
  let replacedAtMs = -Infinity;
  let waiting: NodeJS.Timeout | undefined;

  const openNext = (): { pool: postgres.Sql; sockets: Sockets } => {
    const ifCurrent = (act: () => void) => () => {
      if (next === current && !ending.signal.aborted) act();
    };
    const sockets = createSockets(ifCurrent(replace));
    const onclose = ifCurrent(() => sockets.encrypted && replaceInTurn());
    const next = { pool: open({ socket: sockets.open, onclose, backoff: () => reconnectSeconds }), sockets };
    return next;
  };

  const replaceInTurn = (): void => {
    const waitMs = replacedAtMs + replaceEveryMs - performance.now();
    if (waitMs <= 0) return replace();
    waiting ??= setTimeout(replace, waitMs).unref();
  };

  const replace = (): void => {
    clearTimeout(waiting);
    waiting = undefined;
    if (ending.signal.aborted) return;
    replacedAtMs = performance.now();
    void retire(current);
    current = openNext();
  };

  let current = openNext();
  if (probeMs) void watchSilence(() => current, { everyMs: probeMs, signal: ending.signal, onSilence: replace });

  const end = (options?: { timeout?: number }): Promise<void> => {
    ending.abort();
    return current.pool.end(options);
  };

  const begin = (work: (sql: postgres.TransactionSql) => Promise<unknown>): Promise<unknown> =>
    beginGuarded(current.pool, work);

  return new Proxy(current.pool, {
    apply: (_, self, args) => Reflect.apply(current.pool, self, args),
    get: (_, key) => (key === 'end' ? end : key === 'begin' ? begin : Reflect.get(current.pool, key)),
  });
};

/**
 * Ends a pool. Queries that wait for a connection open more connections even then, so whatever is left when the time is over is cut
 * off.
 */
const retire = async ({ pool, sockets }: { pool: postgres.Sql; sockets: Sockets }): Promise<void> => {
  await Promise.all([pool.end({ timeout: retireSeconds }), sleep(retireSeconds * 1_000, undefined, { ref: false })]);
  sockets.cutOff();
};

type Work = (sql: postgres.TransactionSql) => Promise<unknown>;

/**
 * A transaction that refuses queries once it is over, also those of its savepoints. When its connection is lost, postgres.js rejects the
 * transaction but lets its callback go on, on another connection and outside of any transaction.
 */
const beginGuarded = (pool: postgres.Sql, work: Work): Promise<unknown> => {
  let over = false;
  const guard = (queries: postgres.TransactionSql): postgres.TransactionSql =>
    new Proxy(queries, {
      apply: (query, self, args) => {
        if (over) throw new Error('the transaction has lost its connection');
        return Reflect.apply(query, self, args);
      },
      get: (target, key) =>
        key === 'savepoint' ? (nested: Work) => target.savepoint(guarded(nested)) : Reflect.get(target, key),
    });
  const guarded =
    (unguarded: Work): Work =>
    async (sql) => {
      const [outcome] = await Promise.allSettled([unguarded(guard(sql))]);
      // A lost connection rejects its queries first, so the transaction hears of it before this resolves.
      if (outcome.status === 'rejected') await setImmediate();
      // A commit or rollback that is written to a closed connection would end the whole process.
      if (over) await new Promise(() => {});
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    };
  const begun = pool.begin(guarded(work));
  begun.catch(() => {
    over = true;
  });
  return begun;
};
