import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Topic } from '../../../src/shared/facts/topics.ts';
import { noEvidence } from '../../../src/shared/deliveries/attempts.ts';
import { showId } from '../../../src/shared/ids.ts';
import { aDelivery } from '../../helpers/deliveries.ts';
import { startDeliveryWorld } from '../../helpers/delivery-world.ts';
import { startReceiver } from '../../helpers/receiver.ts';

/** By account, what was told so far. */
const told = new Map<string, Set<Topic>>();

const [world, receiver] = await Promise.all([
  startDeliveryWorld({
    workflowPerDelivery: 'on-failure',
    sends: true,
    tellTopics: (changed) => {
      for (const [accountId, topics] of changed)
        told.set(accountId, new Set([...(told.get(accountId) ?? []), ...topics]));
    },
  }),
  startReceiver(),
]);
afterAll(async () => {
  await world.stop();
  await receiver.close();
});
beforeEach(() => told.clear());

const { accountId } = world;
const deliveriesAlone = new Map([[accountId, new Set(['deliveries'])]]);
const aWebhook = () => world.aWebhook({ url: receiver.url('/hook') });

test('pages hear of a delivery when it is made, and when its first attempt is recorded by the outbox', async () => {
  await aWebhook();
  const [id = ''] = await world.anEvent();
  expect(told.get(accountId)).toContain('deliveries');
  await world.firstAttempt(id);
  await world.drain();
  told.clear();
  await world.anEvent();
  told.clear();
  await world.drain();
  expect(told).toEqual(deliveriesAlone);
});

test('pages hear of an attempt of a workflow, of one recorded late, and of the end of a round', async () => {
  const webhookId = await aWebhook();
  const waiting = () => aDelivery(world.db, { accountId, webhookId, status: 'retrying' });
  const key = (id: string) => ({ deliveryId: showId('delivery', id), round: 1, kind: 'scheduled', number: 2 }) as const;
  const works: (() => Promise<unknown>)[] = [
    async () => world.attempt(key(await waiting())),
    async () => {
      const { evidence: _, ...late } = {
        outcome: 'succeeded',
        statusCode: 200,
        durationMs: 1,
        evidence: noEvidence,
      } as const;
      await world.activities.recordAttempt(key(await waiting()), {
        ...late,
        startedAt: new Date().toISOString(),
        generation: 1,
      });
    },
    async () => world.activities.dropDelivery(key(await waiting())),
    async () => world.activities.cancelDelivery(key(await waiting())),
    async () => world.activities.disableWebhook(key(await waiting())),
  ];
  for (const work of works) {
    told.clear();
    await work();
    expect(told.get(accountId)).toContain('deliveries');
  }
});
