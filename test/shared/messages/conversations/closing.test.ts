import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { closeConversation } from '../../../../src/shared/messages/conversations/close.ts';
import { receive } from '../../../../src/shared/messages/inbound/receive.ts';
import type { Received } from '../../../../src/shared/messages/inbound/message.ts';
import { receiveInTransaction } from '../../../../src/shared/messages/inbound/receive-in-transaction.ts';
import { createInboundStatements } from '../../../../src/shared/messages/inbound/share-statements.ts';
import type { EventTransaction } from '../../../../src/shared/facts/tell.ts';
import { newUuid } from '../../../../src/shared/ids.ts';
import { untilSomebodyWaits } from '../../../helpers/database.ts';
import { startFlowWorld, type FlowWorld } from '../../../helpers/flow-world.ts';
import { aFlow } from '../../../helpers/live-flows.ts';
import { transactOn } from '../../../helpers/transact-on.ts';

/** Work in a transaction that ends only when the test lets it. */
const held = async <Result>(world: FlowWorld, work: (tx: EventTransaction) => Promise<Result>) => {
  const [done, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  onTestFinished(() => released.resolve());
  const ended = world.db.begin(async (sql) => {
    const result = await transactOn(sql)(work);
    done.resolve();
    await released.promise;
    return { result };
  });
  await Promise.race([done.promise, ended]);
  return async (): Promise<Result> => {
    released.resolve();
    return (await ended).result;
  };
};

describe.for([
  { what: 'in an account without flows', hasFlows: false },
  { what: 'beside live flows', hasFlows: true },
])('a message that comes while its conversation is being closed, $what,', ({ hasFlows }) => {
  let world: FlowWorld;
  beforeAll(async () => {
    world = await startFlowWorld();
    const triggers = [{ type: 'keyword', match: 'exact', words: ['shirt'] }];
    if (hasFlows) await aFlow(world.db, world.accountId, { blocks: [{ id: 'done', type: 'end' }], triggers });
  });
  afterAll(() => world.stop());

  const messageOf = (sender: string) => ({
    accountId: world.accountId,
    channelId: world.channelId,
    message: { message_id: newUuid(), sender: { external_id: sender }, text: 'Hello' },
  });
  const takes = {
    'at once': (incoming: ReturnType<typeof messageOf>) => receive(world, incoming),
    'in a transaction': (incoming: ReturnType<typeof messageOf>) =>
      world.transact((tx) => receiveInTransaction(tx, incoming)),
  };
  /** Its conversation, and whether that is open. */
  const conversationOf = async ({ messageId }: Received) => {
    const [row] = await world.db<{ id: string; status: string; count: number }[]>`
      select v.id, v.status, (select count(*)::int from messages where conversation_id = v.id) as count
      from messages m join conversations v on v.id = m.conversation_id where m.id = ${messageId}`;
    return row ?? expect.fail('no message');
  };
  const opened = async (sender: string) => {
    const { id } = await conversationOf(await takes['in a transaction'](messageOf(sender)));
    return { accountId: world.accountId, id };
  };

  test('and is taken in a transaction, is in another one', async () => {
    const sender = newUuid();
    const conversation = await opened(sender);
    const release = await held(world, (tx) => closeConversation(tx, conversation));
    const received = takes['in a transaction'](messageOf(sender));
    await untilSomebodyWaits(world.db);
    await release();
    const now = await conversationOf(await received);
    expect(now).toEqual({ id: expect.not.stringContaining(conversation.id), status: 'open', count: 1 });
  });

  test('and is taken at once, is not written: a transaction takes it', async () => {
    const sender = newUuid();
    const conversation = await opened(sender);
    const release = await held(world, (tx) => closeConversation(tx, conversation));
    const received = takes['at once'](messageOf(sender));
    await untilSomebodyWaits(world.db);
    await release();
    expect(await received).toBeUndefined();
    expect(await world.db`select from messages where conversation_id = ${conversation.id}`).toHaveLength(1);
  });

  test('and was there first, in a transaction, is in it: the closing waits for it', async () => {
    const sender = newUuid();
    const conversation = await opened(sender);
    const release = await held(world, (tx) => receiveInTransaction(tx, messageOf(sender)));
    const closing = world.transact((tx) => closeConversation(tx, conversation));
    await untilSomebodyWaits(world.db);
    const received = await release();
    expect((await closing).lastMessage?.id).toBe(received.messageId);
    expect(await conversationOf(received)).toEqual({ id: conversation.id, status: 'closed', count: 2 });
  });

  test('and was there first, at once, is in it: the closing waits for it', async () => {
    const sender = newUuid();
    const conversation = await opened(sender);
    const release = await held(world, ({ sql }) => {
      const autocommit: FlowWorld['autocommit'] = (work) => work({ sql, start: () => {}, tell: () => {} });
      const inbound = createInboundStatements({ db: world.db, forMessages: sql });
      return receive({ autocommit, inbound }, messageOf(sender));
    });
    const closing = world.transact((tx) => closeConversation(tx, conversation));
    await untilSomebodyWaits(world.db);
    const received = await release();
    expect((await closing).lastMessage?.id).toBe(received?.messageId);
    const messages = await world.db`select from messages where conversation_id = ${conversation.id}`;
    expect(messages).toHaveLength(2);
  });

  test('is in one conversation, open or closed, however many come at once: none is lost, and no closed one gets any more', async () => {
    const sender = newUuid();
    let conversation = await opened(sender);
    const received: Promise<Received>[] = [];
    for (let round = 0; round < 10; round += 1) {
      for (let count = 0; count < 5; count += 1) {
        const incoming = messageOf(sender);
        received.push(takes['at once'](incoming).then((done) => done ?? takes['in a transaction'](incoming)));
      }
      await world.transact((tx) => closeConversation(tx, conversation));
      const before = await world.db`select count(*)::int from messages where conversation_id = ${conversation.id}`;
      const last = await Promise.all(received.splice(0));
      expect(await world.db`select count(*)::int from messages where conversation_id = ${conversation.id}`).toEqual(
        before,
      );
      expect(
        await world.db`select from messages where id = any(${last.map(({ messageId }) => messageId)}::uuid[])`,
      ).toHaveLength(5);
      conversation = await opened(sender);
    }
  });
});
