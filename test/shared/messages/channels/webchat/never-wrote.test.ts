import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newUuid } from '../../../../../src/shared/ids.ts';
import { insertChannel } from '../../../../../src/shared/messages/channels/queries.ts';
import { prepareChannel } from '../../../../../src/shared/messages/channels/manage.ts';
import { receiveInTransaction } from '../../../../../src/shared/messages/inbound/receive-in-transaction.ts';
import { queueMessages } from '../../../../../src/shared/messages/outbound/queue-messages.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../../../helpers/delivery-world.ts';
import { aTalk, readMessage, send, type Talk } from '../../../../helpers/messages.ts';

let world: DeliveryWorld;
let channelId: string;
beforeAll(async () => {
  world = await startDeliveryWorld({ sendsMessages: true });
  const { row } = await prepareChannel(world, world.accountId, { type: 'webchat', name: 'Shop' });
  channelId = (await insertChannel(world.db, world.accountId, row)).id;
});
afterAll(() => world.stop());

const sendByFlow = async (talk: Talk): Promise<string> => {
  const messages = [{ text: 'Hello', step: 1, position: 0 }];
  const asked = { accountId: world.accountId, ...talk, runId: newUuid(), messages };
  const [queued] = await world.transact((tx) => queueMessages(tx, asked));
  return queued?.messageId ?? expect.fail('nothing is queued');
};

const senders = [
  ['a caller', (talk: Talk) => send(world, talk)],
  ['a flow', sendByFlow],
] as const;

test.for(senders)('a message of %s to somebody without a chat is failed, and says so', async ([, sendTo]) => {
  const id = await sendTo(await aTalk(world, channelId));
  await vi.waitUntil(async () => (await readMessage(world, id)).status !== 'queued', { timeout: 30_000, interval: 10 });
  expect(await readMessage(world, id)).toMatchObject({ status: 'failed', reason: 'never_wrote' });
});

test.for(senders)('a message of %s to a visitor who has written is there at once', async ([, sendTo]) => {
  const message = { message_id: newUuid(), sender: { external_id: newUuid() }, text: 'Hello?' };
  const { contactId } = await world.transact((tx) =>
    receiveInTransaction(tx, { accountId: world.accountId, channelId, message }),
  );
  expect(await readMessage(world, await sendTo({ contactId, channelId }))).toMatchObject({ status: 'sent' });
});
