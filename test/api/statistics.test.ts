import { expect, test } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import { readStatistics } from '../../src/shared/statistics/read.ts';
import { rollUp } from '../../src/shared/statistics/roll-up.ts';
import { useApi, type TestAccount } from '../helpers/api.ts';
import { hourBefore, inHourBefore, lastHourIsDue } from '../helpers/past-hours.ts';
import { aPastConversation, aPastMessage, setActivityRolledUpUntil } from '../helpers/states/activity.ts';
import {
  aPastAttempt,
  aPastDelivery,
  aPastEvent,
  aPastWebhook,
  setRolledUpUntil,
} from '../helpers/states/statistics.ts';
import { haveDeletedWebhooks } from '../helpers/states/webhooks.ts';

const api = await useApi();
const { db } = api;

type Activity = {
  messages: Record<'received' | 'sent', number>;
  new_contacts: number;
  first_answers: { count: number; median_ms: number; p95_ms: number } | null;
  runs: Record<'started' | 'completed' | 'failed' | 'cancelled', number>;
};
type Tally = {
  activity: Activity | null;
  events: number | null;
  deliveries: Record<'delivered' | 'failed' | 'dropped' | 'cancelled', number>;
  attempts: { made: number; failed: number };
  latency_ms: { p50: number; p95: number; p99: number } | null;
};
type Answer = {
  from: string;
  to: string;
  points: (Tally & { at: string })[];
  total: Tally;
  before: { from: string; to: string; total: Tally } | null;
  rolled_up_until: string;
  live_capped: boolean;
};

const ask = async <Body = Answer>({ session }: TestAccount, query: Record<string, string> = {}, expected = 200) => {
  const { status, body } = await api.request<Body>(
    'GET',
    `/dashboard/api/statistics?${new URLSearchParams(query).toString()}`,
    {
      session,
    },
  );
  expect(status).toBe(expected);
  return body;
};

const hourMs = 3_600_000;

const noActivity: Activity = {
  messages: { received: 0, sent: 0 },
  new_contacts: 0,
  first_answers: null,
  runs: { started: 0, completed: 0, failed: 0, cancelled: 0 },
};
/** Up to the end of the last hour; the clock goes on while tests ask. */
const to = hourBefore(-1).toISOString();

/** In each of these hours before the last: an event, and of each of two webhooks what delivers at once, what fails, and what is retried. */
const anAccountWithLog = async (hours: readonly number[]) => {
  const account = await api.createAccount();
  const { accountId } = account;
  const webhookIds = [await aPastWebhook(db, accountId), await aPastWebhook(db, accountId)];
  for (const at of hours.map((hour) => inHourBefore(hour))) {
    await aPastEvent(db, { accountId, at });
    for (const webhookId of webhookIds) {
      const one = { accountId, webhookId, at };
      await aPastDelivery(db, { ...one, attempts: [{ durationMs: 60 }] });
      await aPastDelivery(db, { ...one, status: 'failed', attempts: [{ outcome: 'failed', durationMs: 10_003 }] });
      await aPastDelivery(db, { ...one, status: 'retrying', attempts: [{ outcome: 'failed', durationMs: 2 }] });
      await aPastDelivery(db, { ...one, status: 'parked', attempts: [{ outcome: 'failed', durationMs: 2 }] });
      await aPastDelivery(db, { ...one, status: 'parked', attempts: [{ kind: 'check' }] });
      await aPastDelivery(db, { ...one, status: 'cancelled', eventName: 'tag_applied' });
      await aPastDelivery(db, { ...one, isTest: true, attempts: [{}] });
    }
  }
  return { account, webhookIds };
};

