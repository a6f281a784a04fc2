import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../src/shared/platform/db/connect.ts';
import { readActivity } from '../../../src/shared/statistics/read-activity.ts';
import { readStatistics } from '../../../src/shared/statistics/read.ts';
import { rollUpActivity } from '../../../src/shared/statistics/roll-up-activity.ts';
import { rollUp } from '../../../src/shared/statistics/roll-up.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { hourBefore, inHourBefore, lastHourIsDue } from '../../helpers/past-hours.ts';
import { aBareAccount } from '../../helpers/states/accounts.ts';
import { aPastConversation, aPastMessage, setActivityRolledUpUntil } from '../../helpers/states/activity.ts';
import { aPastDelivery, aPastEvent, aPastWebhook, setRolledUpUntil } from '../../helpers/states/statistics.ts';

let database: TestDatabase;
let db: Database;
let busy: string;
let quiet: string;

beforeEach(async () => {
  database = await createTestDatabase();
  ({ db } = database);
  [busy, quiet] = [await aBareAccount(db), await aBareAccount(db)];
  await setRolledUpUntil(db, hourBefore(1));
  await setActivityRolledUpUntil(db, hourBefore(1));
});
afterEach(() => database.drop());

/** An account with more rows of a table in an hour is busy. */
const share = 4;
/** Passes over the hours that are due; each counts one slice of a busy account. */
const pass = { now: lastHourIsDue, rowsOfAccount: share, catchUpMs: 0 };

const question = { starts: [hourBefore(1), hourBefore(0)], end: hourBefore(-1) };
const activityOf = (accountId: string) => readActivity(db, accountId, question);
const statisticsOf = (accountId: string) => readStatistics(db, { accountId }, question);
const points = async <Point>(read: Promise<{ points: Point[] }>): Promise<Point[]> => (await read).points;

/** So many contacts of the last hour who wrote and were answered, minute by minute. */
const talks = async (accountId: string, count: number): Promise<void> => {
  for (let minute = 0; minute < count; minute += 1) {
    const talk = await aPastConversation(db, { accountId, at: inHourBefore(0, minute) });
    await aPastMessage(db, talk, { at: inHourBefore(0, minute), direction: 'inbound' });
    await aPastMessage(db, talk, { at: inHourBefore(0, minute + 3), direction: 'outbound' });
  }
};

/** So many deliveries of the last hour, each tried twice: a minute after its event as well. */
const deliveries = async (accountId: string, count: number): Promise<void> => {
  const webhookId = await aPastWebhook(db, accountId);
  for (let minute = 0; minute < count; minute += 1) {
    const at = inHourBefore(0, minute);
    await aPastEvent(db, { accountId, at });
    await aPastDelivery(db, {
      accountId,
      webhookId,
      at,
      endedAt: inHourBefore(0, minute + 1),
      status: minute % 3 === 0 ? 'failed' : 'delivered',
      attempts: [
        { outcome: 'failed' },
        { at: inHourBefore(0, minute + 1), outcome: minute % 3 === 0 ? 'failed' : 'succeeded' },
      ],
    });
  }
};

test('an account with very many messages holds up the numbers of no other', async () => {
  await talks(busy, 20);
  await talks(quiet, 2);
  await rollUpActivity(db, pass);
  const { rolledUpUntil, total } = await activityOf(quiet);
  expect(rolledUpUntil).toEqual(hourBefore(-1));
  expect(total).toMatchObject({ messagesReceived: 2, messagesSent: 2, newContacts: 2 });
  // Pages go on to read the busy one's hour live.
  expect((await activityOf(busy)).rolledUpUntil).toEqual(hourBefore(0));
});

test('an account with very many deliveries holds up the numbers of no other', async () => {
  await deliveries(busy, 20);
  await deliveries(quiet, 3);
  await rollUp(db, pass);
  const { rolledUpUntil, total } = await statisticsOf(quiet);
  expect(rolledUpUntil).toEqual(hourBefore(-1));
  expect(total).toMatchObject({ event: 3, succeeded: 2, unsuccessful: 4, failed: 1 });
  expect((await statisticsOf(busy)).rolledUpUntil).toEqual(hourBefore(0));
});

test('a busy account is caught up with slice by slice, and comes to the same numbers', async () => {
  await talks(busy, 20);
  await deliveries(busy, 20);
  const [activity, statistics] = [await points(activityOf(busy)), await points(statisticsOf(busy))];
  let passes = 0;
  const isBehind = async () => (await db`select from statistics_behind`).count > 0;
  do {
    await rollUpActivity(db, pass);
    await rollUp(db, pass);
    passes += 1;
    expect(await points(activityOf(busy))).toEqual(activity);
    expect(await points(statisticsOf(busy))).toEqual(statistics);
  } while (await isBehind());
  // Twenty rows, five a slice, and one pass that finds nothing left; of messages, which are twice as many, as many more.
  expect(passes).toBeGreaterThan(4);
  expect((await activityOf(busy)).rolledUpUntil).toEqual(hourBefore(-1));
  expect((await statisticsOf(busy)).rolledUpUntil).toEqual(hourBefore(-1));
});

test('processes that catch up with a busy account at the same time count nothing twice', async () => {
  await talks(busy, 20);
  const before = await points(activityOf(busy));
  const all = { ...pass, catchUpMs: 60_000 };
  await Promise.all([1, 2, 3].map(() => rollUpActivity(db, all)));
  await rollUpActivity(db, all);
  expect((await activityOf(busy)).rolledUpUntil).toEqual(hourBefore(-1));
  expect(await points(activityOf(busy))).toEqual(before);
});

test('busy accounts take turns, so that none waits for all of another', async () => {
  const third = await aBareAccount(db);
  await talks(busy, 30);
  await talks(third, 6);
  const slices = async () => {
    await rollUpActivity(db, pass);
    return (await activityOf(third)).rolledUpUntil.getTime() === hourBefore(-1).getTime();
  };
  let passes = 1;
  while (!(await slices())) passes += 1;
  expect((await activityOf(busy)).rolledUpUntil).toEqual(hourBefore(0));
  expect(passes).toBeLessThan(10);
});
