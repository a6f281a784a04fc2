import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogPartitions } from '../../../src/shared/db/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

const partitions = async (): Promise<string[]> => {
  const rows = await database.db<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass order by 1`;
  return rows.map(({ name }) => name);
};

const makeUntil = (days: number) => database.db`select log_partitions(now(), now() + make_interval(days => ${days}))`;

test('the coming weeks are there, and making them again changes nothing', async () => {
  const before = await partitions();
  expect(before.length).toBeGreaterThanOrEqual(6);
  await createLogPartitions(database.db);
  expect(await partitions()).toEqual(before);
});

test('a week whose rows are in the default partition already stays there, and the others are made', async () => {
  const { db } = database;
  await db`
    insert into events (id, account_id, name, channel, data, occurred_at)
    values (uuid_from_time(now() + interval '70 days'), uuidv7(), 'new_contact', 'api', '{}', now())`;
  const before = await partitions();
  await makeUntil(100);
  // 35 days were there; of the weeks up to day 100 one is not to be had.
  expect((await partitions()).length - before.length).toBeGreaterThanOrEqual(7);
  expect(await db`select from events`).toHaveLength(1);
});

test('a reader of the log holds up no writer: a new week is given up after a second', async () => {
  const { db } = database;
  const reading = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const reader = db.begin(async (sql) => {
    await sql`select count(*) from events`;
    reading.resolve();
    await done.promise;
  });
  await reading.promise;
  const since = Date.now();
  const making = makeUntil(107);
  await db`
    insert into events (id, account_id, name, channel, data, occurred_at)
    values (uuidv7(), uuidv7(), 'new_contact', 'api', '{}', now())`;
  await making;
  expect(Date.now() - since).toBeLessThan(5_000);
  done.resolve();
  await reader;
});
