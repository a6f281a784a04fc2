import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  findConversation,
  listConversations,
} from '../../../../src/shared/messages/conversations/find-conversations.ts';
import { startFlowWorld, type FlowWorld } from '../../../helpers/flow-world.ts';
import { aConversation } from '../../../helpers/states/conversations.ts';

let world: FlowWorld;
beforeAll(async () => {
  world = await startFlowWorld();
});
afterAll(() => world.stop());

const say = (text: string) => ({
  id: text.replaceAll(' ', '-'),
  type: 'send',
  messages: [{ text }],
  next: { failed: null },
});
const ask = { id: 'ask', type: 'ask', prompt: 'More?', expects: 'any', next: { timeout: null } };
const close = (id = 'close') => ({ id, type: 'close_conversation' });

/** The conversations of a contact, open ones first. */
const conversationsOf = (contactId: string) =>
  listConversations(world.db, world.accountId, { filter: { contact_id: contactId }, limit: 10, before: undefined });
const eventsOf = (contactId: string) => world.db<{ name: string; data: { conversation?: object } }[]>`
  select name, data from events where contact_id = ${contactId} and name in ('conversation_closed', 'flow_completed') order by id`;

test('close_conversation closes the conversation once, and keeps earlier messages in its lane', async () => {
  const { runId, contactId } = await world.enrolled([say('bye'), close(), close('again')]);
  await world.advance(runId);
  expect(await world.run(runId)).toMatchObject({ status: 'completed', reason: null });
  const conversations = await conversationsOf(contactId);
  expect(conversations).toMatchObject([{ status: 'closed', lastMessage: { text: 'bye', direction: 'outbound' } }]);
  const events = await eventsOf(contactId);
  expect(events.map(({ name }) => name)).toEqual(['conversation_closed', 'flow_completed']);
});

test('what a flow says after close_conversation in the same pass is in another conversation', async () => {
  const { runId, contactId, sender } = await world.enrolled([say('bye'), close(), say('one more thing'), ask]);
  await world.advance(runId);
  expect(await conversationsOf(contactId)).toMatchObject([
    { status: 'open', state: 'bot', lastMessage: { text: 'More?' } },
    { status: 'closed', state: 'idle', lastMessage: { text: 'bye' } },
  ]);
  await world.says(sender, 'no');
  await world.advance(runId);
  const [open] = await conversationsOf(contactId);
  expect(open).toMatchObject({ status: 'open', state: 'idle', lastMessage: { text: 'no' } });
});

test('close_conversation leaves conversations on other channels open', async () => {
  const { runId, contactId } = await world.enrolled([close()]);
  const id = await aConversation(world.db, { accountId: world.accountId, contactId, channel: 'api' });
  await world.advance(runId);
  const conversations = await conversationsOf(contactId);
  expect(conversations).toMatchObject([
    { id, status: 'open' },
    { channelId: world.channelId, status: 'closed' },
  ]);
});

test('close_conversation without an open conversation emits nothing, and the flow goes on', async () => {
  const { runId, contactId } = await world.enrolled([close(), close('again'), say('hello again')]);
  await world.advance(runId);
  expect(await world.run(runId)).toMatchObject({ status: 'completed' });
  expect(await eventsOf(contactId)).toHaveLength(2);
  const [open] = await conversationsOf(contactId);
  expect(open).toMatchObject({ status: 'open', lastMessage: { text: 'hello again' } });
});

test('the conversation of a run that asks is in the state bot until the answer comes', async () => {
  const { runId, contactId, sender } = await world.enrolled([ask]);
  const stateOf = async () => {
    const [conversation] = await conversationsOf(contactId);
    return findConversation(world.db, world.accountId, conversation?.id ?? '').then((found) => found?.state);
  };
  expect(await stateOf()).toBe('idle');
  await world.advance(runId);
  expect(await stateOf()).toBe('bot');
  await world.says(sender, 'yes');
  await world.advance(runId);
  expect(await stateOf()).toBe('idle');
});
