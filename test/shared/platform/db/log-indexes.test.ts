import { afterEach, beforeEach, expect, test } from 'vitest';
import { completeLogIndexes } from '../../../../src/shared/platform/db/log-indexes.ts';
import { rotatingAlone } from '../../../../src/shared/platform/secrets/rotate.ts';
import { createTestDatabase, type TestDatabase, untilSomebodyWaits } from '../../../helpers/database.ts';
import { aLongReader, heldUpAtMostMs, keepComparing, writeOnce } from '../../../helpers/log-traffic.ts';
import { manyDeliveries } from '../../../helpers/deliveries.ts';
import { newUuid } from '../../../../src/shared/ids.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(() => database.drop());

/** Enough rows of this week for a build to be left for later. */
const fill = (): Promise<void> => {
  const rows = { accountId: newUuid(), webhookId: newUuid(), status: 'delivered', bodyBytes: 500 } as const;
  return manyDeliveries(database.db, { ...rows, count: 20_000 });
};

const addIndex = () => database.db`select add_log_index('deliveries_body', 'deliveries', '(octet_length(body), id)')`;

const isComplete = async (): Promise<boolean> => {
  const [row] = await database.db<{ indisvalid: boolean }[]>`
    select indisvalid from pg_index where indexrelid = 'deliveries_body'::regclass`;
  return row?.indisvalid ?? false;
};

test('an index of small logs is there with the migration that adds it', async () => {
  await addIndex();
  expect(await isComplete()).toBe(true);
});

test('an index of a large log is built while everybody writes, and later partitions have it from the start', async () => {
  await fill();
  const writing = await keepComparing(database.db, () => writeOnce(database.db));
  await addIndex();
  expect(await isComplete()).toBe(false);
  const built = await completeLogIndexes(database.db);
  const { heldUpMs } = await writing.stop();
  expect(built).toBe(1);
  expect(await isComplete()).toBe(true);
  expect(heldUpMs).toBeLessThan(heldUpAtMostMs);
  await database.db`select log_partitions(now(), now() + interval '60 days')`;
  expect(await isComplete()).toBe(true);
  expect(await completeLogIndexes(database.db)).toBe(0);
});

/** A build that cannot end, since a transaction is older than it; `giveUp` does what a stop of the process does. */
const startWaitingBuild = async () => {
  const { db } = database;
  await fill();
  await addIndex();
  const reader = await aLongReader(db);
  const stopping = new AbortController();
  const cutOff = completeLogIndexes(db, stopping.signal).catch(String);
  const builder = () => db<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database() and query like 'create index concurrently%' and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await builder()).length, { timeout: 60_000, interval: 10 }).toBe(1);
  const giveUp = async (): Promise<unknown> => {
    stopping.abort();
    const outcome = await cutOff;
    await reader.end();
    return outcome;
  };
  return { giveUp };
};

test('a build that waits for a long transaction is given up at a stop, and made anew later', async () => {
  const build = await startWaitingBuild();
  expect(await build.giveUp()).toMatch(/canceling statement/);
  expect(await completeLogIndexes(database.db)).toBe(1);
  expect(await isComplete()).toBe(true);
});

test('the master key can be rotated while an index is built', async () => {
  const build = await startWaitingBuild();
  const outcome = await rotatingAlone(database.db, async () => 'rotated').catch(String);
  await build.giveUp();
  expect(outcome).toBe('rotated');
});

test('an index that is built holds up nobody while a transaction is open that has read its partition; a later call goes on', async () => {
  const { db } = database;
  await fill();
  await addIndex();
  const before = await aLongReader(db);
  const completing = completeLogIndexes(db);
  await untilSomebodyWaits(db);
  const reader = await db.reserve();
  // As psql asks: without a snapshot that the build would wait for.
  await reader`begin`.simple();
  await reader`select count(*) from deliveries`.simple();
  await before.end();
  const writing = await keepComparing(db, () => writeOnce(db));
  expect(await completing).toBe(0);
  const { heldUpMs } = await writing.stop();
  expect(heldUpMs).toBeLessThan(heldUpAtMostMs);
  expect(await isComplete()).toBe(false);
  await reader`commit`.simple();
  reader.release();
  expect(await completeLogIndexes(db)).toBe(1);
  expect(await isComplete()).toBe(true);
});

test('one process builds at a time', async () => {
  await fill();
  await addIndex();
  const built = await Promise.all([1, 2, 3].map(() => completeLogIndexes(database.db)));
  expect(built.filter((count) => count > 0)).toEqual([1]);
});
