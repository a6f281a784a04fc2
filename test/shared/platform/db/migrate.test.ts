import { readdir, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectDatabase } from '../../../../src/shared/platform/db/connect.ts';
import { createLogPartitions, listMigrations, migrate } from '../../../../src/shared/platform/db/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../../../helpers/database.ts';
import { aLongReader, heldUpAtMostMs, keepComparing, keepWriting, writeOnce } from '../../../helpers/log-traffic.ts';

const migrations = new URL('../../../../migrations/', import.meta.url);

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase({ migrated: false });
});

afterEach(() => database.drop());

const applied = async (): Promise<string[]> => {
  const rows = await database.db<{ name: string }[]>`select name from migrations order by name`;
  return rows.map(({ name }) => name);
};

/** The schema of 0.1.0, or of as many migrations as that, with rows in it. */
const installFirstVersion = async ({ last = '0001_core.sql' } = {}) => {
  const { db } = database;
  await db`create table migrations (name text primary key, applied_at timestamptz not null default now())`;
  for (const name of (await listMigrations()).filter((file) => file <= last)) {
    await db.unsafe(await readFile(new URL(name, migrations), 'utf8'));
    await db`insert into migrations (name) values (${name})`;
  }
  await createLogPartitions(db);
  for (let row = 0; row < 20; row += 1) await writeOnce(db);
};

/** Messages that come in and attempts that are made, again and again, with the tables of each in the order of the service. */
const keepServing = async () => {
  const { db } = database;
  const [ids] = await db<{ channelId: string; contactId: string; accountId: string; conversationId: string }[]>`
    with account as (insert into accounts (name, plan, webhook_secret) values ('Acme', 'pro', '') returning id),
    channel as (insert into channels (account_id, type, name) select id, 'api', 'App' from account returning id),
    contact as (insert into contacts (account_id) select id from account returning id),
    conversation as (
      insert into conversations (account_id, contact_id, channel_id)
      select account.id, contact.id, channel.id from account, contact, channel returning id)
    select account.id as account_id, channel.id as channel_id, contact.id as contact_id, conversation.id as conversation_id
    from account, channel, contact, conversation`;
  if (!ids) throw new Error('nothing was inserted');
  const { accountId, channelId, contactId, conversationId } = ids;
  const receive = () =>
    db.begin(async (sql) => {
      await sql`
        insert into messages (account_id, conversation_id, contact_id, channel_id, direction, text, external_id)
        values (${accountId}, ${conversationId}, ${contactId}, ${channelId}, 'inbound', 'Hello', uuidv7()::text)`;
      await sql`select from webhooks w join accounts a on a.id = w.account_id where w.account_id = ${accountId}`;
      await writeOnce(sql);
    });
  const findDue = () => db`
    select from deliveries d join webhooks w on w.id = d.webhook_id join accounts a on a.id = d.account_id
    where d.id = uuidv7()`;
  return [keepWriting(receive), keepWriting(receive), keepWriting(findDue)];
};

test('every file of migrations/ but schema.sql is a migration', async () => {
  expect([...(await listMigrations()), 'schema.sql']).toEqual((await readdir(migrations)).toSorted());
});

test('processes that start together apply each migration once, and all of them go on', async () => {
  const processes = Array.from({ length: 4 }, () => connectDatabase(database.target, { max: 2 }));
  try {
    const done = await Promise.all(processes.map((db) => migrate(db)));
    const all = await listMigrations();
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
  const writing = await keepComparing(db, () => writeOnce(db));
  const waits: { migration: string; waitedMs: number }[] = [];
  const migrating = migrate(db, { onWait: (wait) => waits.push(wait) });
  await expect.poll(() => waits.length, { timeout: 60_000, interval: 10 }).toBe(2);
  await reader.end();
  expect(await migrating).toEqual((await listMigrations()).slice(1));
  const { heldUpMs, written } = await writing.stop();
  expect(waits[0]).toEqual({ migration: '0004_traceparent.sql', waitedMs: expect.any(Number) });
  expect(written).toBeGreaterThan(0);
  expect(heldUpMs).toBeLessThan(heldUpAtMostMs);
});

test('an upgrade from 0.2 finds its tables free while messages come in and attempts are made without a pause', async () => {
  const last = '0006_log_partitions.sql';
  await installFirstVersion({ last });
  const serving = await keepServing();
  const migrated = await migrate(database.db, { patienceMs: 8_000 }).catch(String);
  const served = await Promise.all(serving.map((kind) => kind.stop()));
  expect(migrated).toEqual((await listMigrations()).filter((file) => file > last));
  for (const { written } of served) expect(written).toBeGreaterThan(0);
});

test('one that never finds its tables free fails, and keeps what was applied before it; the next start goes on', async () => {
  const { db } = database;
  await installFirstVersion();
  const reader = await aLongReader(db);
  await expect(migrate(db, { patienceMs: 0 })).rejects.toThrow(/^migration 0004_\w+\.sql has found its tables in use/);
  await reader.end();
  expect(await applied()).toEqual(['0001_core.sql', '0002_replays.sql', '0003_retention.sql']);
  await migrate(db);
  expect(await applied()).toEqual(await listMigrations());
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
  await expect.poll(cutOff, { timeout: 60_000, interval: 5 }).toBe(1);
  expect(await failing).toMatch(/^Error: migration 0004_traceparent\.sql failed$/);
  await reader.end();
  expect(await migrate(db)).toEqual(expect.arrayContaining(['0004_traceparent.sql']));
  await lost.end({ timeout: 1 });
});

test('custom fields in use become definitions by the type of their values; reserved keys, and keys beyond the most used 500, do not', async () => {
  const { db } = database;
  await installFirstVersion({ last: '0030_partitioned_logs.sql' });
  const [ada, grace] = await db<{ id: string }[]>`
    insert into accounts (name, plan, webhook_secret) values ('Ada', 'pro', ''), ('Grace', 'pro', '') returning id`;
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`f${String(n).padStart(3, '0')}`, n]));
  const contacts = [
    [ada?.id, { vip: true, orders: 3, note: 'likes engines', size: 'M', email: 'b@example.com' }],
    [ada?.id, { orders: 0.5, size: 7 }],
    [ada?.id, {}],
    [grace?.id, many],
    [grace?.id, { f500: 'text' }],
  ] as const;
  for (const [accountId, fields] of contacts) {
    await db`insert into contacts (account_id, custom_fields) values (${accountId ?? null}, ${db.json(fields)})`;
  }
  await migrate(db);
  expect(
    await db`select key, name, type, options, default_value from custom_fields where account_id = ${ada?.id ?? null} order by key`,
  ).toEqual(
    [
      ['note', 'text'],
      ['orders', 'number'],
      ['size', 'json'],
      ['vip', 'boolean'],
    ].map(([key, type]) => ({ key, name: key, type, options: null, defaultValue: null })),
  );
  const kept = await db<{ key: string; type: string }[]>`
    select key, type from custom_fields where account_id = ${grace?.id ?? null} order by key desc limit 2`;
  expect(kept).toEqual([
    { key: 'f500', type: 'json' },
    { key: 'f498', type: 'number' },
  ]);
});
