import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { replayDelivery } from '../../../src/shared/deliveries/replay.ts';
import { cancelDelivery } from '../../../src/shared/deliveries/actions.ts';
import { showId } from '../../../src/shared/ids.ts';
import { createSecrets, type Secrets } from '../../../src/shared/platform/secrets/seal.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../helpers/delivery-world.ts';
import { startReceiver, type Receiver } from '../../helpers/receiver.ts';
import { disableWebhook, retireWebhooks } from '../../helpers/states/webhooks.ts';
import { untold } from '../../helpers/untold.ts';

let world: DeliveryWorld;
let receiver: Receiver;
let webhookId: string;
/** How long the process is held between reading an attempt and sending it, in ms. */
let heldMs = 0;

/** Keeps this process from doing anything for so long. */
const hold = (ms: number): void => {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
};

const secretsOfABusyProcess = (): Secrets => {
  const secrets = createSecrets(randomBytes(32));
  const open: Secrets['open'] = (...sealed) => {
    hold(heldMs);
    return secrets.open(...sealed);
  };
  return { ...secrets, open };
};

beforeAll(async () => {
  [world, receiver] = await Promise.all([startDeliveryWorld({ secrets: secretsOfABusyProcess() }), startReceiver()]);
});
beforeEach(async () => {
  heldMs = 0;
  await retireWebhooks(world.db);
  webhookId = await world.aWebhook({ url: receiver.url('/hook') });
});
afterAll(async () => {
  await Promise.all([world.stop(), receiver.close()]);
});

const scope = () => ({ accountId: world.accountId, variants: ['api'] }) as const;

const attempt = (id: string, round: number, number: number) =>
  world.attempt({ deliveryId: showId('delivery', id), round, kind: 'scheduled', number });

const secondRound = (id: string) => ({ deliveryId: showId('delivery', id), round: 2 });

/** A delivery that was cancelled while its POST was under way, and then replayed; `answer` has the POST answered 200. */
const aReplayedOne = async ({ heldWhileReadingMs = 0 } = {}) => {
  const [received, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<200>()];
  receiver.respondWith(() => {
    received.resolve();
    return answered.promise;
  });
  const [id = ''] = await world.anEvent();
  const first = attempt(id, 1, 1);
  // The query is written now, and answered while the process is held.
  for (let tick = 0; tick < 3; tick += 1) await new Promise(setImmediate);
  hold(heldWhileReadingMs);
  await received.promise;
  receiver.respondWith(500);
  expect((await cancelDelivery(untold(world.db), scope(), id)).status).toBe('cancelled');
  await world.transact((tx) => replayDelivery(tx, scope(), id));
  const answer = async () => {
    answered.resolve(200);
    expect(await first).toMatchObject({ type: 'recorded', outcome: 'succeeded' });
  };
  return { id, answer };
};

const stateOf = async (id: string) => {
  const [row] = await world.db`
    select status, round, attempts_made, sweep_at is not null as in_progress, next_attempt_at is not null as sleeping,
      finished_at is not null as finished
    from deliveries where id = ${id}`;
  return row;
};

const webhookStatus = async () => {
  const [row] = await world.db<{ status: string }[]>`select status from webhooks where id = ${webhookId}`;
  return row?.status;
};

test('a late success delivers at once; failures of the newer round do not disable the webhook', async () => {
  const { id, answer } = await aReplayedOne();
  await attempt(id, 2, 1);
  await answer();
  const goingOn = { status: 'delivered', round: 2, inProgress: true, finished: false };
  expect(await stateOf(id)).toEqual({ ...goingOn, attemptsMade: 1, sleeping: true });

  for (let number = 2; number <= 6; number += 1) {
    expect(await attempt(id, 2, number)).toMatchObject({ type: 'recorded', outcome: 'failed' });
    expect(await stateOf(id)).toMatchObject({ ...goingOn, attemptsMade: number });
  }
  expect(await world.activities.disableWebhook(secondRound(id))).toMatchObject({ status: 'delivered' });
  expect(await stateOf(id)).toMatchObject({ status: 'delivered', inProgress: false, finished: true });
  expect(await webhookStatus()).toBe('active');
});

test('a late success sent by a hung process still counts after the failures before it', async () => {
  heldMs = 300;
  const { id, answer } = await aReplayedOne();
  heldMs = 0;
  await attempt(id, 2, 1);
  await answer();
  for (let number = 2; number <= 6; number += 1) await attempt(id, 2, number);
  expect(await world.activities.disableWebhook(secondRound(id))).toMatchObject({ status: 'delivered' });
  expect(await webhookStatus()).toBe('active');
});

test('a late success read by a hung process still counts after the failures before it', async () => {
  const { id, answer } = await aReplayedOne({ heldWhileReadingMs: 300 });
  await attempt(id, 2, 1);
  await answer();
  for (let number = 2; number <= 6; number += 1) await attempt(id, 2, number);
  expect(await world.activities.disableWebhook(secondRound(id))).toMatchObject({ status: 'delivered' });
  expect(await webhookStatus()).toBe('active');
});

test('failures after a late success disable the webhook, even if the success is recorded later', async () => {
  const { id, answer } = await aReplayedOne();
  await answer();
  for (let number = 1; number <= 6; number += 1) await attempt(id, 2, number);
  const [{ startedAt } = { startedAt: new Date() }] = await world.db<{ startedAt: Date }[]>`
    select started_at from attempts where delivery_id = ${id} and round = 1`;
  const again = { outcome: 'succeeded', durationMs: 1, generation: 1, startedAt: startedAt.toISOString() } as const;
  const key = { deliveryId: showId('delivery', id), round: 1, kind: 'scheduled', number: 1 } as const;
  await world.activities.recordAttempt(key, again);
  expect(await world.activities.disableWebhook(secondRound(id))).toMatchObject({ status: 'delivered' });
  expect(await webhookStatus()).toBe('disabled');
});

test('a late success ends a delivery whose newer round is parked', async () => {
  const { id, answer } = await aReplayedOne();
  await disableWebhook(world.db, webhookId);
  expect(await attempt(id, 2, 1)).toEqual({ type: 'stopped', status: 'parked' });
  await answer();
  expect(await stateOf(id)).toMatchObject({ status: 'delivered', inProgress: false, finished: true });
});

test('a late success makes a delivery delivered after its newer round has failed', async () => {
  const { id, answer } = await aReplayedOne();
  for (let number = 1; number <= 6; number += 1) await attempt(id, 2, number);
  expect(await world.activities.disableWebhook(secondRound(id))).toMatchObject({ status: 'failed' });
  await answer();
  expect(await stateOf(id)).toMatchObject({ status: 'delivered', inProgress: false, finished: true });
});
