import { readdir, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectDatabase } from '../../../src/shared/db/connect.ts';
import { createLogPartitions, migrate } from '../../../src/shared/db/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { aLongReader, keepWriting, writeOnce } from '../../helpers/log-traffic.ts';

const migrations = new URL('../../../migrations/', import.meta.url);

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase({ migrated: false });
});

afterEach(() => database.drop());

const applied = async (): Promise<string[]> => {
  const rows = await database.db<{ name: string }[]>`select name from migrations order by name`;
  return rows.map(({ name }) => name);
};

/** The schema of 0.1.0, with rows in it. */
const installFirstVersion = async () => {
  const { db } = database;
  await db.unsafe(await readFile(new URL('0001_core.sql', migrations), 'utf8'));
  await db`create table migrations (name text primary key, applied_at timestamptz not null default now())`;
  await db`insert into migrations (name) values ('0001_core.sql')`;
  await createLogPartitions(db);
  for (let row = 0; row < 20; row += 1) await writeOnce(db);
};

test('processes that start together apply each migration once, and all of them go on', async () => {
  const processes = Array.from({ length: 4 }, () => connectDatabase(database.target, { max: 2 }));
  try {
    const done = await Promise.all(processes.map((db) => migrate(db)));
    const all = (await readdir(migrations)).toSorted();
    expect(done.flat().toSorted()).toEqual(all);
    expect(await applied()).toEqual(all);
  } finally {
    await Promise.all(processes.map((db) => db.end()));
  }
});

test('a reader that never seems to end holds up the migration, and nobody else; it goes on when the reader is done', async () => {
  const { db } = database;
  await installFirstVersion();
  const reader = await aLongReader(db);
  const writing = keepWriting(() => writeOnce(db));
  const waits: { migration: string; waitedMs: number }[] = [];
  const migrating = migrate(db, { onWait: (wait) => waits.push(wait) });
  await expect.poll(() => waits.length, { timeout: 5_000, interval: 10 }).toBe(2);
  await reader.end();
  expect(await migrating).toEqual((await readdir(migrations)).toSorted().slice(1));
  const { slowestMs, written } = await writing.stop();
  expect(waits[0]).toEqual({ migration: '0004_traceparent.sql', waitedMs: expect.any(Number) });
  expect(written).toBeGreaterThan(0);
  expect(slowestMs).toBeLessThan(500);
}, 20_000);

test('one that never finds its tables free fails, and keeps what was applied before it; the next start goes on', async () => {
  const { db } = database;
  await installFirstVersion();
  const reader = await aLongReader(db);
  await expect(migrate(db, { patienceMs: 0 })).rejects.toThrow(/^migration 0004_\w+\.sql has found its tables in use/);
  await reader.end();
  expect(await applied()).toEqual(['0001_core.sql', '0002_replays.sql', '0003_retention.sql']);
  await migrate(db);
  expect(await applied()).toEqual((await readdir(migrations)).toSorted());
});

test('one that loses its connection fails, with nothing half applied and its lock free for the next', async () => {
  const { db } = database;
  await installFirstVersion();
  const reader = await aLongReader(db);
  const lost = connectDatabase(database.target, { max: 2 });
  const failing = migrate(lost).catch(String);
  const cutOff = async () =>
    (
      await db`
        select pg_terminate_backend(pid) from pg_locks
        where not granted and database = (select oid from pg_database where datname = current_database())`
    ).length;
  await expect.poll(cutOff, { timeout: 10_000, interval: 5 }).toBe(1);
  expect(await failing).toMatch(/^Error: migration 0004_traceparent\.sql failed$/);
  await reader.end();
  expect(await migrate(db)).toEqual(expect.arrayContaining(['0004_traceparent.sql']));
  await lost.end({ timeout: 1 });
});
