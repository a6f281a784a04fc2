import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApiKey } from '../../src/shared/accounts/api-keys.ts';
import { replayDelivery } from '../../src/shared/deliveries/replay.ts';
import { showId } from '../../src/shared/ids.ts';
import { startApi, type TestApi } from '../helpers/api.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../helpers/delivery-world.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { disableWebhook, retireWebhooks } from '../helpers/states/webhooks.ts';
import { untold } from '../helpers/untold.ts';

let world: DeliveryWorld;
let api: TestApi;
let receiver: Receiver;
let key: string;
let webhookId: string;

beforeAll(async () => {
  [world, receiver] = await Promise.all([startDeliveryWorld(), startReceiver()]);
  api = await startApi({ world });
  ({ value: key } = await createApiKey(untold(world.db), world.accountId, 'test'));
});
beforeEach(async () => {
  await retireWebhooks(world.db);
  webhookId = await world.aWebhook({ url: receiver.url('/hook') });
  world.metrics.registry.resetMetrics();
});
afterAll(async () => {
  await api.stop();
  await Promise.all([world.stop(), receiver.close()]);
});

/** How many rounds were counted, by the status that they ended with. */
const counted = async (): Promise<Record<string, number>> => {
  const text = await world.metrics.registry.getSingleMetricAsString('parley_deliveries_total');
  const samples = text.matchAll(/^parley_deliveries_total\{status="(\w+)",way="workflow"\} (\d+)$/gm);
  return Object.fromEntries(Array.from(samples, ([, status = '', count]) => [status, Number(count)]));
};

const aRound = async () => {
  const [id = ''] = await world.anEvent();
  return { id, deliveryId: showId('delivery', id), round: 1 };
};

const attempt = ({ deliveryId, round }: { deliveryId: string; round: number }) =>
  world.attempt({ deliveryId, round, kind: 'scheduled', number: 1 });

/** The status of an ended round, whether the activity answers it alone or with more. */
const statusOf = (end: string | { status: string }): string => (typeof end === 'string' ? end : end.status);

const cancel = async ({ deliveryId }: { deliveryId: string }, headers = {}) =>
  (await api.request('POST', `/v1/deliveries/${deliveryId}/cancel`, { key, headers })).status;

test.each([
  { activity: 'disableWebhook', status: 'failed' },
  { activity: 'dropDelivery', status: 'dropped' },
  { activity: 'cancelDelivery', status: 'cancelled' },
] as const)('a round that $activity ends is counted once, however often it is called', async ({ activity, status }) => {
  const round = await aRound();
  for (let call = 0; call < 3; call += 1) expect(statusOf(await world.activities[activity](round))).toBe(status);
  expect(await counted()).toEqual({ [status]: 1 });
});

test('a delivered and a parked round are counted once, however often their attempt is called', async () => {
  receiver.respondWith(200);
  const delivered = await aRound();
  for (let call = 0; call < 2; call += 1) expect(await attempt(delivered)).toMatchObject({ outcome: 'succeeded' });
  const parked = await aRound();
  await disableWebhook(world.db, webhookId);
  for (let call = 0; call < 2; call += 1) {
    expect(await attempt(parked)).toEqual({ type: 'stopped', status: 'parked' });
  }
  expect(await counted()).toEqual({ delivered: 1, parked: 1 });
});

test('a cancellation by the API is counted where it is decided, once, and not again by a workflow that hears of it', async () => {
  const round = await aRound();
  const headers = { 'idempotency-key': 'once' };
  expect([await cancel(round, headers), await cancel(round, headers), await cancel(round)]).toEqual([202, 202, 202]);
  expect(await world.activities.cancelDelivery(round)).toBe('cancelled');
  expect(await counted()).toEqual({ cancelled: 1 });
});

test('an old round that comes to its end while the new one is in progress is not counted as pending', async () => {
  const round = await aRound();
  await cancel(round);
  const scope = { accountId: world.accountId, variants: ['api'] } as const;
  await world.transact((tx) => replayDelivery(tx, scope, round.id));
  for (const activity of ['cancelDelivery', 'dropDelivery', 'disableWebhook'] as const) {
    expect(statusOf(await world.activities[activity](round))).toBe('pending');
  }
  expect(await attempt(round)).toEqual({ type: 'stopped', status: 'pending' });
  expect(await counted()).toEqual({ cancelled: 1 });
});

test('a success that comes after its round was cancelled ends no round a second time', async () => {
  const round = await aRound();
  receiver.respondWith(async () => {
    await cancel(round);
    return 200;
  });
  expect(await attempt(round)).toMatchObject({ outcome: 'succeeded' });
  expect(await world.delivery(round.id)).toMatchObject({ status: 'delivered' });
  expect(await counted()).toEqual({ cancelled: 1 });
});

test('a success that is recorded late is counted then', async () => {
  const round = await aRound();
  const late = { startedAt: new Date().toISOString(), generation: 1, outcome: 'succeeded', durationMs: 1 } as const;
  const attemptKey = { deliveryId: round.deliveryId, round: 1, kind: 'scheduled', number: 1 } as const;
  for (let call = 0; call < 2; call += 1) await world.activities.recordAttempt(attemptKey, late);
  expect(await counted()).toEqual({ delivered: 1 });
});
