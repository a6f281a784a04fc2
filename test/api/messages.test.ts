import { beforeEach, describe, expect, test } from 'vitest';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { queuedAtMost } from '../../src/shared/messages/outbound/send-message.ts';
import { aContact, anInboundMessage } from '../helpers/builders.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { forgetLastChannel, queueMany, setContactStatus } from '../helpers/states/conversations.ts';
import { setRole } from '../helpers/states/accounts.ts';

type Message = {
  id: string;
  contact_id: string;
  conversation_id: string;
  channel_id: string;
  direction: string;
  text: string;
  status: string | null;
  created_at: string;
};
type Refused = { error: { code: string; message: string; conflict_with?: object; details?: { path: string }[] } };

const api = await useApi({ egressAllow: '127.0.0.0/8' });
let account: TestAccount;
let channelId: string;
let contactId: string;
beforeEach(async () => {
  account = await api.createAccount();
  channelId = await aChannel('https://127.0.0.1/to-visitors');
  contactId = await write(channelId);
});

const as = <Body>(method: string, path: string, body?: unknown, key = account.apiKey) =>
  api.request<Body>(method, path, { key, body });

const aChannel = async (callback_url: string | null) =>
  (await as<{ id: string }>('POST', '/v1/channels', { type: 'api', name: 'Shop', callback_url })).body.id;

/** A contact writes on a channel; answers the contact. */
const write = async (channel: string, message = anInboundMessage({ text: 'Hi' })) =>
  (await as<{ contact_id: string }>('POST', `/v1/channels/${channel}/inbound`, message)).body.contact_id;

const send = <Body = Message>(message: object = { text: 'Hello' }, to = contactId) =>
  as<Body>('POST', `/v1/contacts/${to}/messages`, message);

const sendings = () =>
  api.dispatched.filter(({ work, row }) => work.kind === 'sending' && row.accountId === account.accountId);

const countMessages = async () =>
  (await api.db`select from messages where account_id = ${account.accountId} and direction = 'outbound'`).count;

