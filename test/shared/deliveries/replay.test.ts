import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { replayDelivery } from '../../../src/shared/deliveries/replay.ts';
import { showId } from '../../../src/shared/ids.ts';
import { lockWebhook } from '../../../src/shared/webhooks/locks.ts';
import { untilSomebodyWaits } from '../../helpers/database.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../helpers/delivery-world.ts';
import { startReceiver, type Receiver } from '../../helpers/receiver.ts';
import { disableWebhook, retireWebhooks } from '../../helpers/states/webhooks.ts';
import { skipToRound } from '../../helpers/states/deliveries.ts';
import { changed } from '../../../src/shared/facts/changed.ts';

let world: DeliveryWorld;
let receiver: Receiver;
let webhookId: string;

beforeAll(async () => {
  [world, receiver] = await Promise.all([startDeliveryWorld(), startReceiver()]);
});
beforeEach(async () => {
  await retireWebhooks(world.db);
  receiver.respondWith(200);
  webhookId = await world.aWebhook({ url: receiver.url('/hook') });
});
afterAll(async () => {
  await Promise.all([world.stop(), receiver.close()]);
});

const attempt = (id: string, round: number, number: number) =>
  world.attempt({ deliveryId: showId('delivery', id), round, kind: 'scheduled', number });

const replay = (id: string) =>
  world.transact((tx) => replayDelivery(tx, { accountId: world.accountId, variants: ['api'] }, id));

/** One that was delivered, and is being sent again. */
const aRedelivery = async () => {
  const [id = ''] = await world.anEvent();
  await attempt(id, 1, 1);
  expect((await world.delivery(id)).status).toBe('delivered');
  await replay(id);
  receiver.respondWith(500);
  return { id, round: { deliveryId: showId('delivery', id), round: 2 } };
};

const statusOf = async (id: string) => {
  const [row] =
    await world.db`select status, sweep_at is null as over, finished_at is null as unfinished from deliveries where id = ${id}`;
  return row;
};

test('a delivered delivery stays delivered through each failed attempt of its replay', async () => {
  const { id, round } = await aRedelivery();
  for (let number = 1; number <= 6; number += 1) {
    expect(await attempt(id, 2, number)).toMatchObject({ type: 'recorded', outcome: 'failed' });
    expect(await statusOf(id)).toEqual({ status: 'delivered', over: false, unfinished: true });
  }
  expect(await world.activities.disableWebhook(round)).toMatchObject({ status: 'delivered' });
  expect(await statusOf(id)).toEqual({ status: 'delivered', over: true, unfinished: false });
});

test('a delivered delivery stays delivered when its replay is cancelled, dropped or parked', async () => {
  for (const end of ['cancelDelivery', 'dropDelivery'] as const) {
    const { id, round } = await aRedelivery();
    receiver.respondWith(200);
    expect(await world.activities[end](round)).toBe('delivered');
    expect(await statusOf(id)).toEqual({ status: 'delivered', over: true, unfinished: false });
  }
  const { id } = await aRedelivery();
  await disableWebhook(world.db, webhookId);
  expect(await attempt(id, 2, 1)).toEqual({ type: 'stopped', status: 'delivered' });
  expect(await statusOf(id)).toEqual({ status: 'delivered', over: true, unfinished: false });
});

test('a replay after a hundred rounds is refused and begins nothing', async () => {
  const { id, round } = await aRedelivery();
  await world.activities.cancelDelivery(round);
  await skipToRound(world.db, id, 99);
  await replay(id);
  await world.activities.cancelDelivery({ ...round, round: 100 });
  await expect(replay(id)).rejects.toMatchObject({ code: 'conflict', message: expect.stringMatching(/100 rounds/) });
  expect(await world.delivery(id)).toMatchObject({ round: 100, sweepAt: null });
});

test('a webhook cannot be disabled between the check of a replay and its new round', async () => {
  const { id, round } = await aRedelivery();
  await world.activities.cancelDelivery(round);
  let disabled = false;
  const { promise: checked, resolve: goOn } = Promise.withResolvers<void>();
  const replaying = world.transact(async (tx) => {
    await replayDelivery(tx, { accountId: world.accountId, variants: ['api'] }, id);
    goOn();
    await untilSomebodyWaits(world.db);
    expect(disabled).toBe(false);
  });
  await checked;
  const disabling = world
    .transact(async ({ sql, tell }) => {
      await lockWebhook(sql, webhookId);
      await disableWebhook(sql, webhookId);
      await tell(changed(world.accountId, 'webhooks', 'deliveries'));
    })
    .then(() => (disabled = true));
  await Promise.all([replaying, disabling]);
  expect(await attempt(id, 3, 1)).toEqual({ type: 'stopped', status: 'delivered' });
});
