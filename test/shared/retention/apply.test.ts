import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../src/shared/platform/db/connect.ts';
import { endRound, findRoundProgress } from '../../../src/shared/deliveries/rounds.ts';
import type { DeliveryStatus } from '../../../src/shared/deliveries/types.ts';
import { newUuid } from '../../../src/shared/ids.ts';
import { applyRetention } from '../../../src/shared/retention/apply.ts';
import { listOldWeeks } from '../../../src/shared/retention/weeks.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { aLongReader, keepWriting, writeOnce } from '../../helpers/log-traffic.ts';

let database: TestDatabase;
let db: Database;

beforeEach(async () => {
  database = await createTestDatabase();
  ({ db } = database);
});

afterEach(() => database.drop());

const retentionDays = 90;
const accountId = newUuid();

/** The partitions of the week that holds the day so many days ago. */
const aWeek = (daysAgo: number) => db`
  select log_partitions(day, day) from (select now() - make_interval(days => ${daysAgo}) as day) as days`;

type Old = { daysAgo: number; status?: DeliveryStatus; inProgress?: boolean; count?: number };

/** Deliveries with an event and an attempt each, as they would be so many days later; answers the UUID of one. */
const oldDeliveries = async ({
  daysAgo,
  status = 'delivered',
  inProgress = false,
  count = 1,
}: Old): Promise<string> => {
  const [row] = await db<{ id: string }[]>`
    with made as materialized (
      select uuidv7(make_interval(days => ${-daysAgo})) as id from generate_series(1, ${count})
    ), event as (
      insert into events (id, account_id, name, channel, data, occurred_at)
      select id, ${accountId}, 'new_message', 'api', '{"text":"hello"}', now() from made
    ), attempt as (
      insert into attempts (delivery_id, round, kind, number, account_id, webhook_id, outcome, started_at, duration_ms)
      select id, 1, 'scheduled', 1, ${accountId}, ${accountId}, 'succeeded', now(), 5 from made
    )
    insert into deliveries (id, account_id, webhook_id, event_id, event_name, variant, body, status, sweep_at)
    select id, ${accountId}, ${accountId}, id, 'new_message', 'api', '{"event":"new_message"}', ${status},
      ${inProgress ? db`now()` : null} from made
    returning id`;
  return row?.id ?? '';
};

/** In which of the logs there is a row of this id. */
const whereIs = async (id: string): Promise<string[]> => {
  const rows = await db<{ log: string }[]>`
    select 'deliveries' as log from deliveries where id = ${id} union all
    select 'events' from events where id = ${id} union all
    select 'attempts' from attempts where delivery_id = ${id}`;
  return rows.map(({ log }) => log);
};

const everywhere = ['deliveries', 'events', 'attempts'];

/** So many tries, and so short after each other, that one comes while the test waits for it. */
const soon = Array.from({ length: 100 }, () => 50);

const dropsWaiting = async (): Promise<number> =>
  (
    await db`select from pg_locks where not granted and mode = 'AccessExclusiveLock' and database = (
    select oid from pg_database where datname = current_database())`
  ).length;

test('a whole week older than the retention goes, parked deliveries too; a younger one stays', async () => {
  for (const daysAgo of [120, 99, 80]) await aWeek(daysAgo);
  const gone = [await oldDeliveries({ daysAgo: 120 }), await oldDeliveries({ daysAgo: 120, status: 'parked' })];
  const [week] = await listOldWeeks(db, retentionDays);
  const { bytes } = week ?? { bytes: 0 };
  const younger = await oldDeliveries({ daysAgo: 80 });
  const report = await applyRetention(db, { retentionDays });
  expect(report).toMatchObject({ weeksDropped: 2, weeksInProgress: 0, weeksInUse: 0, rowsDeleted: 0 });
  expect(report.bytesFreed).toBeGreaterThan(bytes);
  for (const id of gone) expect(await whereIs(id)).toEqual([]);
  expect(await whereIs(younger)).toEqual(everywhere);
  expect(await listOldWeeks(db, retentionDays)).toEqual([]);
  expect(await applyRetention(db, { retentionDays })).toMatchObject({ weeksDropped: 0 });
});

