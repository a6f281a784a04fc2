import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { showId } from '../../../../src/shared/ids.ts';
import { startLiveWorld, type LiveWorld } from '../../../helpers/live-world.ts';
import { startReceiver, type Receiver } from '../../../helpers/receiver.ts';

const perWebhook = 3;
const deliveries = 12;

let live: LiveWorld;
let receiver: Receiver;
let elsewhere: NativeConnection;

beforeAll(async () => {
  [live, receiver] = await Promise.all([
    startLiveWorld({ workflowPerDelivery: 'always', firstAttemptsPerWebhook: perWebhook }),
    startReceiver({ respond: { type: 'hang' } }),
  ]);
  // On a connection that no worker shares the server grants no eager start, as where a cluster has them disabled.
  elsewhere = await NativeConnection.connect({ address: live.temporal.address });
  live.world.useClient(new Client({ connection: elsewhere }));
});

afterAll(async () => {
  await receiver.close();
  await elsewhere.close();
  await live.stop();
});

/** How many of the deliveries are at an ordinary activity now: of a local one the server knows nothing. */
const ordinary = async (ids: string[]): Promise<number> => {
  const { workflow } = live.temporal.client;
  const descriptions = await Promise.all(
    ids.map((id) => workflow.getHandle(`delivery/${showId('delivery', id)}`).describe()),
  );
  return descriptions.filter(({ raw }) => (raw.pendingActivities ?? []).length > 0).length;
};

test('without eager starts, too, a webhook that hangs holds no more workflow tasks than its places', async () => {
  await live.world.aWebhook({ url: receiver.url('/hook') });
  const ids: string[] = [];
  while (ids.length < deliveries) ids.push(...(await live.world.anEvent()));
  await live.world.dispatcher.drain();
  await receiver.waitFor(deliveries);
  expect(await ordinary(ids)).toBe(deliveries - perWebhook);
});
