import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../src/shared/platform/db/connect.ts';
import { endRound, takeOverRound } from '../../../src/shared/deliveries/rounds.ts';
import { newUuid } from '../../../src/shared/ids.ts';
import { insertChannel } from '../../../src/shared/messages/channels/queries.ts';
import { beginVisitor } from '../../../src/shared/messages/webchat/visitors.ts';
import { applyRetention } from '../../../src/shared/retention/apply.ts';
import { listOldWeeks } from '../../../src/shared/retention/weeks.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { aLongReader, heldUpAtMostMs, keepComparing, writeOnce } from '../../helpers/log-traffic.ts';
import { ageTokens } from '../../helpers/states/channels.ts';
import { anOldDelivery, anOldWeek, aLargeOldWeek, anOldMail, anOldReplay } from '../../helpers/states/old-log.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '../../../src/shared/accounts/api-keys.ts';
import { aBareAccount, ageKey } from '../../helpers/states/accounts.ts';
import { aDelivery } from '../../helpers/deliveries.ts';
import { haveDeletedWebhooks, aWebhookDeletedAgo } from '../../helpers/states/webhooks.ts';
import { farFromMidnight } from '../../helpers/midnight.ts';
import { startRounds } from '../../../src/shared/deliveries/replay.ts';
import { untold } from '../../helpers/untold.ts';

let database: TestDatabase;
let db: Database;

beforeEach(async () => {
  database = await createTestDatabase();
  ({ db } = database);
});

afterEach(() => database.drop());

const retentionDays = 90;
const accountId = newUuid();

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
  for (const daysAgo of [120, 99, 80]) await anOldWeek(db, daysAgo);
  const gone = [
    await anOldDelivery(db, { accountId, daysAgo: 120 }),
    await anOldDelivery(db, { accountId, daysAgo: 120, status: 'parked' }),
  ];
  const [week] = await listOldWeeks(db, retentionDays);
  const { bytes } = week ?? { bytes: 0 };
  const younger = await anOldDelivery(db, { accountId, daysAgo: 80 });
  const report = await applyRetention(db, { retentionDays });
  expect(report).toMatchObject({ weeksDropped: 2, weeksInProgress: 0, weeksInUse: 0, rowsDeleted: 0 });
  expect(report.bytesFreed).toBeGreaterThan(bytes);
  for (const id of gone) expect(await whereIs(id)).toEqual([]);
  expect(await whereIs(younger)).toEqual(everywhere);
  expect(await listOldWeeks(db, retentionDays)).toEqual([]);
  expect(await applyRetention(db, { retentionDays })).toMatchObject({ weeksDropped: 0 });
});

test('a week stays until its last moment is older than the retention', async () => {
  await farFromMidnight();
  const [{ daysAgo }] = await db<[{ daysAgo: number }]>`
    select 98 + current_date - date_trunc('week', now())::date as days_ago`;
  await anOldWeek(db, daysAgo);
  const ofMonday = await anOldDelivery(db, { accountId, daysAgo });
  // The retention reaches into the week's Sunday, then into the Monday after it.
  expect(await applyRetention(db, { retentionDays: daysAgo - 6 })).toMatchObject({ weeksDropped: 0 });
  expect(await whereIs(ofMonday)).toEqual(everywhere);
  expect(await applyRetention(db, { retentionDays: daysAgo - 7 })).toMatchObject({ weeksDropped: 1 });
  expect(await whereIs(ofMonday)).toEqual([]);
});

test('a week with a round in progress stays whole until the round has ended', async () => {
  await anOldWeek(db, 130);
  const finished = await anOldDelivery(db, { accountId, daysAgo: 130 });
  const replayed = await anOldDelivery(db, { accountId, daysAgo: 130, inProgress: true });
  expect(await applyRetention(db, { retentionDays })).toMatchObject({
    weeksDropped: 0,
    weeksInProgress: 1,
    roundsInProgress: 1,
  });
  for (const id of [finished, replayed]) expect(await whereIs(id)).toEqual(everywhere);
  await endRound(db, { deliveryId: replayed, round: 1 }, 'failed');
  expect(await applyRetention(db, { retentionDays })).toMatchObject({ weeksDropped: 1, weeksInProgress: 0 });
  expect(await takeOverRound(db, { deliveryId: replayed, round: 1 })).toBeUndefined();
});