test('a series has every hour, with what happened in it and its sum', async () => {
  const { account } = await anAccountWithLog([0, 2]);
  await setRolledUpUntil(db, hourBefore(2));
  await rollUp(db, { now: lastHourIsDue });
  const answer = await ask(account, { from: inHourBefore(2).toISOString(), to });
  const counted = {
    activity: noActivity,
    events: 1,
    deliveries: { delivered: 2, failed: 2, dropped: 0, cancelled: 2 },
    attempts: { made: 8, failed: 6 },
    latency_ms: { p50: 3, p95: 10_000, p99: 10_000 },
  };
  const nothing = {
    activity: noActivity,
    events: 0,
    deliveries: { delivered: 0, failed: 0, dropped: 0, cancelled: 0 },
    attempts: { made: 0, failed: 0 },
    latency_ms: null,
  };
  const at = (hours: number) => hourBefore(hours).toISOString();
  expect(answer.points).toEqual([
    { at: at(2), ...counted },
    { at: at(1), ...nothing },
    { at: at(0), ...counted },
  ]);
  expect(answer.total).toEqual({
    activity: noActivity,
    events: 2,
    deliveries: { delivered: 4, failed: 4, dropped: 0, cancelled: 4 },
    attempts: { made: 16, failed: 12 },
    latency_ms: { p50: 3, p95: 10_000, p99: 10_000 },
  });
  expect(answer).toMatchObject({ from: at(2), before: null, live_capped: false });
});

test('the numbers are the same wherever rolled up hours end and the live ones begin', async () => {
  const hours = [0, 1, 2, 3];
  const { account, webhookIds } = await anAccountWithLog(hours);
  const ofWebhook = { webhook_id: showId('webhook', webhookIds[0] ?? '') };
  const queries = [
    {},
    ofWebhook,
    { event: 'new_message' },
    { ...ofWebhook, event: 'tag_applied' },
    { interval: 'day' },
  ];
  const from = inHourBefore(3).toISOString();
  const askAll = async () => {
    const answers = [];
    for (const query of queries) {
      const { points, total, rolled_up_until } = await ask(account, { ...query, from, to });
      answers.push({ points, total });
      expect(new Date(rolled_up_until)).toEqual(until);
    }
    return answers;
  };
  let until = hourBefore(3);
  await setRolledUpUntil(db, until);
  const live = await askAll();
  expect(live[0]?.total).toMatchObject({
    events: 4,
    deliveries: { delivered: 8, cancelled: 8 },
    attempts: { made: 32 },
  });
  expect(live[1]?.total).toMatchObject({ events: null, deliveries: { delivered: 4, cancelled: 4 } });
  expect(live[2]?.total).toMatchObject({ events: 4, deliveries: { delivered: 8, cancelled: 0 } });
  expect(live[3]?.total).toMatchObject({ events: null, deliveries: { delivered: 0, cancelled: 4 } });
  await rollUp(db, { now: lastHourIsDue });
  for (const hoursBefore of [...hours, -1]) {
    until = hourBefore(hoursBefore);
    await setRolledUpUntil(db, until);
    expect(await askAll()).toEqual(live);
  }
});

test('an account has the statistics of its own, and none of another, not by the id of a webhook either', async () => {
  const { account, webhookIds } = await anAccountWithLog([1]);
  const stranger = await api.createAccount();
  for (const until of [hourBefore(2), hourBefore(-1)]) {
    await setRolledUpUntil(db, hourBefore(2));
    await rollUp(db, { now: lastHourIsDue });
    await setRolledUpUntil(db, until);
    const times = { from: hourBefore(2).toISOString(), to };
    const asked = { webhook_id: showId('webhook', webhookIds[0] ?? ''), ...times };
    expect((await ask(account, asked)).total).toMatchObject({ attempts: { made: 4 } });
    for (const query of [asked, times])
      expect((await ask(stranger, query)).total).toMatchObject({ attempts: { made: 0 }, latency_ms: null });
  }
});

test('a series tells messages, contacts, first answers and runs, but not of one webhook or event', async () => {
  const { account, webhookIds } = await anAccountWithLog([0]);
  const talk = await aPastConversation(db, { accountId: account.accountId, at: inHourBefore(0) });
  await aPastMessage(db, talk, { at: inHourBefore(0, 31), direction: 'inbound' });
  await aPastMessage(db, talk, { at: inHourBefore(0, 36), direction: 'outbound' });
  await setActivityRolledUpUntil(db, hourBefore(0));
  const from = hourBefore(0).toISOString();
  expect((await ask(account, { from, to })).total.activity).toEqual({
    ...noActivity,
    messages: { received: 1, sent: 1 },
    new_contacts: 1,
    // The middle of five to ten minutes, and nearly its end.
    first_answers: { count: 1, median_ms: 450_000, p95_ms: 585_000 },
  });
  const ofWebhook = { webhook_id: showId('webhook', webhookIds[0] ?? '') };
  for (const query of [ofWebhook, { event: 'new_message' }])
    expect((await ask(account, { from, to, ...query })).total.activity).toBeNull();
});

