import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { cancelDelivery, retryDelivery } from '../../../../src/shared/deliveries/actions.ts';
import { deleteWebhook } from '../../../../src/shared/deliveries/delete-webhook.ts';
import { replayDelivery } from '../../../../src/shared/deliveries/replay.ts';
import { deliveryWork } from '../../../../src/shared/deliveries/work.ts';
import { newUuid, showId } from '../../../../src/shared/ids.ts';
import { asItem } from '../../../../src/shared/platform/dispatch/work.ts';
import { updateWebhook } from '../../../../src/shared/webhooks/manage.ts';
import { aPendingRow } from '../../../helpers/deliveries.ts';
import { startDeliveryWorld } from '../../../helpers/delivery-world.ts';
import { holdLock } from '../../../helpers/locks.ts';
import { startReceiver, verifySignature } from '../../../helpers/receiver.ts';
import { clientOfSilence } from '../../../helpers/silent-temporal.ts';
import { disableWebhook, retireWebhooks } from '../../../helpers/states/webhooks.ts';
import { untold } from '../../../helpers/untold.ts';

// What is asked of a delivery while its first attempt is on its way.

/** Names of the receiver. Each is looked up once, because its connection is kept. */
const names = Array.from({ length: 10 }, (_, index) => `receiver-${index}.example`);
const unused = names.values();

let gate = Promise.withResolvers<void>();
let lookedUp = Promise.withResolvers<void>();

const [world, receiver] = await Promise.all([
  startDeliveryWorld({
    workflowPerDelivery: 'on-failure',
    sends: true,
    lookup: async () => {
      lookedUp.resolve();
      await gate.promise;
      return [{ address: '127.0.0.1', family: 4 }];
    },
  }),
  startReceiver({ certificateFor: ['127.0.0.1', ...names] }),
]);
afterAll(async () => {
  await world.stop();
  await receiver.close();
});

beforeEach(async () => {
  gate = Promise.withResolvers();
  lookedUp = Promise.withResolvers();
  await retireWebhooks(world.db);
});

const scope = { accountId: world.accountId, variants: ['api'] } as const;
const until = (condition: () => boolean | Promise<boolean>) =>
  vi.waitUntil(condition, { timeout: 30_000, interval: 10 });
const received = (path: string) => receiver.requests.filter((request) => request.path === path);

/** Hears which workflows Temporal is asked for, and tells those of one delivery. The sweep may ask for those of other tests. */
const listen = async (): Promise<(workflowId: string) => string[]> => {
  const asked = new Set<string>();
  const startWithDetails = async ({ options }: { options: { workflowId: string } }) => {
    asked.add(options.workflowId);
    return { runId: newUuid(), eagerlyStarted: false };
  };
  world.useClient(await clientOfSilence({ interceptors: { workflow: [{ startWithDetails }] } }));
  onTestFinished(() => world.useClient(undefined));
  return (workflowId) => [...asked].filter((id) => id.startsWith(workflowId));
};

/** How far a first attempt has come: what was read is not sent, waits for its answer, or has it and is not recorded. */
const moments = ['read', 'sent', 'answered'] as const;
type Moment = (typeof moments)[number];

/** A delivery held at a moment of its first attempt. `finish` lets it go on to the answer, and waits until that is recorded. */
const heldAt = async (moment: Moment, answer: 200 | 500) => {
  const path = `/${crypto.randomUUID()}`;
  const host = moment === 'read' ? unused.next().value : undefined;
  const webhookId = await world.aWebhook({ url: receiver.url(path, host) });
  receiver.respondWith(async () => {
    if (moment === 'sent') await gate.promise;
    return answer;
  });
  const lock =
    moment === 'answered' ? await holdLock(world.db, (sql) => sql`lock table attempts in exclusive mode`) : undefined;
  const [id = ''] = await world.anEvent();
  if (moment === 'read') await lookedUp.promise;
  if (moment === 'sent') await until(() => received(path).length === 1);
  await lock?.hasStopped('insert into attempts');
  const finish = async (): Promise<void> => {
    gate.resolve();
    await lock?.letThrough();
    await world.firstAttempt(id);
    await world.outbox.drain();
    await world.dispatcher.drain();
  };
  return { id, path, webhookId, workflowId: `delivery/${showId('delivery', id)}`, finish };
};

