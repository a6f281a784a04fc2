import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { replayDelivery } from '../../src/shared/deliveries/replay.ts';
import { variants } from '../../src/shared/facts/names.ts';
import { showId } from '../../src/shared/ids.ts';
import { startLiveWorld, type LiveWorld } from '../helpers/live-world.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { parleyHere } from './parley.ts';
import { retireWebhooks } from '../helpers/states/webhooks.ts';

let live: LiveWorld;
let receiver: Receiver;
beforeAll(async () => {
  live = await startLiveWorld({ eager: false });
});
afterAll(() => live.stop());
beforeEach(async () => {
  await retireWebhooks(live.world.db);
  receiver = await startReceiver({ respond: 500 });
});
afterEach(() => receiver.close());

const parley = (...args: string[]) =>
  parleyHere(
    { DATABASE_URL: live.world.target, TEMPORAL_ADDRESS: live.temporal.address, MASTER_KEY: '00'.repeat(32) },
    'deliveries',
    ...args,
  );

const ended = (id: string, rest = ''): Promise<unknown> =>
  live.temporal.client.workflow.getHandle(`delivery/${showId('delivery', id)}${rest}`).result();

/** A delivery of variant A whose first attempt was answered with this status. */
const aDelivery = async (status: number): Promise<string> => {
  const { world } = live;
  receiver.respondWith(status);
  await world.aWebhook({ url: receiver.url() });
  const [id = ''] = await world.anEvent();
  await world.drain();
  await world.firstAttempt(id);
  return id;
};

/** A delivered one whose replay has failed once and sleeps. */
const aFailingReplay = async (): Promise<string> => {
  const { world } = live;
  const id = await aDelivery(200);
  await world.ended(id);
  receiver.respondWith(500);
  await world.transact((tx) => replayDelivery(tx, { accountId: world.accountId, variants }, id));
  await world.dispatcher.drain();
  await world.attemptsOf(id, 2);
  return id;
};

test('deliveries retry makes an extra attempt at once, whose success ends the delivery', async () => {
  const id = await aDelivery(500);
  receiver.respondWith(200);
  const shown = showId('delivery', id);
  expect(await parley('retry', shown)).toMatchObject({ code: 0, stdout: expect.stringContaining(shown) });
  expect(await ended(id)).toMatchObject({ status: 'delivered' });
  expect(await live.world.attempts(id)).toMatchObject([
    { kind: 'scheduled' },
    { kind: 'manual', outcome: 'succeeded' },
  ]);
});

test('deliveries cancel ends it and its workflow, unsent', async () => {
  const id = await aDelivery(500);
  expect(await parley('cancel', showId('delivery', id))).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('is cancelled'),
  });
  expect(await ended(id)).toMatchObject({ status: 'cancelled' });
  expect(receiver.requests).toHaveLength(1);
});

test('deliveries show tells when a round was begun by a replay, before its attempts', async () => {
  const { stdout } = await parley('show', showId('delivery', await aFailingReplay()));
  const [, ...what] = (stdout.split('\n\n')[1] ?? '')
    .split('\n')
    .map((line) => line.split(/ {2,}/).slice(1, 3).join(' '));
  expect(what).toEqual(['created', '1 attempt 1 of 6', '2 replayed', '2 attempt 1 of 6', '2 attempt 2 of 6']);
});

test("both reach the workflow of a replay's round as well", async () => {
  const retried = await aFailingReplay();
  receiver.respondWith(200);
  expect(await parley('retry', showId('delivery', retried))).toMatchObject({ code: 0 });
  expect(await ended(retried, '/round/2')).toMatchObject({ status: 'delivered' });

  const cancelled = await aFailingReplay();
  const { stdout } = await parley('cancel', showId('delivery', cancelled));
  expect(stdout).toContain('stays delivered; its replay is cancelled');
  expect(await ended(cancelled, '/round/2')).toMatchObject({ status: 'delivered' });
  expect(await live.world.delivery(cancelled)).toMatchObject({ status: 'delivered', sweepAt: null });
});