test('a replay that begins just before the drop is seen by it, and the week stays', async () => {
  await anOldWeek(db, 130);
  const id = await anOldDelivery(db, { accountId, daysAgo: 130 });
  const begun = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const replay = db.begin(async (sql) => {
    await startRounds({ sql, start: () => {} }, [id], { by: 'replay' });
    begun.resolve();
    await commit.promise;
  });
  await begun.promise;
  const running = applyRetention(db, { retentionDays, pausesMs: soon });
  await expect.poll(dropsWaiting, { timeout: 60_000, interval: 5 }).toBe(1);
  commit.resolve();
  // None was in progress when it looked first: it was seen under the lock.
  expect(await running).toMatchObject({ weeksDropped: 0, weeksInProgress: 1, roundsInProgress: 0 });
  await replay;
  expect(await whereIs(id)).toEqual(everywhere);
  await endRound(db, { deliveryId: id, round: 2 }, 'failed');
  await applyRetention(db, { retentionDays });
});

test('a week of 200,000 deliveries goes without a row of it being deleted, and nobody who writes meanwhile waits for long', async () => {
  await aLargeOldWeek(db, { accountId, daysAgo: 140 });
  const writing = await keepComparing(db, () => writeOnce(db));
  const report = await applyRetention(db, { retentionDays });
  const { heldUpMs, written } = await writing.stop();
  expect(report).toMatchObject({ weeksDropped: 1, weeksInUse: 0, rowsDeleted: 0 });
  expect(report.deliveriesDropped).toBeGreaterThan(180_000);
  expect(written).toBeGreaterThan(0);
  expect(heldUpMs).toBeLessThan(heldUpAtMostMs);
});

test('a long reader makes it give up without holding up writers, and the next run drops what was left', async () => {
  for (const daysAgo of [140, 120]) await anOldWeek(db, daysAgo);
  const id = await anOldDelivery(db, { accountId, daysAgo: 140 });
  const reader = await aLongReader(db);
  const writing = await keepComparing(db, () => writeOnce(db));
  const report = await applyRetention(db, { retentionDays, pausesMs: [50] });
  const { heldUpMs, written } = await writing.stop();
  expect(report).toMatchObject({ weeksDropped: 0, weeksInUse: 2 });
  expect(written).toBeGreaterThan(0);
  expect(heldUpMs).toBeLessThan(heldUpAtMostMs);
  expect(await whereIs(id)).toEqual(everywhere);
  await reader.end();
  expect(await applyRetention(db, { retentionDays })).toMatchObject({ weeksDropped: 2, weeksInUse: 0 });
});

test('a run goes on as soon as the reader that was in its way has gone', async () => {
  await anOldWeek(db, 140);
  const reader = await aLongReader(db);
  const running = applyRetention(db, { retentionDays, pausesMs: soon });
  await expect.poll(dropsWaiting, { timeout: 60_000, interval: 5 }).toBe(1);
  // The first try has given up.
  await expect.poll(dropsWaiting, { timeout: 60_000, interval: 5 }).toBe(0);
  await reader.end();
  expect(await running).toMatchObject({ weeksDropped: 1, weeksInUse: 0 });
});

test('old rows outside the weeks go row by row: but none in progress, nor the attempts of one', async () => {
  const gone = await anOldDelivery(db, { accountId, daysAgo: 400 });
  const inProgress = await anOldDelivery(db, { accountId, daysAgo: 400, inProgress: true });
  const report = await applyRetention(db, { retentionDays });
  expect(await whereIs(gone)).toEqual([]);
  expect(await whereIs(inProgress)).toEqual(['deliveries', 'attempts']);
  expect(report.rowsDeleted).toBe(4);
});

