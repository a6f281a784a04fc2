import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogPartitions } from '../../../../src/shared/platform/db/migrate.ts';
import { createTransact } from '../../../../src/shared/platform/dispatch/transact.ts';
import { reactions } from '../../../../src/shared/reactions.ts';
import { emitEvent, withReactions } from '../../../../src/shared/events/emit.ts';
import { dropWeek } from '../../../../src/shared/retention/weeks.ts';
import { createSecrets } from '../../../../src/shared/platform/secrets/seal.ts';
import { anAccount, insertWebhook } from '../../../helpers/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../../../helpers/database.ts';
import { aLongReader, keepWriting, writeOnce } from '../../../helpers/log-traffic.ts';
import { anEventAt } from '../../../helpers/states/old-log.ts';
import { newUuid } from '../../../../src/shared/ids.ts';
import { createContact } from '../../../../src/shared/contacts/queries.ts';

const secrets = createSecrets(randomBytes(32));

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

test('the list of the logs names every table that is partitioned: weeks are made and dropped, and old rows deleted, by it', async () => {
  const { db } = database;
  const listed = await db`select log as name from partitioned_logs() order by log`;
  expect(listed).toEqual(await db`select relname as name from pg_class where relkind = 'p' order by relname`);
});

test('the coming weeks are there, and making them again changes nothing', async () => {
  const before = await partitions();
  expect(before.length).toBeGreaterThanOrEqual(6);
  await createLogPartitions(database.db);
  expect(await partitions()).toEqual(before);
});

test('a week whose rows are in the default partition already stays there, and the others are made', async () => {
  const { db } = database;
  await anEventAt(db, newUuid(), new Date(Date.now() + 70 * 86_400_000));
  const before = await partitions();
  await makeUntil(100);
  // 35 days were there; of the weeks up to day 100 one is not to be had.
  expect((await partitions()).length - before.length).toBeGreaterThanOrEqual(7);
  expect(await db`select from events`).toHaveLength(1);
});

test('weeks that are made and dropped under load meet no writer in a deadlock, and hold none up for long', async () => {
  const { db } = database;
  const { accountId } = await anAccount({ db, secrets });
  await insertWebhook({ db, secrets }, { accountId, url: 'https://receiver.example/hook' });
  const transact = withReactions(
    reactions,
    createTransact(db, () => {}),
  );
  const { id: contactId } = await transact((tx) => createContact(tx, accountId, {}));
  const event = { accountId, contactId, name: 'new_contact' } as const;
  const writing = keepWriting(() => transact((tx) => emitEvent(tx, { ...event, occurredAt: new Date() })));
  const [{ week }] = await db<[{ week: string }]>`
    select to_char(date_trunc('week', now()) + interval '28 days', 'YYYY-MM-DD') as week`;
  for (let dropped = 0; dropped < 20 || writing.written() < 100;) {
    if ((await dropWeek(db, week)) === 'dropped') dropped += 1;
    await createLogPartitions(db);
  }
  const { slowestMs } = await writing.stop();
  expect(slowestMs).toBeLessThan(500);
}, 30_000);

test('a reader of the log holds up no writer: a new week is left to the next call', async () => {
  const { db } = database;
  await createLogPartitions(db);
  const before = await partitions();
  const reader = await aLongReader(db);
  const writing = keepWriting(() => writeOnce(db));
  await makeUntil(107);
  const { slowestMs, written } = await writing.stop();
  expect(await partitions()).toEqual(before);
  expect(written).toBeGreaterThan(0);
  expect(slowestMs).toBeLessThan(500);
  await reader.end();
  await makeUntil(107);
  expect(await partitions()).toHaveLength(before.length + 1);
});
