import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLogPartitions } from '../../../../src/shared/platform/db/migrate.ts';
import { createTransact } from '../../../../src/shared/platform/dispatch/transact.ts';
import { reactions } from '../../../../src/shared/reactions.ts';
import { withReactions } from '../../../../src/shared/facts/tell.ts';
import { dropWeek } from '../../../../src/shared/retention/weeks.ts';
import { createSecrets } from '../../../../src/shared/platform/secrets/seal.ts';
import { anAccount, insertWebhook } from '../../../helpers/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../../../helpers/database.ts';
import { aLongReader, heldUpAtMostMs, keepComparing, writeOnce } from '../../../helpers/log-traffic.ts';
import { anEventAt } from '../../../helpers/states/old-log.ts';
import { farFromMidnight } from '../../../helpers/midnight.ts';
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
  await farFromMidnight();
  expect((await partitions()).length).toBeGreaterThanOrEqual(6);
  // The template of the tests may be of last week.
  await createLogPartitions(database.db);
  const before = await partitions();
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
  const writing = await keepComparing(db, () => transact((tx) => tx.tell({ ...event, occurredAt: new Date() })));
  const [{ week }] = await db<[{ week: string }]>`
    select to_char(date_trunc('week', now()) + interval '28 days', 'YYYY-MM-DD') as week`;
  for (let dropped = 0; dropped < 20 || writing.written() < 100;) {
    if ((await dropWeek(db, week)) === 'dropped') dropped += 1;
    await createLogPartitions(db);
  }
  const { heldUpMs } = await writing.stop();
  expect(heldUpMs).toBeLessThan(heldUpAtMostMs);
});

type Lock = { log: string; granted: boolean };

test.each([
  { log: 'events', locked: [{ log: 'events', granted: false }] },
  {
    log: 'deliveries',
    locked: [
      { log: 'deliveries', granted: false },
      { log: 'events', granted: true },
    ],
  },
])(
  'the logs are locked in the order of those who write: while $log is in use, none behind it is locked',
  async ({ log, locked }) => {
    const { db } = database;
    const [{ week }] = await db<[{ week: string }]>`select to_char(date_trunc('week', now()), 'YYYY-MM-DD') as week`;
    await db.begin(async (sql) => {
      await sql`select from ${sql(log)} limit 0`;
      const seen = () => db<Lock[]>`
      select relation::regclass::text as log, granted from pg_locks
      where mode = 'AccessExclusiveLock' and locktype = 'relation' and database = (
        select oid from pg_database where datname = current_database())
      order by log`;
      // Each try gives up soon, on a slow machine perhaps before it was seen.
      const stopping = new AbortController();
      const dropping = (async () => {
        while (!stopping.signal.aborted) expect(await dropWeek(db, week)).toBe('in use');
      })();
      const atOnce = await vi.waitUntil(
        async () => {
          const locks = await seen();
          return locks.length > 0 && [...locks];
        },
        { timeout: 60_000, interval: 1 },
      );
      stopping.abort();
      await dropping;
      expect(atOnce).toEqual(locked);
    });
  },
);

test('a reader of the log holds up no writer: a new week is left to the next call', async () => {
  await farFromMidnight();
  const { db } = database;
  await createLogPartitions(db);
  const before = await partitions();
  const reader = await aLongReader(db);
  const writing = await keepComparing(db, () => writeOnce(db));
  await makeUntil(107);
  const { heldUpMs, written } = await writing.stop();
  expect(await partitions()).toEqual(before);
  expect(written).toBeGreaterThan(0);
  expect(heldUpMs).toBeLessThan(heldUpAtMostMs);
  await reader.end();
  await makeUntil(107);
  expect(await partitions()).toHaveLength(before.length + 1);
});
