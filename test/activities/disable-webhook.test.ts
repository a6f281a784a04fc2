import { afterAll, beforeAll, expect, test } from 'vitest';
import { noEvidence, recordAttempt } from '../../src/shared/deliveries/attempts.ts';
import { showId } from '../../src/shared/ids.ts';
import { getWebhook } from '../../src/shared/webhooks/manage.ts';
import { createTestDelivery } from '../../src/shared/deliveries/test-event.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../helpers/delivery-world.ts';

let world: DeliveryWorld;
beforeAll(async () => {
  world = await startDeliveryWorld();
});
afterAll(() => world.stop());

const scheduled = (deliveryId: string, number: number) =>
  ({ deliveryId, round: 1, kind: 'scheduled', number }) as const;
const made = () => ({ startedAt: new Date(), durationMs: 1, generation: 1, evidence: noEvidence });

const fail = (id: string, number: number) =>
  recordAttempt(world.db, scheduled(id, number), {
    ...made(),
    outcome: 'failed',
    reason: 'status',
    statusCode: 500,
  });

/** A delivery that has failed six times; between two of them `meanwhile`. What comes of its webhook. */
const exhaust = async (meanwhile: (webhookId: string) => Promise<string>) => {
  const webhookId = await world.aWebhook({ url: 'https://receiver.example/hook' });
  const scope = { accountId: world.accountId, variants: ['api'] } as const;
  const deliveries = await world.anEvent();
  const exhausted = deliveries.at(-1) ?? '';
  for (const number of [1, 2, 3]) await fail(exhausted, number);
  const other = await meanwhile(webhookId);
  await recordAttempt(world.db, scheduled(other, 1), { ...made(), outcome: 'succeeded', statusCode: 200 });
  for (const number of [4, 5, 6]) await fail(exhausted, number);
  await world.activities.disableWebhook({ deliveryId: showId('delivery', exhausted), round: 1 });
  return (await getWebhook(world.db, scope, webhookId)).status;
};

test('a success of another event between the failures keeps the webhook active', async () => {
  expect(await exhaust(async () => (await world.anEvent()).at(-1) ?? '')).toBe('active');
});

test('a success of a test event between the failures counts for nothing: the webhook is disabled', async () => {
  const aTest = async (webhookId: string) => {
    const webhook = await getWebhook(world.db, { accountId: world.accountId, variants: ['api'] }, webhookId);
    const { id } = await world.transact((tx) => createTestDelivery(tx, webhook, undefined));
    return id;
  };
  expect(await exhaust(aTest)).toBe('disabled');
});
