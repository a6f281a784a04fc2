import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { showId } from '../../../src/shared/ids.ts';
import { startApi, type TestAccount } from '../../helpers/api.ts';
import { aPicture } from '../../helpers/files.ts';
import { startDeliveryWorld } from '../../helpers/delivery-world.ts';
import { aFlow } from '../../helpers/live-flows.ts';
import { aVisitor, aWebchat, type TestVisitor } from '../../helpers/webchat/visitor.ts';

const world = await startDeliveryWorld({ passes: () => true });
const api = await startApi({ world });
afterAll(async () => {
  await api.stop();
  await world.stop();
});

const image_url = 'https://shop.example/shoe.png';
const question = (id: string, choices: string[], early = 'ignore') => ({
  id,
  type: 'ask',
  expects: 'choice',
  prompt: `${id}?`,
  choices,
  early,
});

let account: TestAccount;
let visitor: TestVisitor;
beforeEach(async () => {
  account = await api.createAccount();
  await aFlow(api.db, account.accountId, {
    triggers: [{ type: 'keyword', words: ['order'] }],
    blocks: [
      { id: 'show', type: 'send', messages: [{ text: 'Our shoe', image_url, quick_replies: ['size'] }] },
      question('size', ['S', 'M']),
      question('color', ['red', 'S'], 'take'),
      question('sure', ['yes', 'no']),
    ],
  });
  visitor = aVisitor(api, await aWebchat(api, account));
});

const shown = async (text: string) =>
  (await visitor.read()).messages.find((message) => message.text === text) ?? expect.fail(`nobody said ${text}`);
const choose = async (text: string, index: number, more: object = {}) => {
  const { id: message_id, quick_replies: replies } = await shown(text);
  return visitor.say(replies[index] ?? 'nothing', { choice: { message_id, index }, ...more });
};
const written = async () =>
  (await visitor.read()).messages.filter(({ direction }) => direction === 'visitor').map(({ text }) => text);

test('a photo of a visitor answers a flow that asks for one, and words do not', async () => {
  const end = { id: 'thanks', type: 'send', messages: [{ text: 'Got {{reply.attachment.name}}' }] };
  const asks = {
    id: 'photo',
    type: 'ask',
    expects: 'image',
    prompt: 'A photo?',
    retry_text: 'No photo',
    save_to: 'last_name',
  };
  await aFlow(api.db, account.accountId, { triggers: [{ type: 'keyword', words: ['broken'] }], blocks: [asks, end] });
  await visitor.say('broken');
  await visitor.say('it is red');
  await shown('No photo');
  const text = (await visitor.upload(Buffer.from('hello'), 'a.txt')).body.id;
  await visitor.say('', { attachments: [{ media_id: text }] });
  const photo = (await visitor.upload(await aPicture(), 'crack.png')).body.id;
  await visitor.say('here', { attachments: [{ media_id: photo }] });
  await shown('Got crack.png');
  const [contact] = await api.db`select last_name from contacts where account_id = ${account.accountId}`;
  expect(contact).toEqual({ lastName: photo });
});

describe('a quick reply of a webchat', () => {
  test('answers the question that showed it, beside the image that a flow has sent', async () => {
    await visitor.say('order');
    expect(await shown('Our shoe')).toMatchObject({ image_url, quick_replies: ['size'], author: 'bot' });
    const answer = await choose('size?', 1);
    expect(answer).toMatchObject({ status: 201, body: { message: { text: 'M' } } });
    await shown('color?');
  });

  test('of an old question answers no later one, in words and with nothing stored', async () => {
    await visitor.say('order');
    await choose('size?', 0);
    for (const old of ['size?', 'Our shoe']) {
      const late = await choose(old, 0);
      expect(late).toMatchObject({ status: 422, body: { error: { message: 'This question is over.' } } });
    }
    expect(await written()).toEqual(['order', 'S']);
    await choose('color?', 0);
    await shown('sure?');
  });

  test('chosen twice at the same moment answers once', async () => {
    await visitor.say('order');
    const both = await Promise.all([choose('size?', 0), choose('size?', 1)]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 422]));
    await shown('color?');
    expect(await written()).toHaveLength(2);
    expect((await visitor.read()).messages.some(({ text }) => text === 'sure?')).toBe(false);
  });

  test('whose first answer was lost is known when it is chosen again, also once its question is over', async () => {
    await visitor.say('order');
    const more = { client_id: randomUUID() };
    const first = await choose('size?', 1, more);
    const again = await choose('size?', 1, more);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body.message).toEqual(first.body.message);
  });

  test('is a message like any other while no flow may talk to the visitor', async () => {
    await visitor.say('order');
    const { conversation } = await visitor.read();
    const answered = await api.request('POST', `/dashboard/api/conversations/${conversation?.id}/messages`, {
      session: account.session,
      body: { text: 'Which order?', client_ref: randomUUID(), quick_replies: ['1042', '1043'] },
    });
    expect(answered.status).toBe(201);
    expect((await choose('Which order?', 1)).status).toBe(201);
    expect((await choose('size?', 1)).status).toBe(201);
    expect(await written()).toEqual(['order', '1043', 'M']);
  });

  test.for([
    { name: 'of another visitor', index: 0 },
    { name: 'that the message has not', index: 7 },
    { name: 'of no message', index: 0, messageId: showId('message', randomUUID()) },
    { name: 'of what is no id', index: 0, messageId: 'nonsense' },
  ])('$name is refused in words, and nothing is stored', async ({ name, index, messageId }) => {
    await visitor.say('order');
    const choice = { message_id: messageId ?? (await shown('size?')).id, index };
    const other = name === 'of another visitor' ? aVisitor(api, await aWebchat(api, account)) : visitor;
    if (other !== visitor) await other.say('hello');
    const count = async () => (await api.db`select from messages where account_id = ${account.accountId}`).length;
    const before = await count();
    expect((await other.say('S', { choice })).status).toBe(422);
    expect(await count()).toBe(before);
  });

  test('of a stranger is refused, and makes no visitor', async () => {
    await visitor.say('order');
    const choice = { message_id: (await shown('size?')).id, index: 0 };
    visitor.token = undefined;
    expect((await visitor.say('S', { choice })).status).toBe(422);
    const { length } = await api.db`select from webchat_visitors where account_id = ${account.accountId}`;
    expect(length).toBe(1);
  });
});