describe.each(moments)('while its first attempt is %s', (moment) => {
  test('retry and replay are refused, and the delivery is sent once', async () => {
    const { id, path, finish } = await heldAt(moment, 200);
    const deps = { db: world.db, temporal: () => undefined };
    await expect(retryDelivery(deps, scope, id)).rejects.toThrow(/is under way/);
    await expect(world.transact((tx) => replayDelivery(tx, scope, id))).rejects.toThrow(/is already in progress/);
    expect(await world.delivery(id)).toMatchObject({ status: 'pending', round: 1 });
    await finish();
    expect(await world.delivery(id)).toMatchObject({ status: 'delivered', attemptsMade: 1, sweepAt: null });
    expect(received(path)).toHaveLength(1);
  });

  test.each([
    { answer: 200, end: 'delivered' },
    { answer: 500, end: 'cancelled' },
  ] as const)('a cancelled one ends at once, and as $end when the answer is $answer', async ({ answer, end }) => {
    const asked = await listen();
    const { id, path, workflowId, finish } = await heldAt(moment, answer);
    expect(await cancelDelivery(untold(world.db), scope, id)).toMatchObject({ status: 'cancelled', counts: true });
    expect(await cancelDelivery(untold(world.db), scope, id)).toMatchObject({ status: 'cancelled', counts: false });
    await finish();
    expect(await world.delivery(id)).toMatchObject({ status: end, sweepAt: null, nextAttemptAt: null });
    expect(received(path)).toHaveLength(1);
    expect(asked(workflowId)).toEqual([]);
    const round = { deliveryId: showId('delivery', id), round: 1 };
    expect(await world.activities.loadRound(round)).toMatchObject({ status: end, inProgress: false });
  });

  test.each([200, 500] as const)(
    'cancelling and replaying sends round 2, whatever the answer %i to round 1',
    async (answer) => {
      const asked = await listen();
      const { id, path, workflowId, finish } = await heldAt(moment, answer);
      await cancelDelivery(untold(world.db), scope, id);
      await world.transact((tx) => replayDelivery(tx, scope, id));
      // The second round waits for nothing of the first.
      if (moment === 'sent') await until(() => received(path).length === 2);
      await finish();
      await world.attemptsOf(id, 2);
      await world.drain();
      const attempts = (await world.attempts(id)).map(({ round, number }) => `round ${round}, attempt ${number}`);
      expect(new Set(attempts)).toEqual(new Set(['round 1, attempt 1', 'round 2, attempt 1']));
      expect(received(path)).toHaveLength(2);
      expect(await world.delivery(id)).toMatchObject({ status: answer === 200 ? 'delivered' : 'retrying', round: 2 });
      expect(asked(workflowId)).toEqual(answer === 200 ? [] : [`${workflowId}/round/2`]);
    },
  );

  test.each([
    { answer: 200, end: 'delivered' },
    { answer: 500, end: 'cancelled' },
  ] as const)(
    'one whose webhook is deleted is cancelled, and $end when the answer is $answer',
    async ({ answer, end }) => {
      const { id, path, webhookId, finish } = await heldAt(moment, answer);
      await deleteWebhook(world, scope, webhookId);
      expect(await world.delivery(id)).toMatchObject({ status: 'cancelled', sweepAt: null });
      await finish();
      expect(await world.delivery(id)).toMatchObject({ status: end, sweepAt: null });
      expect(received(path)).toHaveLength(1);
    },
  );
});

test('an answer after the webhook was disabled counts, and the workflow parks a failed delivery', async () => {
  const asked = await listen();
  const { id, webhookId, workflowId, finish } = await heldAt('sent', 500);
  await disableWebhook(world.db, webhookId);
  await finish();
  expect(await world.delivery(id)).toMatchObject({ status: 'retrying', attemptsMade: 1 });
  expect(asked(workflowId)).toEqual([workflowId]);
  const attempt = { deliveryId: showId('delivery', id), round: 1, kind: 'scheduled', number: 2 } as const;
  expect(await world.attempt(attempt)).toEqual({ type: 'stopped', status: 'parked' });
});

test('a secret that replaces another after the commit signs the delivery', async () => {
  receiver.respondWith([200]);
  const webhookId = await world.aWebhook({ url: receiver.url('/rotated'), secret: 'the secret of before' });
  const row = await aPendingRow(world.db, { accountId: world.accountId, webhookId });
  await updateWebhook(world, scope, { id: webhookId, changes: { secret: 'the secret of now' } });
  world.dispatcher.dispatch([asItem(deliveryWork, row)]);
  await world.firstAttempt(row.id);
  const [request] = received('/rotated');
  const signature = request?.headers['x-service-signature'];
  expect(verifySignature(request?.rawBody ?? Buffer.alloc(0), 'the secret of now', signature)).toBe(true);
});

test('two events of one transaction are delivered once each', async () => {
  receiver.respondWith([200]);
  await world.aWebhook({ url: receiver.url('/two') });
  const anEvent = (text: string) => ({
    accountId: world.accountId,
    contactId: world.contactId,
    name: 'new_message' as const,
    occurredAt: new Date(),
    message: {
      id: showId('message', newUuid()),
      text,
      direction: 'inbound' as const,
      sent_at: new Date().toISOString(),
    },
  });
  await world.transact(async (tx) => {
    await tx.tell(anEvent('one'));
    await tx.tell(anEvent('two'));
  });
  await until(() => received('/two').length === 2);
  await world.outbox.drain();
  const texts = received('/two').map(({ rawBody }) => /one|two/.exec(rawBody.toString())?.[0]);
  expect(new Set(texts)).toEqual(new Set(['one', 'two']));
});
