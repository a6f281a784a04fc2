import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import type { Database, Sql } from './connect.ts';
import { isInUse } from './in-use.ts';

const folder = new URL('../../../../migrations/', import.meta.url);

/** Any number, the same in every version: whoever holds it migrates, the others wait. */
const migrationLock = 7_205_759;

/**
 * Whoever comes after a migration that waits for a table waits behind it: so it waits no longer than this at once, in ms. Less
 * than PostgreSQL's deadlock_timeout of a second, so that of a migration and a writer in each other's way it gives way. A
 * migration alters one table that is in use, not two: whoever waits behind it for the first may have the second, each time.
 */
const lockTimeoutMs = 200;

/** Between two tries of a migration, in ms: twice as long each time, at most the latter. */
const pauseMs = { first: 500, longest: 10_000 };

/** How far ahead the weekly partitions of the logs are made, in days. */
const partitionDaysAhead = 35;

/** Makes the partitions of the logs that the coming weeks need; cheap when they are there. */
export const createLogPartitions = async (sql: Sql): Promise<void> => {
  await sql`select log_partitions(now() - interval '7 days', now() + make_interval(days => ${partitionDaysAhead}))`;
};

export type MigrateOptions = {
  /** How long a migration may find its tables in use, by a backup for one, before it fails, in ms. */
  patienceMs?: number;
  /** Hears of each try that found them in use; others have the tables until the next one. */
  onWait?: (wait: { migration: string; waitedMs: number }) => void;
};

/**
 * Brings the schema up to this version: each file of migrations/ once, in order, each in a transaction of its own, under
 * a lock, so that any number of processes may start at the same time, while those of the version before go on serving. Returns
 * the names of the files applied now. Throws when one fails, with those before it applied.
 */
export const migrate = async (
  db: Database,
  { patienceMs = 600_000, onWait = () => {} }: MigrateOptions = {},
): Promise<string[]> => {
  const applied: string[] = [];
  for (const name of await listMissing(db)) {
    const statements = await readFile(new URL(name, folder), 'utf8');
    if (await apply(db, { name, statements }, { patienceMs, onWait })) applied.push(name);
  }
  await createLogPartitions(db);
  return applied;
};

/** Runs `work` in a transaction that no other process's migrations run beside; it may take its time. */
const migrating = <Result>(
  db: Database,
  work: (sql: postgres.TransactionSql) => Promise<Result>,
): Promise<{ result: Result }> =>
  // The result is boxed: postgres.js unwraps arrays that it gets from the callback.
  db.begin(async (sql) => {
    await sql`set local statement_timeout = 0`;
    await sql`select pg_advisory_xact_lock(${migrationLock})`;
    return { result: await work(sql) };
  });

const listMissing = async (db: Database): Promise<string[]> => {
  const files = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  const { result: applied } = await migrating(db, async (sql) => {
    await sql`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`;
    return sql<{ name: string }[]>`select name from migrations`;
  });
  return files.filter((file) => !applied.some(({ name }) => name === file));
};

type Migration = { name: string; statements: string };

/** Tries until its tables are free for a moment; whether it was applied now, for another process may have been first. */
const apply = async (
  db: Database,
  migration: Migration,
  { patienceMs, onWait }: Required<MigrateOptions>,
): Promise<boolean> => {
  const { name } = migration;
  const since = performance.now();
  for (let pause = pauseMs.first; ; pause = Math.min(2 * pause, pauseMs.longest)) {
    try {
      return await applyOnce(db, migration);
    } catch (error) {
      if (!isInUse(error)) throw new Error(`migration ${name} failed`, { cause: error });
      const waitedMs = Math.round(performance.now() - since);
      if (waitedMs >= patienceMs) {
        throw new Error(`migration ${name} has found its tables in use for ${waitedMs} ms`, { cause: error });
      }
      onWait({ migration: name, waitedMs });
      await sleep(pause);
    }
  }
};

const applyOnce = async (db: Database, { name, statements }: Migration): Promise<boolean> => {
  const { result } = await migrating(db, async (sql) => {
    const there = await sql`select from migrations where name = ${name}`;
    if (there.length > 0) return false;
    await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`;
    await sql.unsafe(statements);
    await sql`insert into migrations (name) values (${name})`;
    return true;
  });
  return result;
};
