import { afterAll, expect, test } from 'vitest';
import {
  readChanges,
  type AskedChanges,
} from '../../../../../src/shared/messages/conversations/changes/read-changes.ts';
import { readVisitorChanges } from '../../../../../src/shared/messages/live/read-visitor-changes.ts';
import { markReadByVisitor } from '../../../../../src/shared/messages/webchat/mark-read.ts';
import { startDeliveryWorld } from '../../../../helpers/delivery-world.ts';
import { aChannel, aTalk, readMessage, send } from '../../../../helpers/messages.ts';

const world = await startDeliveryWorld();
afterAll(() => world.stop());

const missing = (): never => {
  throw new Error('it is gone');
};

type Answer = { messages: readonly { id: string }[]; revision: number; hasMore: boolean } | undefined;

const readers = {
  agents: (asked: AskedChanges): Promise<Answer> => readChanges(world.db, asked),
  visitors: async (asked: AskedChanges): Promise<Answer> => (await readVisitorChanges(world.db, [asked]))(asked),
};

test.each(['agents', 'visitors'] as const)(
  'messages that change together come to %s together, however few an answer has',
  async (reader) => {
    const { accountId } = world;
    const talk = await aTalk(world, await aChannel(world, null));
    const ids = [];
    for (let made = 0; made < 5; made += 1) ids.push(await send(world, talk));
    const { conversationId } = await readMessage(world, ids[0] ?? '');
    const of = { accountId, conversationId };
    const before = await readers[reader]({ ...of, after: 0, limit: 100 });
    const after = before?.revision ?? missing();
    await world.transact((tx) => markReadByVisitor(tx, { ...talk, accountId }, { revision: after }));
    const found: string[] = [];
    let from = after;
    for (let hasMore = true; hasMore;) {
      const answer = (await readers[reader]({ ...of, after: from, limit: 2 })) ?? missing();
      found.push(...answer.messages.map(({ id }) => id));
      ({ hasMore, revision: from } = answer);
    }
    expect(found.toSorted()).toEqual(ids.toSorted());
  },
);
