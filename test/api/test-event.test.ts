import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { readId, showId } from '../../src/shared/ids.ts';
import { deliveryWork } from '../../src/shared/deliveries/work.ts';
import { asItem } from '../../src/shared/platform/dispatch/work.ts';
import { aDelivery, aPendingRow } from '../helpers/deliveries.ts';
import { startLiveApi, type LiveApi } from '../helpers/live-world.ts';
import { startReceiver, verifySignature, type Receiver } from '../helpers/receiver.ts';
import { movePlan } from '../helpers/states/accounts.ts';
import { disableWebhook, anUnverifiedWebhook } from '../helpers/states/webhooks.ts';
import { listUsers } from '../../src/shared/users/queries.ts';
import { createSession } from '../../src/shared/accounts/sessions.ts';

type Delivery = { id: string; status: string; event: string; contact_id: string | null; attempts: object[] };

let live: LiveApi;
let world: LiveApi['world'];
let api: LiveApi['api'];
let key: string;
let receiver: Receiver;

beforeAll(async () => {
  live = await startLiveApi({ eager: false });
  ({ world, api, key } = live);
});
afterAll(() => live.stop());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const send = (webhookId: string, body: object = {}) =>
  api.request<Delivery>('POST', `/v1/webhooks/${showId('webhook', webhookId)}/test`, { key, body });

const ended = (id: string) =>
  vi.waitFor(async () => {
    const { body } = await api.request<Delivery>('GET', `/v1/deliveries/${id}`, { key });
    expect(body.status).not.toBe('pending');
    return body;
  }, 60_000);

test('sends one signed sample of the first subscribed event, and the delivery tells what came of it', async () => {
  const webhookId = await world.aWebhook({ url: receiver.url(), events: ['order_placed', 'new_contact'] });
  const { status, body } = await send(webhookId);
  expect(status).toBe(202);
  expect(body).toMatchObject({ status: 'pending', is_test: true, event: 'order_placed', contact_id: null });
  expect(await ended(body.id)).toMatchObject({
    status: 'delivered',
    is_test: true,
    attempts: [{ outcome: 'succeeded' }],
  });
  const [request, ...more] = receiver.requests;
  expect(more).toEqual([]);
  expect(JSON.parse(String(request?.rawBody))).toMatchObject({
    id: body.id,
    event: 'order_placed',
    data: { contact_id: expect.stringMatching(/^con_/), channel: 'api', order: expect.anything() },
  });
  const signature = request?.headers['x-service-signature'];
  expect(verifySignature(request?.rawBody ?? Buffer.of(), 'a-secret', signature)).toBe(true);
});

test('its id is by the clock of the database, whatever this machine takes for the time', async () => {
  const webhookId = await world.aWebhook({ url: receiver.url() });
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * 86_400_000 });
  const { body } = await send(webhookId);
  vi.useRealTimers();
  const id = readId('delivery', body.id);
  expect(await world.db`select where uuid_extract_timestamp(${id}::uuid) > now()`).toHaveLength(0);
  await ended(body.id);
});

test('the body may be left out', async () => {
  const webhookId = await world.aWebhook({ url: receiver.url(), events: ['new_contact'] });
  const path = `/v1/webhooks/${showId('webhook', webhookId)}/test`;
  const { status, body } = await api.request<Delivery>('POST', path, { key });
  expect(status).toBe(202);
  expect(body.event).toBe('new_contact');
});

test('one that fails is not tried again and leaves the webhook active, with nobody told', async () => {
  receiver.respondWith(500);
  const webhookId = await world.aWebhook({ url: receiver.url() });
  const { body } = await send(webhookId, { event: 'conversation_closed' });
  expect(await ended(body.id)).toMatchObject({
    status: 'failed',
    next_attempt_at: null,
    finished_at: expect.any(String),
  });
  expect(await world.ended(readId('delivery', body.id))).toMatchObject({ status: 'failed' });
  expect(await world.delivery(readId('delivery', body.id))).toMatchObject({ attemptsMade: 1, sweepAt: null });
  expect(receiver.requests).toHaveLength(1);
  expect(await world.db`select 1 from webhooks where id = ${webhookId} and status = 'active'`).toHaveLength(1);
  expect(await world.db`select 1 from mails`).toHaveLength(0);
});

test('is refused with 409 while the webhook is disabled: for its failures, or as nobody has verified it', async () => {
  const failing = await world.aWebhook({ url: receiver.url() });
  await disableWebhook(world.db, failing);
  expect((await send(failing)).status).toBe(409);
  const unverified = await anUnverifiedWebhook(world.db, world.accountId);
  const [owner] = await listUsers(world.db, world.accountId, { limit: 1 });
  const session = await createSession(world.db, owner?.id ?? '');
  const path = `/dashboard/api/webhooks/${showId('webhook', unverified)}/test`;
  expect((await api.request('POST', path, { session, body: {} })).status).toBe(409);
  expect(
    await world.db`select 1 from deliveries where webhook_id = any(${[failing, unverified]}::uuid[])`,
  ).toHaveLength(0);
});

test('is refused: an event that there is not (422), another variant (404), a plan without webhooks (403)', async () => {
  const [a, b] = [
    await world.aWebhook({ url: receiver.url() }),
    await world.aWebhook({ url: receiver.url(), variant: 'dashboard' }),
  ];
  expect((await send(a, { event: 'lost' })).status).toBe(422);
  expect((await send(b)).status).toBe(404);
  await movePlan(world.db, world.accountId, 'free');
  expect((await send(a)).status).toBe(403);
  await movePlan(world.db, world.accountId, 'pro');
  expect(receiver.requests).toEqual([]);
});

test('one whose webhook was disabled before its attempt ends as cancelled: a test is not kept for later', async () => {
  const webhookId = await world.aWebhook({ url: receiver.url() });
  const row = await aPendingRow(world.db, { accountId: world.accountId, webhookId });
  const id = await aDelivery(world.db, { accountId: world.accountId, webhookId, status: 'pending', isTest: true });
  await disableWebhook(world.db, webhookId);
  world.dispatcher.dispatch([asItem(deliveryWork, { ...row, id, isTest: true })]);
  expect((await ended(showId('delivery', id))).status).toBe('cancelled');
  expect(receiver.requests).toEqual([]);
});

test('counts for nothing in the metrics of deliveries', async () => {
  const counted = async () => world.metrics.registry.getSingleMetricAsString('parley_deliveries_total');
  const before = await counted();
  const { body } = await send(await world.aWebhook({ url: receiver.url() }));
  expect((await ended(body.id)).status).toBe('delivered');
  expect(await counted()).toBe(before);
});
