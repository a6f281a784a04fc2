import { readdir, readFile } from 'node:fs/promises';
import type { Database, Sql } from './connect.ts';

const folder = new URL('../../../migrations/', import.meta.url);

/** Any number, the same in every version: whoever holds it migrates, the others wait. */
const migrationLock = 7_205_759;

/** How far ahead the weekly partitions of the logs are made, in days. */
const partitionDaysAhead = 35;

/** Makes the partitions of the logs that the coming weeks need; cheap when they are there. */
export const createLogPartitions = async (sql: Sql): Promise<void> => {
  await sql`select log_partitions(now() - interval '7 days', now() + make_interval(days => ${partitionDaysAhead}))`;
};

/**
 * Brings the schema up to this version: each file of migrations/ once, in order, each in a transaction of its own, under
 * a lock, so that any number of processes may start at the same time. Returns the names of the files applied now.
 */
export const migrate = async (db: Database): Promise<string[]> => {
  const files = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  const connection = await db.reserve();
  try {
    await connection`set statement_timeout = 0`;
    await connection`select pg_advisory_lock(${migrationLock})`;
    await connection`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`;
    const applied = await connection<{ name: string }[]>`select name from migrations`;
    const missing = files.filter((file) => !applied.some(({ name }) => name === file));
    for (const name of missing) await apply(connection, name);
    await createLogPartitions(connection);
    return missing;
  } finally {
    await connection`select pg_advisory_unlock(${migrationLock})`.catch(() => {});
    await connection`reset statement_timeout`.catch(() => {});
    connection.release();
  }
};

const apply = async (sql: Sql, name: string): Promise<void> => {
  const statements = await readFile(new URL(name, folder), 'utf8');
  await sql`begin`;
  try {
    await sql.unsafe(statements);
    await sql`insert into migrations (name) values (${name})`;
    await sql`commit`;
  } catch (error) {
    await sql`rollback`;
    throw new Error(`migration ${name} failed`, { cause: error });
  }
};