describe('a message to a contact', () => {
  test('is answered 201 as queued, on the channel that the contact wrote on last, and asks for its workflow', async () => {
    const content = { text: ' Which size? ', image_url: 'https://example.com/a.png', quick_replies: ['S', 'M'] };
    const { status, body } = await send(content);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^msg_/),
      contact_id: contactId,
      conversation_id: expect.stringMatching(/^cnv_/),
      channel_id: channelId,
      direction: 'outbound',
      ...content,
      text: 'Which size?',
      attachments: [],
      status: 'queued',
      reason: null,
      detail: null,
      explanation: null,
      status_code: null,
      attempts_made: 0,
      next_attempt_at: null,
      client_ref: null,
      run_id: null,
      sent_by: { type: 'api', id: null },
      routed_to: null,
      created_at: expect.stringMatching(/Z$/),
      edited_at: null,
      sent_at: null,
      read_at: null,
      revision: expect.any(Number),
    });
    expect((await as('GET', `/v1/messages/${body.id}`)).body).toEqual(body);
    expect(sendings()).toHaveLength(1);
  });

  test('goes into the conversation that is open, and behind those that wait: no second workflow is asked for', async () => {
    const [first, second] = [await send({ text: 'one' }), await send({ text: 'two' })];
    expect(second.body.conversation_id).toBe(first.body.conversation_id);
    const { body: list } = await as<{ data: Message[] }>('GET', `/v1/contacts/${contactId}/messages`);
    expect(
      list.data.map(({ text, direction, status, conversation_id }) => [text, direction, status, conversation_id]),
    ).toEqual([
      ['two', 'outbound', 'queued', first.body.conversation_id],
      ['one', 'outbound', 'queued', first.body.conversation_id],
      ['Hi', 'inbound', null, first.body.conversation_id],
    ]);
    expect(sendings()).toHaveLength(1);
  });

  test('sends no event', async () => {
    await insertWebhook(api.deps, { accountId: account.accountId, url: 'https://example.com/' });
    const events = () => api.db`select name from events where account_id = ${account.accountId}`;
    const before = await events();
    await send();
    expect(await events()).toEqual(before);
  });

  test('on a channel without a callback url is sent at once, and needs no workflow', async () => {
    const { body } = await send({ text: 'Hello', channel_id: await aChannel(null) });
    expect(body).toMatchObject({ status: 'sent', sent_at: expect.stringMatching(/Z$/) });
    expect(sendings()).toEqual([]);
  });

  test('with a client_ref that was used is answered with the first message, whatever else it says, also many at once', async () => {
    const asked = { text: 'Hello', client_ref: 'order-17' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(asked)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    await setContactStatus(api.db, readId('contact', contactId), 'unsubscribed');
    answers.push(await send({ ...asked, text: 'Something else' }));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.at(-1)?.body.text).toBe('Hello');
    expect(await countMessages()).toBe(1);
  });

  test('with the client_ref of a message to another contact is 409, also at the same moment', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => write(channelId)));
    const answers = await Promise.all(
      others.map((other) => send<Message & Refused>({ text: 'Hello', client_ref: 'order-17' }, other)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const [first] = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 409);
    const known = { id: first?.body.id, key: 'client_ref' };
    expect(refused.map(({ body }) => body.error.conflict_with)).toEqual([known, known, known]);
    expect((await send({ text: 'Hello', client_ref: 'order-17' }, await write(channelId))).status).toBe(409);
    expect(await countMessages()).toBe(1);
  });

  test('with an Idempotency-Key is queued once', async () => {
    const headers = { 'idempotency-key': 'again' };
    const ask = () =>
      api.request<Message>('POST', `/v1/contacts/${contactId}/messages`, {
        key: account.apiKey,
        headers,
        body: { text: 'Hello' },
      });
    const [first, again] = [await ask(), await ask()];
    expect(again.body).toEqual(first.body);
    expect(await countMessages()).toBe(1);
  });

  test.for(['unsubscribed', 'blocked'] as const)('who is %s is 409, and nothing is queued', async (status) => {
    await setContactStatus(api.db, readId('contact', contactId), status);
    expect(await send<Refused>()).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining(status) } },
    });
    expect(await countMessages()).toBe(0);
  });

  test('who has never written is 409 without a channel_id, and goes to the channel that is given', async () => {
    const { body: contact } = await as<{ id: string }>('POST', '/v1/contacts', aContact());
    expect((await send(undefined, contact.id)).status).toBe(409);
    expect((await send({ text: 'Hello', channel_id: channelId }, contact.id)).body).toMatchObject({
      channel_id: channelId,
    });
  });

  test('goes to the channel of the latest message, and to the latest conversation of who wrote to 0.2 alone', async () => {
    const other = await aChannel(null);
    const sender = { external_id: 'u-1' };
    const id = await write(channelId, anInboundMessage({ sender }));
    expect((await send(undefined, id)).body.channel_id).toBe(channelId);
    // A conversation that the contact has not written in does not count.
    expect((await send({ text: 'Hello', channel_id: other }, id)).body.channel_id).toBe(other);
    expect((await send(undefined, id)).body.channel_id).toBe(channelId);
    await forgetLastChannel(api.db, readId('contact', id));
    expect((await send(undefined, id)).body.channel_id).toBe(other);
    await write(channelId, anInboundMessage({ sender }));
    expect((await send(undefined, id)).body.channel_id).toBe(channelId);
    const elsewhere = await write(other, anInboundMessage({ sender }));
    expect((await send(undefined, elsewhere)).body.channel_id).toBe(other);
  });

  test(`is 409 when ${queuedAtMost} wait in its conversation`, async () => {
    const { body } = await send();
    await queueMany(api.db, readId('message', body.id), queuedAtMost - 1);
    expect((await send()).status).toBe(409);
    expect(await countMessages()).toBe(queuedAtMost);
  });

  test.for([
    ['no text', { text: undefined }, 'text'],
    ['an empty text', { text: ' ' }, 'text'],
    ['a text of 10,001 characters', { text: 'x'.repeat(10_001) }, 'text'],
    ['eleven quick replies', { quick_replies: Array(11).fill('S') }, 'quick_replies'],
    ['an empty quick reply', { quick_replies: [''] }, 'quick_replies.0'],
    ['a quick reply of 81 characters', { quick_replies: ['x'.repeat(81)] }, 'quick_replies.0'],
    ['an image that is no url', { image_url: 'a.png' }, 'image_url'],
    ['an image by javascript', { image_url: 'javascript:alert(1)' }, 'image_url'],
    ['a client_ref of 256 characters', { client_ref: 'x'.repeat(256) }, 'client_ref'],
    ['an unknown field', { colour: 'blue' }, 'colour'],
  ] as const)('with %s is 422, and nothing is queued', async ([, fields, path]) => {
    const answer = await send<Refused>({ text: 'Hello', ...fields });
    expect(answer).toMatchObject({ status: 422, body: { error: { details: [{ path }] } } });
    expect(await countMessages()).toBe(0);
  });

  test("of another account, over another account's channel, or to nobody is 404", async () => {
    const stranger = await api.createAccount();
    const { body } = await send();
    for (const [method, path] of [
      ['POST', `/v1/contacts/${contactId}/messages`],
      ['GET', `/v1/contacts/${contactId}/messages`],
      ['GET', `/v1/messages/${body.id}`],
    ] as const) {
      const asked = method === 'POST' ? { text: 'Hello' } : undefined;
      expect((await as(method, path, asked, stranger.apiKey)).status).toBe(404);
    }
    const theirs = await as<{ id: string }>('POST', '/v1/channels', { type: 'api', name: 'Shop' }, stranger.apiKey);
    for (const channel_id of [theirs.body.id, showId('channel', newUuid()), 'chn_1'])
      expect((await send({ text: 'Hello', channel_id })).status).toBe(404);
    expect((await send(undefined, showId('contact', newUuid()))).status).toBe(404);
    expect(await countMessages()).toBe(1);
  });

  test('may be sent by an agent', async () => {
    await setRole(api.db, account.userId, 'agent');
    const asked = { session: account.session, body: { text: 'Hello' } };
    expect((await api.request('POST', `/dashboard/api/contacts/${contactId}/messages`, asked)).status).toBe(201);
  });
});

test('the messages of a contact are listed page by page, of all its conversations, and of nobody else', async () => {
  const other = await aChannel(null);
  for (const [index, channel_id] of [channelId, other, channelId, other].entries())
    await send({ text: `${index}`, channel_id });
  await send({ text: 'to another' }, await write(channelId));
  const read = async (cursor?: string): Promise<string[]> => {
    const path = `/v1/contacts/${contactId}/messages?limit=2${cursor ? `&cursor=${cursor}` : ''}`;
    const { body } = await as<{ data: Message[]; next_cursor: string | null }>('GET', path);
    const texts = body.data.map(({ text }) => text);
    return body.next_cursor === null ? texts : [...texts, ...(await read(body.next_cursor))];
  };
  expect(await read()).toEqual(['3', '2', '1', '0', 'Hi']);
});
