import { onTestFinished, vi } from 'vitest';
import { patience } from '../../src/shared/messages/inbound/share-statements.ts';
import type { Database, Sql } from '../../src/shared/platform/db/connect.ts';

/** A lock that stops the service at one exact statement; released with the test at the latest. */
export type HeldLock = {
  /** Resolves when a statement that contains `text` waits for it, and has done so longer than one that gives up soon. */
  hasStopped: (text: string) => Promise<void>;
  /**
   * Lets go. Those that wait are ended first: their process is dead, which PostgreSQL does not notice of one that waits, and
   * would carry out what nobody asks for any more.
   */
  release: () => Promise<void>;
  /** Lets go, and has it carried out. */
  letThrough: () => Promise<void>;
};

/** Takes the lock in a transaction of its own; resolves when it has it. */
export const holdLock = async (db: Database, lock: (sql: Sql) => Promise<unknown>): Promise<HeldLock> => {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const transaction = db.begin(async (sql) => {
    await lock(sql);
    held.resolve();
    await released.promise;
  });
  transaction.catch(held.reject);
  await held.promise;
  let isHeld = true;
  const waiting = (text: string, longerThanMs = 0) => db<{ pid: number }[]>`
    select pid from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database() and query ilike ${`%${text}%`}
      and query_start <= clock_timestamp() - ${longerThanMs} * interval '1 ms'`;
  const letThrough = async (): Promise<void> => {
    isHeld = false;
    released.resolve();
    // It is lost where a test has killed PostgreSQL, and the lock with it.
    await transaction.catch(() => {});
  };
  const release = async (): Promise<void> => {
    if (!isHeld) return;
    const pids = (await waiting('')).map(({ pid }) => pid);
    await db`select pg_terminate_backend(pid) from unnest(${pids}::int[]) as waiter (pid)`;
    await letThrough();
  };
  onTestFinished(release);
  return {
    hasStopped: async (text) => {
      await vi.waitUntil(async () => (await waiting(text, 4 * patience.lock_timeout)).length > 0, {
        timeout: 30_000,
        interval: 10,
      });
    },
    release,
    letThrough,
  };
};
