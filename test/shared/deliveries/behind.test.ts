import { afterAll, expect, test, vi } from 'vitest';
import { deliveryWork, type DeliveryWorkRow } from '../../../src/shared/deliveries/work.ts';
import { asItem } from '../../../src/shared/platform/dispatch/work.ts';
import { showId } from '../../../src/shared/ids.ts';
import { aPendingRow } from '../../helpers/deliveries.ts';
import { startDeliveryWorld } from '../../helpers/delivery-world.ts';
import { startReceiver } from '../../helpers/receiver.ts';
import { clientOfSilence } from '../../helpers/silent-temporal.ts';

let answers = true;
const [world, receiver] = await Promise.all([
  startDeliveryWorld({ workflowPerDelivery: 'unless-behind', temporalAnswers: () => answers }),
  startReceiver(),
]);
afterAll(async () => {
  await world.stop();
  await receiver.close();
});

test('what waits for a Temporal that takes no starts reaches its receivers; what was asked of Temporal is never sent beside it', async () => {
  const asked: string[] = [];
  const released = Promise.withResolvers<never>();
  released.promise.catch(() => {});
  const startWithDetails = ({ options }: { options: { workflowId: string } }): Promise<never> => {
    asked.push(options.workflowId);
    return released.promise;
  };
  world.useClient(await clientOfSilence({ interceptors: { workflow: [{ startWithDetails }] } }));
  answers = false;
  receiver.respondWith([200]);
  const webhookId = await world.aWebhook({ url: receiver.url('/hook') });
  const rows: DeliveryWorkRow[] = [];
  for (let event = 0; event < 150; event += 1)
    rows.push(await aPendingRow(world.db, { accountId: world.accountId, webhookId }));
  const ids = rows.map(({ id }) => id);
  world.dispatcher.dispatch(rows.map((row) => asItem(deliveryWork, row)));

  const statuses = async () =>
    world.db<{ id: string; status: string }[]>`select id, status from deliveries where id = any(${ids}::uuid[])`;
  const delivered = async () => (await statuses()).filter(({ status }) => status === 'delivered');
  // As many are asked of Temporal as may be under way for one account.
  const areAll = async () => asked.length > 0 && (await delivered()).length >= ids.length - asked.length;
  await vi.waitUntil(areAll, { timeout: 60_000, interval: 50 });

  const notSent = (await statuses()).filter(({ status }) => status === 'pending');
  expect(new Set(asked)).toEqual(new Set(notSent.map(({ id }) => `delivery/${showId('delivery', id)}`)));
  expect(receiver.requests).toHaveLength(ids.length - notSent.length);
  released.reject(new Error('the test is over'));
});
