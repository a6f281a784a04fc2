import { afterEach, beforeEach, expect, test } from 'vitest';
import { fillDeliveries } from '../../../bench/scenarios/fill.ts';
import { newUuid, showId } from '../../../src/shared/ids.ts';
import { connectDatabase, type Database } from '../../../src/shared/platform/db/connect.ts';
import { applyRetention } from '../../../src/shared/retention/apply.ts';
import { latencyBoundsMs } from '../../../src/shared/statistics/histogram.ts';
import { rollUp } from '../../../src/shared/statistics/roll-up.ts';
import { createTestDatabase, untilSomebodyWaits, type TestDatabase } from '../../helpers/database.ts';
import { hourBefore, inHourBefore, lastHourIsDue } from '../../helpers/past-hours.ts';
import { aBareAccount } from '../../helpers/states/accounts.ts';
import { anOldWeek } from '../../helpers/states/old-log.ts';
import {
  anOldHour,
  aPastAttempt,
  aPastDelivery,
  aPastEvent,
  aPastWebhook,
  setBuilt,
  setRolledUpUntil,
} from '../../helpers/states/statistics.ts';

const hourMs = 3_600_000;

let database: TestDatabase;
let db: Database;
let accountId: string;
let webhookId: string;

beforeEach(async () => {
  database = await createTestDatabase();
  ({ db } = database);
  accountId = await aBareAccount(db);
  webhookId = await aPastWebhook(db, accountId);
});
afterEach(() => database.drop());

/** The rows of an hour, those of all webhooks and names first. */
const rowsOf = async (hour: Date) => {
  const rows = await db`
    select webhook_id, event_name, events, failed, dropped, cancelled, attempts, attempts_failed, latency
    from statistics_hours where hour = ${hour} and account_id = ${accountId}
    order by webhook_id nulls first, event_name nulls first`;
  return rows.map((row) => ({ ...row }));
};
const total = async (hour: Date) => (await rowsOf(hour))[0];
const rolledUpUntil = async () =>
  (await db<{ at: Date }[]>`select rolled_up_until as at from statistics_progress`)[0]?.at;

