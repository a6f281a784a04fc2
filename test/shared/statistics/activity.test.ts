import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fillDomain } from '../../../bench/domain/fill.ts';
import { connectDatabase, type Database } from '../../../src/shared/platform/db/connect.ts';
import { showId } from '../../../src/shared/ids.ts';
import { applyRetention } from '../../../src/shared/retention/apply.ts';
import { readActivity } from '../../../src/shared/statistics/read-activity.ts';
import { rollUpActivity } from '../../../src/shared/statistics/roll-up-activity.ts';
import { createTestDatabase, untilSomebodyWaits, type TestDatabase } from '../../helpers/database.ts';
import { aFlow } from '../../helpers/live-flows.ts';
import { hourBefore, inHourBefore, lastHourIsDue } from '../../helpers/past-hours.ts';
import { aBareAccount } from '../../helpers/states/accounts.ts';
import {
  anOldHourOfActivity,
  aPastConversation,
  aPastMessage,
  aRunThatEnded,
  setActivityRolledUpUntil,
  type PastConversation,
} from '../../helpers/states/activity.ts';
import { setBuilt } from '../../helpers/states/statistics.ts';

let database: TestDatabase;
let db: Database;
let accountId: string;

beforeEach(async () => {
  database = await createTestDatabase();
  ({ db } = database);
  accountId = await aBareAccount(db);
});
afterEach(() => database.drop());

const inbound = (to: PastConversation, at: Date) => aPastMessage(db, to, { at, direction: 'inbound' });
const outbound = (to: PastConversation, at: Date) => aPastMessage(db, to, { at, direction: 'outbound' });
const later = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1_000);

/** What was counted of one of these hours, by the way that is told: from the rows, or from the tables. */
const hourOf = async (hours: number, of = accountId) => {
  const { total } = await readActivity(db, of, { starts: [hourBefore(hours)], end: hourBefore(hours - 1) });
  const { firstAnswers, ...counts } = total;
  return { ...counts, answered: firstAnswers.reduce((sum, some) => sum + some, 0) };
};
const nothing = {
  messagesReceived: 0,
  messagesSent: 0,
  newContacts: 0,
  runsStarted: 0,
  runsCompleted: 0,
  runsFailed: 0,
  runsCancelled: 0,
  answered: 0,
};
const rollUpFrom = async (hours: number): Promise<number> => {
  await setActivityRolledUpUntil(db, hourBefore(hours));
  return rollUpActivity(db, { now: lastHourIsDue });
};

/** In the hour before the last a contact came and wrote. It was answered in the last one, twice. Runs began in both and ended in the last one. */
const aTalk = async (): Promise<PastConversation> => {
  const talk = await aPastConversation(db, { accountId, at: inHourBefore(1) });
  await inbound(talk, inHourBefore(1));
  await inbound(talk, inHourBefore(0, 5));
  await outbound(talk, inHourBefore(0, 30));
  await outbound(talk, inHourBefore(0, 31));
  const flowId = await aFlow(db, accountId, { blocks: [{ id: 'hello', type: 'send', messages: [{ text: 'Hello' }] }] });
  const of = { flowId, contactId: talk.contactId };
  for (const status of ['completed', 'completed', 'failed', 'cancelled'] as const)
    await aRunThatEnded(db, of, { startedAt: inHourBefore(1), endedAt: inHourBefore(0), status });
  await aRunThatEnded(db, of, { startedAt: inHourBefore(0), endedAt: inHourBefore(0), status: 'failed' });
  return talk;
};
const beforeLast = { ...nothing, messagesReceived: 1, newContacts: 1, runsStarted: 4 };
const last = {
  ...nothing,
  messagesReceived: 1,
  messagesSent: 2,
  runsStarted: 1,
  runsCompleted: 2,
  runsFailed: 2,
  runsCancelled: 1,
  answered: 1,
};

test('messages, contacts, first answers and runs count in the hour in which they happened', async () => {
  await aTalk();
  expect(await rollUpFrom(1)).toBe(2);
  expect(await hourOf(1)).toEqual(beforeLast);
  expect(await hourOf(0)).toEqual(last);
});

test('what accounts did reads the same wherever rolled up hours end and live ones begin', async () => {
  await aTalk();
  const bothHours = async () => {
    const read = await readActivity(db, accountId, { starts: [hourBefore(1), hourBefore(0)], end: hourBefore(-1) });
    return { points: read.points, isCapped: read.isCapped };
  };
  await setActivityRolledUpUntil(db, hourBefore(1));
  const live = await bothHours();
  expect(await hourOf(1)).toEqual(beforeLast);
  expect(await hourOf(0)).toEqual(last);
  expect(await rollUpFrom(1)).toBe(2);
  for (const hours of [1, 0, -1]) {
    await setActivityRolledUpUntil(db, hourBefore(hours));
    expect(await bothHours()).toEqual(live);
  }
});

test('a first answer is the first message after the contact’s first one, and counts once', async () => {
  const at = inHourBefore(1, 10);
  const greeted = await aPastConversation(db, { accountId, at });
  await outbound(greeted, at);
  await inbound(greeted, later(at, 60));
  await outbound(greeted, later(at, 60 + 90));
  await outbound(greeted, inHourBefore(0));
  const unanswered = await aPastConversation(db, { accountId, at });
  await outbound(unanswered, at);
  await inbound(unanswered, later(at, 60));
  await rollUpFrom(1);
  expect((await hourOf(1)).answered).toBe(1);
  expect((await hourOf(0)).answered).toBe(0);
  const { total } = await readActivity(db, accountId, { starts: [hourBefore(1)], end: hourBefore(0) });
  // One to two minutes.
  expect(total.firstAnswers.indexOf(1)).toBe(9);
});

