import { onTestFinished, vi } from 'vitest';
import type { Database } from '../../src/shared/platform/db/connect.ts';
import { holdLock } from '../helpers/locks.ts';
import { patienceMs } from './patience.ts';

/** Commits that wait, with all that they have written. */
export type HeldCommits = {
  /** Resolves when so many wait. */
  untilWaiting: (count: number) => Promise<void>;
  /** Has them carried out. */
  letThrough: () => Promise<void>;
};

/** An advisory lock of nobody else. */
const key = 1_031;

/** Stops the transactions that insert into one of these tables in their commits, until the test is over at the latest. */
export const holdCommits = async (db: Database, tables: readonly string[]): Promise<HeldCommits> => {
  await db.unsafe(`
    create function wait_in_commit() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(${key}); return null; end $$`);
  onTestFinished(async () => void (await db`drop function wait_in_commit() cascade`));
  for (const table of tables)
    await db.unsafe(`
      create constraint trigger wait_in_commit after insert on ${table} deferrable initially deferred
      for each row execute function wait_in_commit()`);
  const { letThrough } = await holdLock(db, (sql) => sql`select pg_advisory_xact_lock(${key})`);
  const waiting = () => db`select from pg_locks where locktype = 'advisory' and objid = ${key} and not granted`;
  return {
    untilWaiting: async (count) => {
      await vi.waitUntil(async () => (await waiting()).length === count, { timeout: patienceMs, interval: 20 });
    },
    letThrough,
  };
};
