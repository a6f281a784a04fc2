import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import type { Database, Sql } from './connect.ts';
import { isInUse } from './in-use.ts';

const folder = new URL('../../../../migrations/', import.meta.url);

/** The advisory lock of whoever migrates; the others wait. The number is the same in every version. */
const migrationLock = 7_205_759;

/**
 * The longest that a migration waits for a table at once, in ms, because everybody else waits behind it. It is less than
 * PostgreSQL's deadlock_timeout of a second: when a migration and a writer block each other, the migration gives way. A migration
 * alters only one table that is in use. With two, whoever waits behind it for the first might hold the second, each time.
 */
const lockTimeoutMs = 200;

/** The pause between two tries of a migration, in ms. It doubles up to `longest`. */
const pauseMs = { first: 500, longest: 10_000 };

/** How far ahead the weekly partitions of the logs are made, in days. */
const partitionDaysAhead = 35;

/** Makes the partitions of the logs for the coming weeks. Cheap when they are there. */
export const createLogPartitions = async (sql: Sql): Promise<void> => {
  await sql`select log_partitions(now() - interval '7 days', now() + make_interval(days => ${partitionDaysAhead}))`;
};

export type MigrateOptions = {
  /** How long a migration waits for its tables, which a backup may hold, before it fails, in ms. */
  patienceMs?: number;
  /** Called after each try that found its tables in use. */
  onWait?: (wait: { migration: string; waitedMs: number }) => void;
};

/**
 * Brings the schema up to this version. Each file of migrations/ is applied once, in order, in a transaction of its own. A lock lets any
 * number of processes start at the same time, and processes of the version before go on serving. Returns the names of the files
 * applied now. Throws when one fails; those before it stay applied.
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

/** Runs `work` in a transaction under the migration lock, without a statement timeout. */
const migrating = <Result>(
  db: Database,
  work: (sql: postgres.TransactionSql) => Promise<Result>,
): Promise<{ result: Result }> =>
  // postgres.js unwraps an array that the callback returns, so the result stands in an object.
  db.begin(async (sql) => {
    await sql`set local statement_timeout = 0`;
    await sql`select pg_advisory_xact_lock(${migrationLock})`;
    return { result: await work(sql) };
  });

/** The names of this version's migrations, in their order. The folder also has `schema.sql`, which is to be read and never applied. */
export const listMigrations = async (): Promise<string[]> =>
  (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();

const listMissing = async (db: Database): Promise<string[]> => {
  const files = await listMigrations();
  const { result: applied } = await migrating(db, async (sql) => {
    await sql`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`;
    return sql<{ name: string }[]>`select name from migrations`;
  });
  return files.filter((file) => !applied.some(({ name }) => name === file));
};

type Migration = { name: string; statements: string };

/** Tries until its tables are free for a moment. Answers whether it was applied now: another process may have been first. */
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
