import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { findFirstAttempts } from '../../../../src/shared/deliveries/attempts.ts';
import { keepFirstRead } from '../../../../src/shared/deliveries/first-read.ts';
import { newUuid } from '../../../../src/shared/ids.ts';
import { receive } from '../../../../src/shared/messages/inbound/receive.ts';
import { startDeliveryWorld } from '../../../helpers/delivery-world.ts';
import { withFlows } from '../../../helpers/flow-world.ts';
import { deliveriesOf } from '../../../helpers/items.ts';
import { startReceiver } from '../../../helpers/receiver.ts';
import { disableWebhook, retireWebhooks } from '../../../helpers/states/webhooks.ts';

// The first attempt of an inbound message's delivery, for which the insert has read the webhook.

const [world, receiver] = await Promise.all([
  startDeliveryWorld({ workflowPerDelivery: 'on-failure', attemptsPerWebhook: 1 }).then(withFlows),
  startReceiver(),
]);
afterAll(async () => {
  await world.stop();
  await receiver.close();
});
beforeEach(async () => {
  receiver.respondWith([200]);
  await retireWebhooks(world.db);
});

const messageOf = (sender: string) => ({
  accountId: world.accountId,
  channelId: world.channelId,
  message: { message_id: newUuid(), sender: { external_id: sender }, text: 'Hello' },
});

const received = (path: string) => receiver.requests.filter((request) => request.path === path);

/** The deliveries of messages of somebody who has written before, to a webhook of their own. Nobody has handed them to the outbox. */
const deliveriesOfMessages = async (count: number) => {
  const path = `/${newUuid()}`;
  const sender = newUuid();
  await world.says(sender, 'Hello');
  const webhookId = await world.aWebhook({ url: receiver.url(path) });
  const before = world.dispatched.length;
  for (let made = 0; made < count; made += 1) await receive(world, messageOf(sender));
  const rows = deliveriesOf(world.dispatched.slice(before));
  expect(rows).toHaveLength(count);
  return { rows, path, webhookId };
};

/** For a delivery that a test cannot be without. */
const sure = <Value>(value: Value | undefined): Value => value ?? expect.fail('it is not there');

/** Tries again while the machine is too slow to begin an attempt at once. */
const atOnce = <Result>(work: () => Promise<Result | undefined>): Promise<Result> =>
  vi.waitUntil(work, { timeout: 60_000, interval: 0 });

test('the insert of a delivery reads what a later read would', async () => {
  const { row, read } = await atOnce(async () => {
    const [one] = (await deliveriesOfMessages(1)).rows;
    const taken = one?.firstRead?.take();
    return one && taken?.due && { row: one, read: taken.due };
  });
  const later = sure((await findFirstAttempts(world.db, [row.id])).get(row.id));
  const { startedAt, leaseMs, body, ...rest } = later;
  expect(read).toMatchObject(rest);
  expect(Object.keys(read)).toEqual(expect.arrayContaining(Object.keys(later)));
  expect(Buffer.from(read.body)).toEqual(Buffer.from(body));
  expect(read.leaseMs).toBeGreaterThanOrEqual(leaseMs ?? 0);
  expect(read.startedAt.getTime()).toBeLessThanOrEqual(startedAt.getTime());
});

test('an attempt that begins at once needs no read of its own', async () => {
  const { row, path } = await atOnce(async () => {
    const { rows, ...rest } = await deliveriesOfMessages(1);
    const one = sure(rows[0]);
    const take = vi.spyOn(sure(one.firstRead), 'take');
    await world.outbox.send(one);
    return take.mock.results[0]?.value && { row: one, ...rest };
  });
  expect(received(path)).toHaveLength(1);
  expect(await world.delivery(row.id)).toMatchObject({ status: 'delivered', attemptsMade: 1 });
  expect(await world.attempts(row.id)).toMatchObject([{ outcome: 'succeeded', statusCode: 200 }]);
});

test('a delivery that waits for a slot is read again, so that a disabled webhook gets nothing', async () => {
  const { rows, path, webhookId } = await deliveriesOfMessages(2);
  const [first, second] = [sure(rows[0]), sure(rows[1])];
  const gate = Promise.withResolvers<void>();
  receiver.respondWith(async () => {
    await gate.promise;
    return 200;
  });
  const sending = [world.outbox.send(first), world.outbox.send(second)];
  expect(second.firstRead?.take()).toBeUndefined();
  await vi.waitUntil(() => received(path).length === 1);
  await disableWebhook(world.db, webhookId);
  gate.resolve();
  await Promise.all(sending);
  expect(received(path)).toHaveLength(1);
  expect(await world.delivery(second.id)).toMatchObject({ status: 'parked', attemptsMade: 0 });
});

test('what the insert has read 100 ms ago is read again, so that a disabled webhook gets nothing', async () => {
  const { rows, path, webhookId } = await deliveriesOfMessages(1);
  const row = sure(rows[0]);
  const insertedMs = performance.now();
  await disableWebhook(world.db, webhookId);
  await vi.waitUntil(() => performance.now() > insertedMs + 100);
  await world.outbox.send(row);
  expect(received(path)).toEqual([]);
  expect(await world.delivery(row.id)).toMatchObject({ status: 'parked', attemptsMade: 0 });
});

test('a first read is given once, and never of a webhook that may not be sent to', async () => {
  const { rows } = await deliveriesOfMessages(1);
  const due = (await findFirstAttempts(world.db, [rows[0]?.id ?? ''])).values().next().value;
  const read = (of: typeof due) => ({ due: of, askedMs: performance.now(), readMs: performance.now() });
  const kept = keepFirstRead(read(due));
  expect([kept.take()?.due, kept.take()]).toEqual([due, undefined]);
  const unmet = due && { ...due, unmet: 'webhook_disabled' as const };
  expect(keepFirstRead(read(unmet)).take()).toBeUndefined();
  const forgotten = keepFirstRead(read(due));
  forgotten.forget();
  expect(forgotten.take()).toBeUndefined();
});
