import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { lockContact } from '../../../../src/shared/contacts/lock-contact.ts';
import type { EventTransaction } from '../../../../src/shared/facts/tell.ts';
import { newUuid } from '../../../../src/shared/ids.ts';
import { findConversation } from '../../../../src/shared/messages/conversations/find-conversations.ts';
import { markRead } from '../../../../src/shared/messages/conversations/mark-read.ts';
import type { Received } from '../../../../src/shared/messages/inbound/message.ts';
import { receive } from '../../../../src/shared/messages/inbound/receive.ts';
import { receiveInTransaction } from '../../../../src/shared/messages/inbound/receive-in-transaction.ts';
import { queueMessages } from '../../../../src/shared/messages/outbound/queue-messages.ts';
import { untilSomebodyWaits } from '../../../helpers/database.ts';
import { startFlowWorld, type FlowWorld } from '../../../helpers/flow-world.ts';
import { aFlow } from '../../../helpers/live-flows.ts';
import { readMessage } from '../../../helpers/messages.ts';

describe.for([
  { where: 'in an account without flows', hasFlows: false },
  { where: 'beside live flows', hasFlows: true },
])('a message that somebody answers before it is written, $where,', ({ hasFlows }) => {
  let world: FlowWorld;
  beforeAll(async () => {
    world = await startFlowWorld();
    const triggers = [{ type: 'keyword', match: 'exact', words: ['shirt'] }];
    if (hasFlows) await aFlow(world.db, world.accountId, { blocks: [{ id: 'done', type: 'end' }], triggers });
  });
  afterAll(() => world.stop());

  const messageOf = (sender: string, text: string) => ({
    accountId: world.accountId,
    channelId: world.channelId,
    message: { message_id: newUuid(), sender: { external_id: sender }, text },
  });
  type Message = ReturnType<typeof messageOf>;

  /** An agent answers, and has read all that is there. */
  const answer = async (tx: EventTransaction, { contactId, messageId }: Received): Promise<void> => {
    const { accountId, channelId } = world;
    await queueMessages(tx, { accountId, contactId, channelId, messages: [{ text: 'Hi' }] });
    await markRead(tx, { accountId, id: (await readMessage(world, messageId)).conversationId });
  };

  /** Takes a message at once, while the one before is answered. */
  const takes = {
    'between its two statements': (before: Received, incoming: Message) => {
      const read = async (given: Message) => {
        const met = await world.inbound.read(given);
        await world.transact((tx) => answer(tx, before));
        return met;
      };
      return receive({ ...world, inbound: { ...world.inbound, read } }, incoming);
    },
    'while one after it is taken and read': async (before: Received, incoming: Message) => {
      const read = async (given: Message) => {
        const met = await world.inbound.read(given);
        const { sender } = given.message;
        await world.transact((tx) => receiveInTransaction(tx, messageOf(sender.external_id, 'Hi')));
        const { conversationId } = await readMessage(world, before.messageId);
        await world.transact((tx) => markRead(tx, { accountId: world.accountId, id: conversationId }));
        return met;
      };
      return receive({ ...world, inbound: { ...world.inbound, read } }, incoming);
    },
    'while it waits for the lock': async (before: Received, incoming: Message) => {
      const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      onTestFinished(() => released.resolve());
      const { conversationId } = await readMessage(world, before.messageId);
      const answering = world.transact(async (tx) => {
        await lockContact(tx.sql, { accountId: world.accountId, contactId: before.contactId });
        await tx.sql`select from conversations where id = ${conversationId} for no key update`;
        held.resolve();
        await released.promise;
        await answer(tx, before);
      });
      await Promise.race([held.promise, answering]);
      const received = receive(world, incoming);
      await untilSomebodyWaits(world.db);
      released.resolve();
      await answering;
      return received;
    },
  };

  test.for(Object.entries(takes))('%s, is unread, and stands behind what was read', async ([, take]) => {
    const sender = newUuid();
    const before = await world.transact((tx) => receiveInTransaction(tx, messageOf(sender, 'Hello')));
    const incoming = messageOf(sender, 'One more thing');
    expect(await take(before, incoming)).toBeUndefined();
    const { messageId } = await world.transact((tx) => receiveInTransaction(tx, incoming));
    const { conversationId } = await readMessage(world, messageId);
    expect(await findConversation(world.db, world.accountId, conversationId)).toMatchObject({
      unread: 1,
      lastMessage: { text: 'One more thing' },
    });
  });
});