test('a period is compared with as many hours before it', async () => {
  const { account } = await anAccountWithLog([0, 1, 2, 3, 3, 4]);
  await setRolledUpUntil(db, hourBefore(4));
  await rollUp(db, { now: lastHourIsDue });
  const { total, before } = await ask(account, { from: hourBefore(1).toISOString(), to, compare: 'true' });
  expect(total.events).toBe(2);
  expect(before).toMatchObject({
    from: hourBefore(3).toISOString(),
    to: hourBefore(1).toISOString(),
    total: { events: 3, attempts: { made: 24 } },
  });
});

test('what a deleted webhook had is counted, whether it is rolled up or not', async () => {
  const account = await api.createAccount();
  const { accountId } = account;
  const webhookId = await aPastWebhook(db, accountId, { deletedAt: inHourBefore(1) });
  await aPastDelivery(db, { accountId, webhookId, at: inHourBefore(1), attempts: [{}] });
  await setRolledUpUntil(db, hourBefore(2));
  const count = async () => (await ask(account, { from: inHourBefore(1).toISOString(), to })).total.attempts.made;
  expect(await count()).toBe(1);
  await rollUp(db, { now: lastHourIsDue });
  expect(await count()).toBe(1);
});

test('a webhook that is there counts however many younger ones were deleted, and so does a deleted one that is asked for', async () => {
  const account = await api.createAccount();
  const { accountId } = account;
  const there = await aPastWebhook(db, accountId);
  const deleted = await aPastWebhook(db, accountId, { deletedAt: inHourBefore(1) });
  for (const webhookId of [there, deleted])
    await aPastDelivery(db, { accountId, webhookId, at: inHourBefore(1), attempts: [{}] });
  await haveDeletedWebhooks(db, accountId, { count: 300 });
  await setRolledUpUntil(db, hourBefore(2));
  const times = { from: inHourBefore(1).toISOString(), to };
  const count = async (query = {}) => (await ask(account, { ...times, ...query })).total.attempts.made;
  expect(await count()).toBe(1);
  expect(await count({ webhook_id: showId('webhook', deleted) })).toBe(1);
});

test('an hour belongs to the day in which it begins, on the clock that is asked for', async () => {
  const account = await api.createAccount();
  const { accountId } = account;
  const midnight = hourBefore(36).getTime();
  const days = async (time_zone: string, hours = 24) => {
    const { points } = await ask(account, {
      interval: 'day',
      time_zone,
      from: new Date(midnight - 1).toISOString(),
      to: new Date(midnight + hours * hourMs).toISOString(),
    });
    return points.map(({ events }) => events);
  };
  await setRolledUpUntil(db, new Date(midnight - 24 * hourMs));
  // 23:10, 00:10, 18:45 and 20:00 in UTC: in India, five and a half hours later, the third is 00:15 of the next day.
  for (const minutes of [-50, 10, 18 * 60 + 45, 20 * 60])
    await aPastEvent(db, { accountId, at: new Date(midnight + minutes * 60_000) });
  const read = async () => ({
    utc: await days('UTC'),
    honolulu: await days('Pacific/Honolulu'),
    india: await days('Asia/Kolkata'),
    // Up to its midnight, which is in the midst of an hour.
    aDayInIndia: await days('Asia/Kolkata', 18.5),
  });
  const live = await read();
  expect(live).toEqual({ utc: [1, 3], honolulu: [2, 2], india: [3, 1], aDayInIndia: [3] });
  await rollUp(db, { now: lastHourIsDue });
  await rollUp(db, { now: lastHourIsDue });
  expect(await read()).toEqual(live);
});

