import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateChannel } from '../../../../src/shared/messages/channels/manage.ts';
import { listMessages } from '../../../../src/shared/messages/queries.ts';
import { showMessage } from '../../../../src/shared/messages/schema.ts';
import { showId } from '../../../../src/shared/ids.ts';
import { routedRun, startFlowWorld, type FlowWorld } from '../../../helpers/flow-world.ts';
import { aFlow } from '../../../helpers/live-flows.ts';
import { sendingsOf } from '../../../helpers/messages.ts';
import { startReceiver, type Receiver } from '../../../helpers/receiver.ts';
import { forgetLastChannel } from '../../../helpers/states/conversations.ts';
import { noLinks } from '../../../helpers/no-links.ts';

let world: FlowWorld;
let receiver: Receiver;
beforeAll(async () => {
  [world, receiver] = await Promise.all([startFlowWorld(), startReceiver()]);
});
afterAll(() => Promise.all([world.stop(), receiver.close()]));

const greeting = [
  { id: 'one', type: 'send', messages: [{ text: 'one' }, { text: 'two', quick_replies: ['S', 'M'] }] },
  { id: 'two', type: 'send', messages: [{ text: 'three' }] },
];

test('what a run sends goes out by one sending, in its order', async () => {
  const { db, accountId, channelId } = world;
  await updateChannel(world, accountId, { id: channelId, changes: { callback_url: receiver.url('/to-visitors') } });
  const { contactId } = await world.says('ada', 'hello');
  const runId = await world.enrol(contactId, await aFlow(db, accountId, { blocks: greeting }));
  await world.advance(runId);
  const [workflowId = '', ...more] = sendingsOf(world);
  expect(more).toEqual([]);
  const sending = { sendingId: workflowId.replace('sending/', ''), resumes: 0 };
  const turns = [];
  for (let count = 0; count < 4; count += 1) turns.push((await world.activities.sendNextMessage(sending)).type);
  expect(turns).toEqual(['ended', 'ended', 'ended', 'over']);
  const sent = receiver.requests.map(({ rawBody }) => JSON.parse(String(rawBody)));
  expect(sent.map(({ message, contact }) => [message.text, message.quick_replies, contact.sender_external_id])).toEqual(
    [
      ['one', [], 'ada'],
      ['two', ['S', 'M'], 'ada'],
      ['three', [], 'ada'],
    ],
  );
});

test('a message tells which run sent it, and one that came in who got it', async () => {
  const { db, accountId } = world;
  await aFlow(db, accountId, {
    triggers: [{ type: 'keyword', match: 'exact', words: ['shirt'] }],
    blocks: greeting,
  });
  const { contactId, messageId, routedTo } = await world.says('alan', 'shirt');
  await world.advance(routedRun(routedTo));
  const [newest, ...older] = (await listMessages(db, contactId, { limit: 5 })).map((row) => showMessage(row, noLinks));
  expect(newest).toMatchObject({ text: 'three', run_id: showId('run', routedRun(routedTo)), routed_to: null });
  expect(older.at(-1)).toMatchObject({ id: showId('message', messageId), run_id: null, routed_to: routedTo });
});

test('a contact that wrote to 0.2 alone gets it over the channel of its latest conversation', async () => {
  const { db, accountId } = world;
  const { contactId } = await world.says('grace', 'hello');
  await forgetLastChannel(db, contactId);
  const runId = await world.enrol(contactId, await aFlow(db, accountId, { blocks: greeting }));
  await world.advance(runId);
  expect(await world.run(runId)).toMatchObject({ status: 'completed' });
  expect(await world.sentTo(contactId)).toEqual(['one', 'two', 'three']);
});