/** Buckets with one attempt of each of these durations. */
const buckets = (...durationsMs: number[]): number[] => {
  const counts = Array.from({ length: latencyBoundsMs.length + 1 }, () => 0);
  for (const ms of durationsMs) {
    const place = latencyBoundsMs.filter((bound) => bound <= ms).length;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts;
};

test('an hour that is over is counted by webhook and name, and for all of each; tests and checks count for nothing', async () => {
  const at = inHourBefore(0);
  await setRolledUpUntil(db, hourBefore(0));
  await aPastEvent(db, { accountId, at });
  await aPastEvent(db, { accountId, at, name: 'tag_applied' });
  const one = { accountId, webhookId, at };
  await aPastDelivery(db, { ...one, attempts: [{ outcome: 'failed', durationMs: 10_004 }, { durationMs: 7 }] });
  await aPastDelivery(db, { ...one, status: 'failed', attempts: [{ outcome: 'failed', durationMs: 1 }] });
  await aPastDelivery(db, { ...one, status: 'dropped' });
  await aPastDelivery(db, { ...one, status: 'cancelled', eventName: 'tag_applied' });
  await aPastDelivery(db, { ...one, status: 'parked', attempts: [{ kind: 'check' }] });
  await aPastDelivery(db, { ...one, isTest: true, attempts: [{}] });
  await aPastDelivery(db, { ...one, isTest: true, status: 'failed', attempts: [{ outcome: 'failed' }] });

  expect(await rollUp(db, { now: lastHourIsDue })).toBe(1);

  const messages = {
    failed: 1,
    dropped: 1,
    cancelled: 0,
    attempts: 3,
    attemptsFailed: 2,
    latency: buckets(10_004, 7, 1),
  };
  const tags = { failed: 0, dropped: 0, cancelled: 1, attempts: 0, attemptsFailed: 0, latency: null };
  const both = { ...messages, cancelled: 1 };
  expect(await rowsOf(hourBefore(0))).toEqual([
    { webhookId: null, eventName: null, events: 2, ...both },
    { webhookId: null, eventName: 'new_message', events: 1, ...messages },
    { webhookId: null, eventName: 'tag_applied', events: 1, ...tags },
    { webhookId, eventName: null, events: null, ...both },
    { webhookId, eventName: 'new_message', events: null, ...messages },
    { webhookId, eventName: 'tag_applied', events: null, ...tags },
  ]);
  expect(await rolledUpUntil()).toEqual(hourBefore(-1));
});

test('what happens in the first or the last moment of an hour counts in that hour, and in no other', async () => {
  await setRolledUpUntil(db, hourBefore(1));
  const moments = [
    hourBefore(1),
    new Date(hourBefore(0).getTime() - 1),
    hourBefore(0),
    new Date(hourBefore(-1).getTime() - 1),
  ];
  for (const at of moments) {
    await aPastEvent(db, { accountId, at });
    await aPastDelivery(db, {
      accountId,
      webhookId,
      at: inHourBefore(2),
      endedAt: at,
      status: 'failed',
      attempts: [{ at }],
    });
  }
  await rollUp(db, { now: lastHourIsDue });
  for (const hour of [hourBefore(1), hourBefore(0)])
    expect(await total(hour)).toMatchObject({ events: 2, failed: 2, attempts: 2 });
});

test('nothing counts twice, however often an hour is rolled up and by however many processes', async () => {
  await setRolledUpUntil(db, hourBefore(2));
  for (const hours of [0, 1, 2]) await aPastEvent(db, { accountId, at: inHourBefore(hours) });
  const together = await Promise.all([
    rollUp(db, { now: lastHourIsDue }),
    rollUp(db, { now: lastHourIsDue }),
    rollUp(db, { now: lastHourIsDue }),
  ]);
  expect(together.reduce((sum, hours) => sum + hours)).toBe(3);
  await setRolledUpUntil(db, hourBefore(2));
  expect(await rollUp(db, { now: lastHourIsDue })).toBe(3);
  expect(await rollUp(db, { now: lastHourIsDue })).toBe(0);
  for (const hours of [0, 1, 2]) expect(await total(hourBefore(hours))).toMatchObject({ events: 1 });
});

test('what the database learns of an hour after it is rolled up counts with the next hour', async () => {
  await setRolledUpUntil(db, hourBefore(0));
  const at = inHourBefore(1, 59);
  const deliveryId = await aPastDelivery(db, { accountId, webhookId, at, status: 'retrying' });
  await aPastAttempt(db, deliveryId, { at, number: 1 });
  await rollUp(db, { now: lastHourIsDue });
  expect(await total(hourBefore(1))).toMatchObject({ attempts: 1 });
});

test('an attempt of a delivery of weeks ago counts in the hour in which it was made, by the name of its event', async () => {
  await anOldWeek(db, 30);
  await setRolledUpUntil(db, hourBefore(0));
  const old = new Date(Date.now() - 30 * 24 * hourMs);
  const replayed = { accountId, webhookId, at: old, endedAt: inHourBefore(0), eventName: 'order_placed' } as const;
  await aPastDelivery(db, { ...replayed, attempts: [{ outcome: 'failed' }, { at: inHourBefore(0), durationMs: 40 }] });
  await aPastDelivery(db, { ...replayed, status: 'failed' });
  await aPastDelivery(db, { ...replayed, isTest: true, attempts: [{ at: inHourBefore(0) }] });
  await rollUp(db, { now: lastHourIsDue });
  const counted = { failed: 1, attempts: 1, attemptsFailed: 0, latency: buckets(40) };
  expect((await rowsOf(hourBefore(0))).at(-1)).toMatchObject({ webhookId, eventName: 'order_placed', ...counted });
});

test('an attempt counts in its hour although the id of its delivery is of the next one, by a clock that is half a minute ahead', async () => {
  await setRolledUpUntil(db, hourBefore(1));
  const end = hourBefore(0).getTime();
  const ahead = { accountId, webhookId, at: new Date(end + 30_000), endedAt: new Date(end - 1) };
  await aPastDelivery(db, { ...ahead, attempts: [{ at: new Date(end - 1) }] });
  await rollUp(db, { now: lastHourIsDue });
  expect(await total(hourBefore(1))).toMatchObject({ attempts: 1 });
});

test('nothing is rolled up while the index of attempts is not built: each hour would read all of them', async () => {
  await setRolledUpUntil(db, hourBefore(0));
  await setBuilt(db, 'attempts_started', false);
  expect(await rollUp(db, { now: lastHourIsDue })).toBe(0);
  await setBuilt(db, 'attempts_started', true);
  expect(await rollUp(db, { now: lastHourIsDue })).toBe(1);
});

test('deliveries that a deleted webhook had count', async () => {
  await setRolledUpUntil(db, hourBefore(0));
  const deleted = await aPastWebhook(db, accountId, { deletedAt: inHourBefore(0, 20) });
  await aPastDelivery(db, { accountId, webhookId: deleted, at: inHourBefore(0), status: 'cancelled' });
  await rollUp(db, { now: lastHourIsDue });
  expect(await total(hourBefore(0))).toMatchObject({ cancelled: 1 });
});

test('an hour is rolled up when what happened in it is committed for sure: five minutes after its end, and no sooner', async () => {
  await setRolledUpUntil(db, hourBefore(0));
  expect(await rollUp(db, { now: new Date(lastHourIsDue.getTime() - 1) })).toBe(0);
  expect(await rollUp(db, { now: lastHourIsDue })).toBe(1);
  expect(await rollUp(db, { now: lastHourIsDue })).toBe(0);
});

test('hours are over on the clock of the database where no other time is given', async () => {
  const fromNow = (hours: number) => new Date((Math.floor(Date.now() / hourMs) + hours) * hourMs);
  await setRolledUpUntil(db, fromNow(1));
  expect(await rollUp(db)).toBe(0);
  await setRolledUpUntil(db, fromNow(-3));
  // Whether the hour before the present one is due, the minute tells.
  expect(await rollUp(db)).toBeGreaterThanOrEqual(2);
});

test('what a long outage has left is caught up with in steps, and not at all once the process stops', async () => {
  await setRolledUpUntil(db, hourBefore(59));
  expect(await rollUp(db, { now: lastHourIsDue, signal: AbortSignal.abort() })).toBe(0);
  expect(await rollUp(db, { now: lastHourIsDue })).toBe(48);
  expect(await rolledUpUntil()).toEqual(hourBefore(11));
  expect(await rollUp(db, { now: lastHourIsDue })).toBe(12);
});

test('a process that stops does not wait for the hour under way, which another one rolls up', async () => {
  await setRolledUpUntil(db, hourBefore(0));
  await aPastEvent(db, { accountId, at: inHourBefore(0) });
  const stopping = new AbortController();
  await db.begin(async (sql) => {
    await sql`lock table events in access exclusive mode`;
    const rollingUp = rollUp(db, { now: lastHourIsDue, signal: stopping.signal });
    await untilSomebodyWaits(db);
    stopping.abort();
    await expect(rollingUp).rejects.toThrow('canceling statement');
  });
  expect(await rollUp(db, { now: lastHourIsDue })).toBe(1);
  expect(await total(hourBefore(0))).toMatchObject({ events: 1 });
});

test('an hour is read by indexes, however many deliveries the log has beside it', async () => {
  await fillDeliveries({
    database: database.target,
    target: { accountId, webhookIds: [showId('webhook', webhookId)] },
    count: 60_000,
    weeks: 3,
  });
  await setRolledUpUntil(db, hourBefore(0));
  const one = connectDatabase(database.target, { max: 1 });
  const entriesRead = async (): Promise<number> => {
    await one`select pg_stat_force_next_flush()`;
    const [row] = await one<[{ entries: number }]>`
      select sum(t.seq_tup_read + coalesce(t.idx_tup_fetch, 0))::float8 as entries from pg_stat_user_tables t
      where t.relname ~ '^(events|deliveries|attempts)_'`;
    return row.entries;
  };
  try {
    const before = await entriesRead();
    expect(await rollUp(one, { now: lastHourIsDue })).toBe(1);
    // There are 120 deliveries an hour, and two hours are read. A summary of attempts has 32 pages. A week has 20,000 deliveries and as many attempts.
    expect((await entriesRead()) - before).toBeLessThan(25_000);
    expect(await total(hourBefore(0))).toMatchObject({ attempts: expect.any(Number) });
  } finally {
    await one.end();
  }
});

test('statistics go after 13 months, or with the logs where those are kept longer', async () => {
  for (const daysAgo of [399, 401, 800]) await anOldHour(db, accountId, daysAgo);
  const left = async () => (await db`select from statistics_hours`).count;
  expect(await applyRetention(db, { retentionDays: 700 })).toMatchObject({ rowsDeleted: 1 });
  expect(await left()).toBe(2);
  await applyRetention(db, { retentionDays: 30 });
  expect(await left()).toBe(1);
});

test('statistics that are old all go, however many there are', async () => {
  const many = 1_001;
  await Promise.all(Array.from({ length: many }, (_, index) => anOldHour(db, accountId, 401 + index)));
  expect(await applyRetention(db, { retentionDays: 30 })).toMatchObject({ rowsDeleted: many });
});

test('an hour of one account says nothing of another', async () => {
  await setRolledUpUntil(db, hourBefore(0));
  const stranger = { accountId: newUuid(), webhookId: newUuid(), at: inHourBefore(0) };
  await aPastEvent(db, stranger);
  await aPastDelivery(db, { ...stranger, attempts: [{}] });
  await rollUp(db, { now: lastHourIsDue });
  expect(await rowsOf(hourBefore(0))).toEqual([]);
});
