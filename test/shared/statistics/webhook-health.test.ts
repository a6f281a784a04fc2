import { afterEach, beforeEach, expect, test } from 'vitest';
import { endRound } from '../../../src/shared/deliveries/rounds.ts';
import { newUuid } from '../../../src/shared/ids.ts';
import type { Database } from '../../../src/shared/platform/db/connect.ts';
import { readWebhookHealth } from '../../../src/shared/statistics/read-webhook-health.ts';
import { rollUp } from '../../../src/shared/statistics/roll-up.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { aDelivery, failAttempts } from '../../helpers/deliveries.ts';
import { aBareAccount } from '../../helpers/states/accounts.ts';
import { aPastDelivery, aPastWebhook, setRolledUpUntil } from '../../helpers/states/statistics.ts';
import { disableWebhook } from '../../helpers/states/webhooks.ts';

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

const read = async (id = webhookId) => (await readWebhookHealth(db, [id]))(id);
const isFailing = async (id?: string) => (await read(id)).failing_since !== null;
const add = (status: 'pending' | 'delivered', isTest = false) =>
  aDelivery(db, { accountId, webhookId, status, isTest });
const fail = (deliveryId: string, times: number, from = 1) => failAttempts(db, deliveryId, { times, from });

test('a webhook is failing once a delivery has failed twice, and no longer when one succeeds', async () => {
  expect(await isFailing()).toBe(false);
  await add('delivered');
  const first = await add('pending');
  await fail(first, 1);
  expect(await isFailing()).toBe(false);
  const since = new Date();
  await fail(first, 1, 2);
  expect(new Date((await read()).failing_since ?? 0).getTime()).toBeLessThanOrEqual(since.getTime());
  expect(await isFailing()).toBe(true);
  await add('delivered');
  expect(await isFailing()).toBe(false);
});

test('a webhook stays failing after its last delivery was dropped, until one succeeds', async () => {
  const lost = await add('pending');
  await fail(lost, 6);
  await endRound(db, { deliveryId: lost, round: 1 }, 'dropped');
  expect(await isFailing()).toBe(true);
  await add('delivered');
  expect(await isFailing()).toBe(false);
});

test('a webhook that is disabled, or has changed since, is not failing', async () => {
  const first = await add('pending');
  await fail(first, 2);
  await disableWebhook(db, webhookId);
  expect(await isFailing()).toBe(false);
  const changed = await aPastWebhook(db, accountId, { generation: 2 });
  const before = await aDelivery(db, { accountId, webhookId: changed, status: 'pending' });
  await fail(before, 2);
  expect(await isFailing(changed)).toBe(false);
});

test('an event that tests a webhook neither makes it failing nor counts', async () => {
  await fail(await add('pending', true), 2);
  expect(await isFailing()).toBe(false);
  expect((await read()).success_rate).toBeNull();
});

test('failing is seen behind more deliveries that wait for a first retry than are read', async () => {
  await add('delivered');
  const oldest = await add('pending');
  await fail(oldest, 2);
  for (let number = 0; number < 101; number += 1) await fail(await add('pending'), 1);
  expect(await isFailing()).toBe(true);
});

test('the day of a webhook has rolled up hours and the present one, with its success rate', async () => {
  const thisHour = new Date(Math.floor(Date.now() / hourMs) * hourMs);
  const hoursAgo = (hours: number) => new Date(thisHour.getTime() - hours * hourMs);
  for (const hours of [25, 5, 4]) {
    const at = new Date(hoursAgo(hours).getTime() + 60_000);
    await aPastDelivery(db, { accountId, webhookId, at, attempts: [{ outcome: 'failed' }, {}] });
  }
  await setRolledUpUntil(db, hoursAgo(25));
  await rollUp(db, { now: new Date(hoursAgo(-1).getTime() + 6 * 60_000) });
  await setRolledUpUntil(db, thisHour);
  await add('delivered');
  await add('delivered');
  const waiting = await add('pending');
  await fail(waiting, 1);
  const { hours, success_rate } = await read();
  expect(hours).toHaveLength(24);
  expect(hours.filter(({ succeeded, failed }) => succeeded + failed > 0)).toEqual([
    { at: hoursAgo(5).toISOString(), succeeded: 1, failed: 1 },
    { at: hoursAgo(4).toISOString(), succeeded: 1, failed: 1 },
    { at: thisHour.toISOString(), succeeded: 2, failed: 1 },
  ]);
  expect(success_rate).toBeCloseTo(4 / 7);
});

test('webhooks of one page have each their own health', async () => {
  const other = await aPastWebhook(db, accountId);
  await fail(await add('pending'), 2);
  await aDelivery(db, { accountId, webhookId: other, status: 'delivered' });
  const healthOf = await readWebhookHealth(db, [webhookId, other, newUuid()]);
  expect(healthOf(webhookId)).toMatchObject({ success_rate: 0, failing_since: expect.any(String) });
  expect(healthOf(other)).toMatchObject({ success_rate: 1, failing_since: null });
});