test.for(['delivered', 'retrying', 'parked', 'failed', 'cancelled'] as const)(
  'of hours that are not rolled up no more deliveries that are %s are read than so many, and the answer says so',
  async (status) => {
    const { accountId } = await api.createAccount();
    const webhookId = await aPastWebhook(db, accountId);
    await setRolledUpUntil(db, hourBefore(1));
    for (let index = 0; index < 4; index += 1)
      await aPastDelivery(db, { accountId, webhookId, at: inHourBefore(0), status });
    const times = { starts: [hourBefore(0)], end: hourBefore(-1) };
    expect(await readStatistics(db, { accountId }, { ...times, cap: 5 })).toMatchObject({ isCapped: false });
    expect(await readStatistics(db, { accountId }, { ...times, cap: 4 })).toMatchObject({ isCapped: true });
  },
);

test('of hours that are not rolled up no more than so many are read of each kind, and the answer says so', async () => {
  const { account, webhookIds } = await anAccountWithLog([0, 0, 0, 1, 1, 1]);
  await setRolledUpUntil(db, hourBefore(1));
  const starts = [hourBefore(1), hourBefore(0)];
  const read = (cap: number, asked = {}) =>
    readStatistics(db, { accountId: account.accountId, ...asked }, { starts, end: hourBefore(-1), cap });
  const { points, total, isCapped } = await read(4);
  expect(isCapped).toBe(true);
  expect(points.map(({ tally }) => tally.event)).toEqual([1, 3]);
  expect({ ended: total.failed + total.cancelled, succeeded: total.succeeded }).toEqual({ ended: 4, succeeded: 4 });
  expect(await read(100)).toMatchObject({ isCapped: false, total: { event: 6, succeeded: 12, failed: 12 } });
  // What the cap has left out may be what is asked for.
  expect(await read(4, { eventName: 'order_placed' })).toMatchObject({ isCapped: true, total: { event: 0 } });
  expect(await read(4, { webhookId: webhookIds[0] })).toMatchObject({ isCapped: true });
});

test('of hours that are not rolled up no more attempts are read than five for each delivery, and the answer says so', async () => {
  const { accountId } = await api.createAccount();
  const webhookId = await aPastWebhook(db, accountId);
  await setRolledUpUntil(db, hourBefore(1));
  const failures = (count: number) => Array.from({ length: count }, () => ({ outcome: 'failed' }) as const);
  const one = { accountId, webhookId, at: inHourBefore(0) };
  await aPastDelivery(db, { ...one, status: 'dropped', attempts: failures(6) });
  const delivered = await aPastDelivery(db, { ...one, attempts: [...failures(3), {}] });
  const read = () => readStatistics(db, { accountId }, { starts: [hourBefore(0)], end: hourBefore(-1), cap: 2 });
  expect(await read()).toMatchObject({ isCapped: false, total: { unsuccessful: 9, succeeded: 1 } });
  await aPastAttempt(db, delivered, { at: inHourBefore(0), number: 5 });
  expect(await read()).toMatchObject({ isCapped: true });
});

test('what cannot be asked is told with where and why', async () => {
  const account = await api.createAccount();
  type Refusal = { error: { details: { path: string; message: string }[] } };
  const refused = async (query: Record<string, string>) =>
    (await ask<Refusal>(account, query, 422)).error.details.map(({ path, message }) => `${path} ${message}`);
  expect(await refused({ interval: 'minute', time_zone: 'Mars/Base', event: 'x', webhook_id: 'y', more: 'z' })).toEqual(
    [
      'interval must be hour or day',
      'time_zone must be an IANA time zone such as "Europe/Berlin"',
      'webhook_id is not the id of a webhook',
      expect.stringMatching(/^event must be of new_message, /),
      expect.stringMatching(/^more /),
    ],
  );
  expect(await refused({ from: '2026-01-01', to: '2026-03-01' })).toEqual([
    'from must be at most 31 days before `to` for the interval hour',
  ]);
  expect(await refused({ from: '9000-01-01' })).toEqual(['from must be before now, and before `to`']);
});