test('histograms of hours merge: a median over hours is told from their sum', async () => {
  for (const [hours, seconds] of [
    [2, 4],
    [1, 45],
    [0, 4_000],
  ] as const) {
    const talk = await aPastConversation(db, { accountId, at: inHourBefore(hours, 5) });
    await inbound(talk, inHourBefore(hours, 5));
    await outbound(talk, later(inHourBefore(hours, 5), Math.min(seconds, 3_000)));
  }
  await rollUpFrom(2);
  const { total } = await readActivity(db, accountId, { starts: [hourBefore(2)], end: hourBefore(-1) });
  expect(total.firstAnswers.filter((count) => count === 1)).toHaveLength(3);
});

test('what accounts did counts once, however often and by however many processes it is rolled up', async () => {
  await aTalk();
  await setActivityRolledUpUntil(db, hourBefore(1));
  const together = await Promise.all([1, 2, 3].map(() => rollUpActivity(db, { now: lastHourIsDue })));
  expect(together.reduce((sum, hours) => sum + hours)).toBe(2);
  expect(await rollUpFrom(1)).toBe(2);
  expect(await hourOf(0)).toEqual(last);
});

test('a process that dies in the midst of an hour leaves nothing of it, and another one counts it', async () => {
  await aTalk();
  await setActivityRolledUpUntil(db, hourBefore(1));
  const script = fileURLToPath(new URL('./roll-up-activity.ts', import.meta.url));
  await db.begin(async (sql) => {
    await sql`lock table activity_hours in access exclusive mode`;
    const dying = spawn(process.execPath, [script, database.target, lastHourIsDue.toISOString()]);
    await untilSomebodyWaits(db);
    dying.kill('SIGKILL');
    await once(dying, 'exit');
  });
  // PostgreSQL hears of it when it would answer.
  const othersAreGone = async () =>
    (
      await db`select from pg_stat_activity where datname = current_database() and application_name = 'parley' and state <> 'idle' and pid <> pg_backend_pid()`
    ).length === 0;
  await vi.waitUntil(othersAreGone, { timeout: 30_000, interval: 10 });
  expect(await rollUpActivity(db, { now: lastHourIsDue })).toBe(2);
  expect(await hourOf(0)).toEqual(last);
});

test('what is committed late counts with the next hour', async () => {
  await setActivityRolledUpUntil(db, hourBefore(0));
  const talk = await aPastConversation(db, { accountId, at: inHourBefore(1, 59) });
  await inbound(talk, inHourBefore(1, 59));
  expect(await rollUpActivity(db, { now: lastHourIsDue })).toBe(1);
  expect(await hourOf(1)).toEqual({ ...nothing, messagesReceived: 1, newContacts: 1 });
});

test('what accounts did is not rolled up until the index of ended runs is built', async () => {
  await setActivityRolledUpUntil(db, hourBefore(0));
  await setBuilt(db, 'runs_ended', false);
  expect(await rollUpActivity(db, { now: lastHourIsDue })).toBe(0);
  await setBuilt(db, 'runs_ended', true);
  expect(await rollUpActivity(db, { now: lastHourIsDue })).toBe(1);
});

test('of hours that are not rolled up no more rows are read than the cap, and the answer says so', async () => {
  await setActivityRolledUpUntil(db, hourBefore(0));
  const talk = await aPastConversation(db, { accountId, at: inHourBefore(0) });
  for (let minute = 1; minute <= 4; minute += 1) await inbound(talk, inHourBefore(0, minute));
  const read = (cap: number) => readActivity(db, accountId, { starts: [hourBefore(0)], end: hourBefore(-1), cap });
  expect(await read(5)).toMatchObject({ isCapped: false, total: { messagesReceived: 4 } });
  expect(await read(4)).toMatchObject({ isCapped: true, total: { messagesReceived: 4 } });
  expect(await read(2)).toMatchObject({ isCapped: true, total: { messagesReceived: 2 } });
});

test('what one account did says nothing of another', async () => {
  await aTalk();
  const other = await aBareAccount(db);
  await rollUpFrom(1);
  expect(await hourOf(0, other)).toEqual(nothing);
  await setActivityRolledUpUntil(db, hourBefore(1));
  expect(await hourOf(0, other)).toEqual(nothing);
});

test('hours of what accounts did go after 13 months', async () => {
  for (const daysAgo of [399, 401]) await anOldHourOfActivity(db, accountId, daysAgo);
  expect(await applyRetention(db, { retentionDays: 30 })).toMatchObject({ rowsDeleted: 1 });
});

test('an hour of what accounts did is read by indexes, however much there is beside it', async () => {
  const { channelId } = await aPastConversation(db, { accountId, at: inHourBefore(0) });
  const size = { contacts: 5_000, messages: 60_000 };
  await fillDomain({ database: database.target, accountId, channelId: showId('channel', channelId), ...size });
  await setActivityRolledUpUntil(db, hourBefore(0));
  const one = connectDatabase(database.target, { max: 1 });
  const rowsRead = async (): Promise<number> => {
    await one`select pg_stat_force_next_flush()`;
    const [row] = await one<[{ rows: number }]>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as rows from pg_stat_user_tables where relname in ('messages', 'contacts', 'runs')`;
    return row.rows;
  };
  try {
    const before = await rowsRead();
    expect(await rollUpActivity(one, { now: lastHourIsDue })).toBe(1);
    // There are 30 messages an hour, each of which is read twice, and a conversation has a dozen.
    expect((await rowsRead()) - before).toBeLessThan(5_000);
  } finally {
    await one.end();
  }
});
