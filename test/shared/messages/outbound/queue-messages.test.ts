import { afterAll, beforeAll, expect, test } from 'vitest';
import { queueMessages } from '../../../../src/shared/messages/outbound/queue-messages.ts';
import { newUuid } from '../../../../src/shared/ids.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../../helpers/delivery-world.ts';
import { aChannel, aTalk, readMessage, send, sendingsOf, type Talk } from '../../../helpers/messages.ts';
import { closeConversations } from '../../../helpers/states/conversations.ts';

let world: DeliveryWorld;
let talk: Talk;
beforeAll(async () => {
  world = await startDeliveryWorld();
  talk = await aTalk(world, await aChannel(world, 'https://127.0.0.1/to-visitors'));
});
afterAll(() => world.stop());

const messages = [
  { text: 'one', step: 1, position: 0 },
  { text: 'two', imageUrl: 'https://example.com/a.png', quickReplies: ['S', 'M'], step: 1, position: 1 },
  { text: 'three', step: 2, position: 0 },
];

const queue = (runId: string, more = messages, to = talk) =>
  world.transact((tx) => queueMessages(tx, { accountId: world.accountId, ...to, runId, messages: more }));

test('messages of a run are queued in their order, each with its place in the order of everything', async () => {
  const queued = await queue(newUuid());
  expect(queued.map(({ seq }) => typeof seq)).toEqual(['number', 'number', 'number']);
  expect(queued.map(({ seq }) => seq)).toEqual(queued.map(({ seq }) => seq).toSorted((a, b) => a - b));
  const rows = await Promise.all(queued.map(({ messageId }) => readMessage(world, messageId)));
  expect(rows.map(({ text, imageUrl, quickReplies }) => ({ text, imageUrl, quickReplies }))).toEqual([
    { text: 'one', imageUrl: null, quickReplies: [] },
    { text: 'two', imageUrl: 'https://example.com/a.png', quickReplies: ['S', 'M'] },
    { text: 'three', imageUrl: null, quickReplies: [] },
  ]);
  const inbound = await send(world, talk);
  const [next] = await world.db<{ seq: string }[]>`select seq from messages where id = ${inbound}`;
  expect(Number(next?.seq)).toBeGreaterThan(queued[2]?.seq ?? Infinity);
});

test('a step that is stored again changes nothing and has the same answer, also when the conversation was closed since', async () => {
  const runId = newUuid();
  const first = await queue(runId);
  await closeConversations(world, world.accountId);
  const started = sendingsOf(world).length;
  const count = async () => (await world.db`select from messages where contact_id = ${talk.contactId}`).count;
  const before = await count();
  expect(await queue(runId)).toEqual(first);
  expect(await count()).toBe(before);
  expect(sendingsOf(world)).toHaveLength(started);
  // One that is new beside those that are known.
  const more = await queue(runId, [...messages, { text: 'four', step: 3, position: 0 }]);
  expect(more.slice(0, 3)).toEqual(first);
  expect(await count()).toBe(before + 1);
});

test('without a channel of the account nothing is queued', async () => {
  await expect(queue(newUuid(), messages, { ...talk, channelId: newUuid() })).rejects.toThrow('No such channel');
});

test('a transaction that is rolled back leaves no message and asks for no workflow', async () => {
  const started = sendingsOf(world).length;
  const other = await aTalk(world, talk.channelId);
  const rolledBack = world.transact(async (tx) => {
    await queueMessages(tx, { accountId: world.accountId, ...other, messages: [{ text: 'one' }] });
    throw new Error('something else failed');
  });
  await expect(rolledBack).rejects.toThrow('something else failed');
  expect((await world.db`select from messages where contact_id = ${other.contactId}`).count).toBe(0);
  expect(sendingsOf(world)).toHaveLength(started);
});
