import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { inject, vi } from 'vitest';
import { connectDatabase, type Database, type DatabaseTarget, type Sql } from '../../src/shared/platform/db/connect.ts';
import { giveMovableClock, movableClockSettings } from './movable-clock.ts';

export type TestDatabase = {
  target: DatabaseTarget;
  db: Database;
  /** Cuts all connections and lets nobody in until `open`: PostgreSQL is away for whoever uses this database. */
  shut: () => Promise<void>;
  open: () => Promise<void>;
  drop: () => Promise<void>;
};

/**
 * A database of the caller's own, empty, on the server of this test run; migrated unless told otherwise. With `movesClock` it has a clock that the
 * test moves. Drop it when the file is done.
 */
export const createTestDatabase = async ({ migrated = true, movesClock = false } = {}): Promise<TestDatabase> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const target = movesClock ? `${urlOf(name)}${movableClockSettings}` : urlOf(name);
  const template = migrated ? 'template' : 'template0';
  await asAdmin((sql) => sql`create database ${sql(name)} template ${sql(template)} strategy file_copy`);
  const db = connectDatabase(target, { max: 10 });
  if (movesClock) await giveMovableClock(db);
  const drop = async () => {
    await db.end({ timeout: 5 });
    await asAdmin((sql) => sql`drop database ${sql(name)} with (force)`);
  };
  return {
    target,
    db,
    shut: () =>
      asAdmin(async (sql) => {
        await sql`alter database ${sql(name)} with allow_connections false`;
        await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
      }),
    open: () => asAdmin((sql) => sql`alter database ${sql(name)} with allow_connections true`),
    drop,
  };
};

/** Resolves when somebody waits for another's lock in this database, one of several that tests use at the same time. */
export const untilSomebodyWaits = async (db: Database): Promise<void> => {
  const waiting = () => db`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await vi.waitUntil(async () => (await waiting()).count > 0, { timeout: 60_000, interval: 10 });
};

/** Of another database on the server of this run. */
const urlOf = (database: string): DatabaseTarget => inject('templateUrl').replace(/[^/]+$/, database);

/** Of this worker, with which it ends: to connect costs as much as to drop a database. */
let admin: Database | undefined;

const asAdmin = async (statement: (sql: Database) => Promise<unknown>): Promise<void> => {
  await statement((admin ??= connectDatabase(urlOf('postgres'), { max: 1 })));
};

/** Rows of a log, or of runs, that PostgreSQL fetches while `work` runs on this connection: what it costs, whatever else the machine does. */
export const rowsTouched = async (
  db: Database,
  log: 'deliveries' | 'attempts' | 'runs',
  work: (sql: Sql) => Promise<unknown>,
): Promise<number> => {
  const { touched } = await db.begin(async (sql) => {
    // It counts what this connection did before as well, until that is reported.
    const count = async () => {
      const [row] = await sql<{ touched: number }[]>`
        select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as touched
        from pg_stat_xact_user_tables where relname like ${`${log}%`}`;
      return row?.touched ?? 0;
    };
    const before = await count();
    await work(sql);
    return { touched: (await count()) - before };
  });
  return touched;
};

/** A connection to this database, of which `tell` hears each statement. */
export const connectOverheard = (target: DatabaseTarget, tell: (statement: string) => void): Database => {
  // A socket's folder stands in the url in the place of the host.
  const host = decodeURIComponent(URL.parse(target)?.hostname ?? '');
  return postgres(target, {
    ...(host.startsWith('/') && { host }),
    max: 1,
    transform: { column: postgres.camel.column },
    debug: (_, statement) => tell(statement),
  });
};
