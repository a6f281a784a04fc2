import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import { watchSilence } from './silence.ts';
import { createSockets, type Sockets } from './sockets.ts';

/** What is under way on the other connections of a pool that is replaced has so many seconds to end. */
const retireSeconds = 5;

/** Under TLS a refusal looks like a loss: there a pool is not replaced more often than this, in ms. */
const replaceEveryMs = 1_000;

/** A server that is away is asked again after this, in seconds: soon, for whoever asks waits for it. */
const reconnectSeconds = 0.05;

/** Options of postgres.js through which a pool is watched. */
export type Hooks = { socket: Sockets['open']; onclose: () => void; backoff: () => number };

export type ReplaceOptions = {
  /** The server is asked every so many ms; a pool is replaced that twice in a row has had no answer within that time. */
  probeMs?: number | undefined;
};

/**
 * A pool that is replaced as a whole when one of its connections is lost. postgres.js (3.4.9) uses a lost connection again
 * with queries still noted on it that were never sent: they wait for ever, and those after them get one another's answers
 * (porsager/postgres#1216). One that was refused has none, and the pool stays. `open` makes a pool with the hooks given.
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
 * Lets a pool end. Its queries that wait for a connection open more of them, also after that end: whatever is left of it when
 * the time is over is cut off.
 */
const retire = async ({ pool, sockets }: { pool: postgres.Sql; sockets: Sockets }): Promise<void> => {
  await Promise.all([pool.end({ timeout: retireSeconds }), sleep(retireSeconds * 1_000, undefined, { ref: false })]);
  sockets.cutOff();
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
