import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { newUuid, showId } from '../../../../src/shared/ids.ts';
import { queueMessages } from '../../../../src/shared/messages/outbound/queue-messages.ts';
import { reply } from '../../../../src/shared/messages/outbound/reply.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../../helpers/delivery-world.ts';
import { aChannel, aTalk, sendingsOf, type Talk } from '../../../helpers/messages.ts';
import { noLinks } from '../../../helpers/no-links.ts';
import { startReceiver, type Answer, type Receiver } from '../../../helpers/receiver.ts';

// There is no Temporal here and nobody sweeps: a lane whose message waits for its next attempt stands still unless somebody takes it at once.

let world: DeliveryWorld;
let receiver: Receiver;
let userId: string;
let answers: Map<string, Answer | Promise<Answer>>;
let before = 0;
beforeAll(async () => {
  [world, receiver] = await Promise.all([startDeliveryWorld({ sendsMessages: true }), startReceiver()]);
  const [user] = await world.db<{ id: string }[]>`select id from users where account_id = ${world.accountId}`;
  userId = user?.id ?? '';
  receiver.respondWith((request) => answers.get(textOf(request)) ?? 200);
});
beforeEach(() => {
  answers = new Map();
  before = receiver.requests.length;
});
afterAll(async () => {
  await world.stop();
  await receiver.close();
});

const textOf = ({ rawBody }: { rawBody: Buffer }): string => JSON.parse(String(rawBody)).message.text;
const textsReceived = () => receiver.requests.slice(before).map(textOf);

type Author = 'flow' | 'api';

/** Queues messages of these authors, each with its place as text. */
const queue = (talk: Talk, authors: readonly Author[]) =>
  world.transact(async (tx) => {
    for (const [position, author] of authors.entries()) {
      const ofRun = author === 'flow' ? { runId: newUuid() } : {};
      const messages = [{ text: String(position), step: 1, position }];
      await queueMessages(tx, { accountId: world.accountId, ...talk, ...ofRun, messages });
    }
  });

const answer = async ({ contactId }: Talk): Promise<void> => {
  const [talk] = await world.db<{ id: string }[]>`select id from conversations where contact_id = ${contactId}`;
  const message = { text: 'agent', client_ref: newUuid() };
  const { accountId, channelKinds } = world;
  await world.transact((tx) =>
    reply(tx, { accountId, conversationId: talk?.id ?? '', reply: message, channelKinds, linkTo: noLinks, userId }),
  );
};

const statusesOf = async ({ contactId }: Talk) => {
  const rows = await world.db<{ status: string }[]>`
    select o.status from outbound_messages o join messages m on m.id = o.message_id
    where m.contact_id = ${contactId} order by o.seq`;
  return rows.map(({ status }) => status);
};

const aTalkHere = async () => aTalk(world, await aChannel(world, receiver.url('/to-visitors')));

test.for<{ where: string; queued: Author[]; sent: string[]; statuses: string[] }>([
  { where: 'at the head', queued: ['flow'], sent: ['0', 'agent'], statuses: ['withdrawn', 'sent'] },
  {
    where: 'in the whole lane',
    queued: ['flow', 'flow', 'flow'],
    sent: ['0', 'agent'],
    statuses: ['withdrawn', 'withdrawn', 'withdrawn', 'sent'],
  },
  {
    where: 'at the head before a message by API',
    queued: ['flow', 'api', 'flow'],
    sent: ['0', '1', 'agent'],
    statuses: ['withdrawn', 'sent', 'withdrawn', 'sent'],
  },
  {
    where: 'behind a message by API, which waits for its own retry',
    queued: ['api', 'flow'],
    sent: ['0'],
    statuses: ['queued', 'withdrawn', 'queued'],
  },
])('an answer waits for no retry of a withdrawn message: $where', async ({ queued, sent, statuses }) => {
  answers.set('0', 503);
  const talk = await aTalkHere();
  await queue(talk, queued);
  await world.dispatcher.drain();
  expect(textsReceived()).toEqual(['0']);
  await answer(talk);
  await world.dispatcher.drain();
  expect(textsReceived()).toEqual(sent);
  expect(await statusesOf(talk)).toEqual(statuses);
  const left = await world.db`select from sendings where contact_id = ${talk.contactId}`;
  expect(left.count).toBe(statuses.includes('queued') ? 1 : 0);
});

test.for<{ met: string; with: Answer; sent: string[]; statuses: string[] }>([
  { met: 'succeeds', with: 200, sent: ['0', 'agent'], statuses: ['sent', 'withdrawn', 'sent'] },
  { met: 'fails', with: 503, sent: ['0', 'agent'], statuses: ['withdrawn', 'withdrawn', 'sent'] },
  { met: 'is refused for good', with: 410, sent: ['0', 'agent'], statuses: ['failed', 'withdrawn', 'sent'] },
  {
    met: 'may have arrived',
    with: { type: 'close' },
    sent: ['0'],
    statuses: ['queued', 'withdrawn', 'queued'],
  },
])('an answer waits for the attempt under way alone, which $met', async ({ with: given, sent, statuses }) => {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  answers.set('0', promise);
  const talk = await aTalkHere();
  await queue(talk, ['flow', 'flow']);
  await vi.waitUntil(() => textsReceived().length === 1, { timeout: 30_000 });
  await answer(talk);
  expect(await statusesOf(talk)).toEqual(['queued', 'withdrawn', 'queued']);
  resolve(given);
  await world.dispatcher.drain();
  expect(textsReceived()).toEqual(sent);
  expect(await statusesOf(talk)).toEqual(statuses);
});

test('the workflow that waited for a withdrawn message finds its lane gone, and sends nothing', async () => {
  answers.set('0', 503);
  const talk = await aTalkHere();
  await queue(talk, ['flow']);
  await world.dispatcher.drain();
  const sendingId = (sendingsOf(world).at(-1) ?? '').replace('sending/', '');
  const [message] = await world.db<{ id: string }[]>`select id from messages where contact_id = ${talk.contactId}`;
  const due = { messageId: showId('message', message?.id ?? ''), number: 2 };
  await answer(talk);
  expect(await world.activities.sendNextMessage({ sendingId, resumes: 0 }, { due })).toEqual({ type: 'over' });
  await world.dispatcher.drain();
  expect(textsReceived()).toEqual(['0', 'agent']);
});