test('a week stays until its last moment is older than the retention', async () => {
  const [{ daysAgo }] = await db<[{ daysAgo: number }]>`
    select 98 + current_date - date_trunc('week', now())::date as days_ago`;
  await aWeek(daysAgo);
  const ofMonday = await oldDeliveries({ daysAgo });
  // The retention reaches into the week's Sunday, then into the Monday after it.
  expect(await applyRetention(db, { retentionDays: daysAgo - 6 })).toMatchObject({ weeksDropped: 0 });
  expect(await whereIs(ofMonday)).toEqual(everywhere);
  expect(await applyRetention(db, { retentionDays: daysAgo - 7 })).toMatchObject({ weeksDropped: 1 });
  expect(await whereIs(ofMonday)).toEqual([]);
});

test('a week with a round in progress stays whole until the round has ended', async () => {
  await aWeek(130);
  const finished = await oldDeliveries({ daysAgo: 130 });
  const replayed = await oldDeliveries({ daysAgo: 130, inProgress: true });
  expect(await applyRetention(db, { retentionDays })).toMatchObject({
    weeksDropped: 0,
    weeksInProgress: 1,
    roundsInProgress: 1,
  });
  for (const id of [finished, replayed]) expect(await whereIs(id)).toEqual(everywhere);
  await endRound(db, { deliveryId: replayed, round: 1 }, 'failed');
  expect(await applyRetention(db, { retentionDays })).toMatchObject({ weeksDropped: 1, weeksInProgress: 0 });
  expect(await findRoundProgress(db, { deliveryId: replayed, round: 1 })).toBeUndefined();
});

test('a replay that begins just before the drop is seen by it, and the week stays', async () => {
  await aWeek(130);
  const id = await oldDeliveries({ daysAgo: 130 });
  const begun = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const replay = db.begin(async (sql) => {
    await sql`update deliveries set round = round + 1, sweep_at = now() where id = ${id}`;
    begun.resolve();
    await commit.promise;
  });
  await begun.promise;
  const running = applyRetention(db, { retentionDays, pausesMs: soon });
  await expect.poll(dropsWaiting, { interval: 5 }).toBe(1);
  commit.resolve();
  // None was in progress when it looked first: it was seen under the lock.
  expect(await running).toMatchObject({ weeksDropped: 0, weeksInProgress: 1, roundsInProgress: 0 });
  await replay;
  expect(await whereIs(id)).toEqual(everywhere);
  await db`update deliveries set sweep_at = null where id = ${id}`;
  await applyRetention(db, { retentionDays });
});

/** A week of 200,000 deliveries; its indexes come after the rows, which is faster. */
const aLargeWeek = async (daysAgo: number): Promise<void> => {
  const [{ week, nextWeek }] = await db<[{ week: string; nextWeek: string }]>`
    select to_char(monday, 'YYYYMMDD') as week, to_char(monday + interval '7 days', 'YYYYMMDD') as next_week
    from (select date_trunc('week', now() - make_interval(days => ${daysAgo})) as monday) as weeks`;
  await db.unsafe(`
    create table deliveries_${week} (like deliveries including defaults including constraints including generated);
    insert into deliveries_${week} (id, account_id, webhook_id, event_id, event_name, variant, body, status)
      select uuidv7('${week}'::timestamptz - now() + i * interval '3 s'), '${accountId}', '${accountId}', '${accountId}',
        'new_message', 'api', '{"event":"new_message"}', 'delivered'
      from generate_series(1, 200000) i;
    alter table deliveries attach partition deliveries_${week}
      for values from (uuid_from_time('${week}')) to (uuid_from_time('${nextWeek}'));
    analyze deliveries_${week}`);
  await aWeek(daysAgo);
};