test('old mails and bulk replays go when they are over; those that are not stay', async () => {
  await aBareAccount(db, accountId);
  for (const status of ['sent', 'refused', 'pending'] as const)
    await anOldMail(db, { accountId, status, daysAgo: 100 });
  await anOldMail(db, { accountId, status: 'sent', daysAgo: 80 });
  for (const status of ['finished', 'cancelled', 'running'] as const) {
    await anOldReplay(db, { accountId, status, daysAgo: 100 });
  }
  await anOldReplay(db, { accountId, status: 'finished', daysAgo: 80 });
  expect(await applyRetention(db, { retentionDays })).toMatchObject({ rowsDeleted: 4 });
  expect(await db`select status from mails order by id`).toEqual([{ status: 'pending' }, { status: 'sent' }]);
  expect(await db`select status from replays order by id`).toEqual([{ status: 'running' }, { status: 'finished' }]);
});

test('a deleted webhook goes when nothing is kept any more that refers to it', async () => {
  await aBareAccount(db, accountId);
  const deleted = (daysAgo: number, isCancelled = true) => aWebhookDeletedAgo(db, accountId, { daysAgo, isCancelled });
  const gone = await deleted(91);
  const [lately, inProgress, ofReplay, withDeliveries] = [
    await deleted(89),
    // Nobody has looked yet whether it has deliveries that are to be cancelled.
    await deleted(91, false),
    await deleted(91),
    await deleted(91),
  ];
  const there = await aWebhookDeletedAgo(db, accountId, { daysAgo: null });
  await anOldReplay(db, { accountId, webhookId: ofReplay, status: 'running', daysAgo: 100 });
  await aDelivery(db, { accountId, webhookId: withDeliveries, status: 'cancelled' });
  expect(await applyRetention(db, { retentionDays })).toMatchObject({ rowsDeleted: 1 });
  const rows = await db<{ id: string }[]>`select id from webhooks`;
  const ids = rows.map(({ id }) => id);
  expect(ids).not.toContain(gone);
  expect(ids.toSorted()).toEqual([lately, inProgress, ofReplay, withDeliveries, there].toSorted());
});

test('any number of deleted webhooks goes, in batches', async () => {
  await aBareAccount(db, accountId);
  await haveDeletedWebhooks(db, accountId, { count: 2_500, daysAgo: 400 });
  const due = await db`select from webhooks where deleted_at < now() - make_interval(days => ${retentionDays})`;
  expect(due.count).toBeGreaterThan(1_000);
  expect(await applyRetention(db, { retentionDays })).toMatchObject({ rowsDeleted: due.count });
  expect(await db`select from webhooks`).toHaveLength(2_500 - due.count);
});

test('an API key goes when it was revoked longer ago than the retention', async () => {
  await aBareAccount(db, accountId);
  const revokedAgo = async (days: number) => {
    const { row } = await createApiKey(untold(db), accountId, `revoked ${days} days ago`);
    await revokeApiKey(untold(db), accountId, row.id);
    await ageKey(db, row.id, { minutes: days * 24 * 60 });
  };
  const inUse = await createApiKey(untold(db), accountId, 'in use');
  await ageKey(db, inUse.row.id, { minutes: 400 * 24 * 60 });
  for (const days of [91, 89]) await revokedAgo(days);
  expect(await applyRetention(db, { retentionDays })).toMatchObject({ rowsDeleted: 1 });
  const left = await listApiKeys(db, accountId, { limit: 10 });
  expect(left.map(({ name }) => name)).toEqual(['revoked 89 days ago', 'in use']);
});

test('the token of a visitor of a webchat goes a year after its last use, and the visitor stays', async () => {
  const owner = await aBareAccount(db);
  const haveVisitor = async (days: number): Promise<string> => {
    const { id: channelId } = await insertChannel(db, owner, { type: 'webchat', name: 'Shop' });
    await beginVisitor(db, { accountId: owner, channelId, firstRef: newUuid() });
    await ageTokens(db, channelId, days);
    return channelId;
  };
  const [old, young] = [await haveVisitor(366), await haveVisitor(364)];
  await applyRetention(db, { retentionDays });
  const left = await db<{ channelId: string }[]>`
    select v.channel_id from webchat_visitors v join webchat_tokens t on t.visitor_id = v.id`;
  expect(left).toEqual([{ channelId: young }]);
  expect(await db`select from webchat_visitors where channel_id = ${old}`).toHaveLength(1);
});