test('a week of 200,000 deliveries goes at once, and nobody who writes meanwhile waits for long', async () => {
  await aLargeWeek(140);
  const writing = keepWriting(() => writeOnce(db));
  const since = performance.now();
  const report = await applyRetention(db, { retentionDays });
  const tookMs = performance.now() - since;
  const { slowestMs, written } = await writing.stop();
  expect(report).toMatchObject({ weeksDropped: 1, weeksInUse: 0 });
  expect(report.deliveriesDropped).toBeGreaterThan(180_000);
  expect(tookMs).toBeLessThan(2_000);
  expect(written).toBeGreaterThan(0);
  expect(slowestMs).toBeLessThan(500);
}, 60_000);

test('a long reader makes it give up without holding up writers, and the next run drops what was left', async () => {
  for (const daysAgo of [140, 120]) await aWeek(daysAgo);
  const id = await oldDeliveries({ daysAgo: 140 });
  const reader = await aLongReader(db);
  const writing = keepWriting(() => writeOnce(db));
  const report = await applyRetention(db, { retentionDays, pausesMs: [50] });
  const { slowestMs, written } = await writing.stop();
  expect(report).toMatchObject({ weeksDropped: 0, weeksInUse: 2 });
  expect(written).toBeGreaterThan(0);
  expect(slowestMs).toBeLessThan(1_000);
  expect(await whereIs(id)).toEqual(everywhere);
  await reader.end();
  expect(await applyRetention(db, { retentionDays })).toMatchObject({ weeksDropped: 2, weeksInUse: 0 });
});

test('a run goes on as soon as the reader that was in its way has gone', async () => {
  await aWeek(140);
  const reader = await aLongReader(db);
  const running = applyRetention(db, { retentionDays, pausesMs: soon });
  await expect.poll(dropsWaiting, { interval: 5 }).toBe(1);
  // The first try has given up.
  await expect.poll(dropsWaiting, { interval: 5 }).toBe(0);
  await reader.end();
  expect(await running).toMatchObject({ weeksDropped: 1, weeksInUse: 0 });
});

test('old rows outside the weeks go row by row: but none in progress, nor the attempts of one', async () => {
  const gone = await oldDeliveries({ daysAgo: 400 });
  const inProgress = await oldDeliveries({ daysAgo: 400, inProgress: true });
  const report = await applyRetention(db, { retentionDays });
  expect(await whereIs(gone)).toEqual([]);
  expect(await whereIs(inProgress)).toEqual(['deliveries', 'attempts']);
  expect(report.rowsDeleted).toBe(4);
});

test('old mails and bulk replays go when they are over; those that are not stay', async () => {
  await db`insert into accounts (id, name, plan, webhook_secret) values (${accountId}, 'Acme', 'pro', '')`;
  const aMail = (status: string, daysAgo: number) => db`
    insert into mails (id, account_id, kind, dedup_key, recipient, subject, body, status)
    values (uuidv7(make_interval(days => ${-daysAgo})), ${accountId}, 'webhook_disabled', uuidv7()::text, 'a@example.com', '', '', ${status})`;
  await aMail('sent', 100);
  await aMail('refused', 100);
  await aMail('pending', 100);
  await aMail('sent', 80);
  const aReplay = (status: string, daysAgo: number) => db`
    insert into replays (id, account_id, variants, statuses, pace, status, total, sweep_at)
    values (uuidv7(make_interval(days => ${-daysAgo})), ${accountId}, '{api}', '{failed}', 1, ${status}, 0,
      case when ${status} = 'running' then now() end)`;
  await aReplay('finished', 100);
  await aReplay('cancelled', 100);
  await aReplay('running', 100);
  await aReplay('finished', 80);
  expect(await applyRetention(db, { retentionDays })).toMatchObject({ rowsDeleted: 4 });
  expect(await db`select status from mails order by id`).toEqual([{ status: 'pending' }, { status: 'sent' }]);
  expect(await db`select status from replays order by id`).toEqual([{ status: 'running' }, { status: 'finished' }]);
});
