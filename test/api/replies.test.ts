import { beforeEach, describe, expect, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { queueMessages } from '../../src/shared/messages/outbound/queue-messages.ts';
import { takeSlots } from '../../src/shared/messages/outbound/slots.ts';
import { nobody } from '../../src/shared/platform/processes/own-process.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { aColleague } from '../helpers/states/accounts.ts';

type Conversation = {
  id: string;
  contact_id: string;
  channel_id: string;
  status: string;
  owner: string;
  state: string;
  assigned_to: string | null;
  snoozed_until: string | null;
  unread: number;
  last_message: { text: string; sent_by: Message['sent_by'] } | null;
  revision: number;
};
type Message = {
  id: string;
  text: string;
  status: string | null;
  revision: number;
  sent_by: { type: string; id: string | null } | null;
};
type Refused = { error: { code: string; answer?: Message; conflict_with?: { id: string; key: string } } };

const api = await useApi();
let account: TestAccount;
let ada: { id: string; session: string };
let grace: { id: string; session: string };
let channelId: string;
beforeEach(async () => {
  account = await api.createAccount();
  const colleague = await aColleague(api.db, account.accountId, 'agent');
  ada = { id: showId('user', account.userId), session: account.session };
  grace = { id: showId('user', colleague), session: await createSession(api.db, colleague) };
  channelId = (await as<{ id: string }>(ada, 'POST', '/channels', queueing)).body.id;
});

/** A channel over which nobody sends while a test runs. */
const queueing = { type: 'api', name: 'Shop', callback_url: 'https://127.0.0.1:1/messages' };

const as = <Body>({ session }: { session: string }, method: string, path: string, body?: unknown) =>
  api.request<Body & Refused>(method, `/dashboard/api${path}`, { session, ...(body !== undefined && { body }) });

const read = async (id: string) => (await as<Conversation>(ada, 'GET', `/conversations/${id}`)).body;

/** A contact of its own writes. */
const aConversation = async (): Promise<Conversation> => {
  const { body } = await as<{ contact_id: string }>(ada, 'POST', `/channels/${channelId}/inbound`, anInboundMessage());
  const { body: page } = await as<{ data: Conversation[] }>(ada, 'GET', `/conversations?contact_id=${body.contact_id}`);
  return page.data[0] ?? expect.fail('no conversation');
};

const reply = (by: { session: string }, conversation: { id: string }, body: object = {}) =>
  as<Message>(by, 'POST', `/conversations/${conversation.id}/messages`, {
    text: 'It ships today.',
    client_ref: newUuid(),
    ...body,
  });

const messagesOf = async ({ id }: { id: string }) =>
  (await as<{ data: Message[] }>(ada, 'GET', `/conversations/${id}/messages`)).body.data;

const haveFlows = () =>
  aFlow(api.db, account.accountId, { blocks: [{ id: 'hello', type: 'send', messages: [{ text: 'Hello' }] }] });

/** Messages that a run has queued in a conversation. */
const queueByFlow = async (conversation: Conversation, ...texts: string[]): Promise<void> => {
  await api.deps.transact((tx) =>
    queueMessages(tx, {
      accountId: account.accountId,
      contactId: readId('contact', conversation.contact_id),
      channelId: readId('channel', conversation.channel_id),
      runId: newUuid(),
      messages: texts.map((text, position) => ({ text, step: 1, position })),
    }),
  );
};

describe('answering in a conversation', () => {
  test('takes it: it is assigned, read and silent for flows, and nobody is mailed', async () => {
    await haveFlows();
    await as(grace, 'PUT', '/handover-mails', { notify_handovers: true });
    const conversation = await aConversation();
    const { status, body } = await reply(ada, conversation);
    expect({ status, body }).toMatchObject({ status: 201, body: { text: 'It ships today.', status: 'queued' } });
    expect(await read(conversation.id)).toMatchObject({
      owner: 'agent',
      state: 'handover',
      assigned_to: ada.id,
      unread: 0,
    });
    const { body: handovers } = await as<{ data: object[] }>(ada, 'GET', '/handovers');
    expect(handovers.data).toMatchObject([
      { status: 'open', conversation_id: conversation.id, assigned_to: ada.id, requested_by: 'agent' },
    ]);
    const mails = await api.db`select from mails where account_id = ${account.accountId}`;
    expect(mails.count).toBe(0);
    await reply(grace, conversation);
    expect(await read(conversation.id)).toMatchObject({ assigned_to: ada.id });
  });

  test('of an account without flows assigns it, and opens no handover', async () => {
    const conversation = await aConversation();
    await reply(grace, conversation);
    expect(await read(conversation.id)).toMatchObject({ owner: 'agent', state: 'idle', assigned_to: grace.id });
    const { body } = await as<{ data: object[] }>(ada, 'GET', '/handovers');
    expect(body.data).toEqual([]);
  });

  test('says who has written: a user, a run of a flow, or the API, which takes nothing', async () => {
    await haveFlows();
    const conversation = await aConversation();
    await queueByFlow(conversation, 'Bot');
    const byKey = await api.request('POST', `/v1/conversations/${conversation.id}/messages`, {
      key: account.apiKey,
      body: { text: 'Key', client_ref: 'key' },
    });
    expect(byKey.status).toBe(201);
    expect(await read(conversation.id)).toMatchObject({ owner: 'bot', assigned_to: null, unread: 1 });
    await reply(ada, conversation, { text: 'Ada' });
    expect((await read(conversation.id)).last_message).toMatchObject({
      text: 'Ada',
      sent_by: { type: 'user', id: ada.id },
    });
    const told = (await messagesOf(conversation)).map(({ text, status, sent_by }) => ({ text, status, sent_by }));
    expect(told).toEqual([
      { text: 'Ada', status: 'queued', sent_by: { type: 'user', id: ada.id } },
      { text: 'Key', status: 'queued', sent_by: { type: 'api', id: null } },
      { text: 'Bot', status: 'withdrawn', sent_by: { type: 'flow', id: expect.stringMatching(/^run_/) } },
      { text: expect.any(String), status: null, sent_by: null },
    ]);
  });

  test('withdraws what flows have queued, but not what is under way, and says so by revisions', async () => {
    const conversation = await aConversation();
    await queueByFlow(conversation, 'one', 'two', 'three');
    const [lane] = await api.db<{ id: string }[]>`select id from sendings where account_id = ${account.accountId}`;
    expect(await takeSlots(api.db, { laneIds: [lane?.id ?? ''], sender: nobody })).toMatchObject({ size: 1 });
    const { revision } = await read(conversation.id);
    await reply(ada, conversation, { text: 'four' });
    const told = (await messagesOf(conversation)).map(({ text, status }) => [text, status]).slice(0, 4);
    expect(told).toEqual([
      ['four', 'queued'],
      ['three', 'withdrawn'],
      ['two', 'withdrawn'],
      ['one', 'queued'],
    ]);
    const { body } = await as<{ messages: Message[] }>(
      ada,
      'GET',
      `/conversations/${conversation.id}/changes?after=${revision}`,
    );
    expect(body.messages.map(({ text }) => text).toSorted()).toEqual(['four', 'three', 'two']);
  });

  test('is 409 with their message where another user has answered since seen_revision', async () => {
    const conversation = await aConversation();
    const { revision: seen_revision } = conversation;
    const first = await reply(ada, conversation, { seen_revision, text: 'Mine' });
    expect(await reply(ada, conversation, { seen_revision, text: 'Mine, too' })).toMatchObject({ status: 201 });
    const refused = await reply(grace, conversation, { seen_revision });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        error: { code: 'answered_meanwhile', answer: { text: 'Mine, too' }, conflict_with: { key: 'seen_revision' } },
      },
    });
    expect(await reply(grace, conversation, { seen_revision: (await read(conversation.id)).revision })).toMatchObject({
      status: 201,
    });
    expect(await reply(ada, conversation)).toMatchObject({ status: 201 });
    expect((await messagesOf(conversation)).filter(({ sent_by }) => sent_by !== null)).toHaveLength(4);
    expect(first.body.sent_by).toEqual({ type: 'user', id: ada.id });
  });

  test('is not refused for what the contact, a flow or the API have said since seen_revision', async () => {
    const conversation = await aConversation();
    const { revision: seen_revision } = conversation;
    await queueByFlow(conversation, 'Bot');
    const byKey = { key: account.apiKey, body: { text: 'Key', client_ref: 'key' } };
    await api.request('POST', `/v1/conversations/${conversation.id}/messages`, byKey);
    expect(await reply(ada, conversation, { seen_revision })).toMatchObject({ status: 201 });
  });

  test('sends none of 1,000 simultaneous replies of two agents unseen', async () => {
    const conversations = await Promise.all(Array.from({ length: 10 }, aConversation));
    let refused = 0;
    for (let round = 0; round < 50; round += 1) {
      const answers = await Promise.all(
        conversations.flatMap(({ id }) => {
          const seen = read(id);
          return [ada, grace].map(async (by) => reply(by, { id }, { seen_revision: (await seen).revision }));
        }),
      );
      refused += answers.filter(({ status }) => status === 409).length;
      expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    }
    expect(refused).toBe(500);
    const sent = await api.db`select from outbound_messages where account_id = ${account.accountId}`;
    expect(sent.count).toBe(500);
  }, 120_000);

  test('again with the same client_ref answers the first message, and does nothing else', async () => {
    const conversation = await aConversation();
    const once = { client_ref: 'answer-1', seen_revision: conversation.revision };
    const first = await reply(ada, conversation, once);
    await reply(grace, conversation);
    const { revision } = await read(conversation.id);
    expect((await reply(ada, conversation, { ...once, next: 'close' })).body.id).toBe(first.body.id);
    expect(await read(conversation.id)).toMatchObject({ status: 'open', revision });
    const other = await aConversation();
    expect(await reply(ada, other, once)).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  });

  test('then closes or snoozes the conversation, in the same transaction', async () => {
    const [closed, snoozed] = [await aConversation(), await aConversation()];
    expect(await reply(ada, closed, { next: 'close' })).toMatchObject({ status: 201 });
    expect(await read(closed.id)).toMatchObject({ status: 'closed', assigned_to: ada.id });
    const until = new Date(Date.now() + 3_600_000).toISOString();
    expect(await reply(ada, snoozed, { next: { snooze_until: until } })).toMatchObject({ status: 201 });
    expect(await read(snoozed.id)).toMatchObject({ status: 'open', snoozed_until: until });
    expect(await reply(ada, snoozed, { next: { snooze_until: '2020-01-01T00:00:00Z' } })).toMatchObject({
      status: 422,
    });
    expect(await messagesOf(snoozed)).toHaveLength(2);
    await reply(ada, snoozed);
    expect(await read(snoozed.id)).toMatchObject({ snoozed_until: null });
  });

  test('is refused for a closed conversation, a blocked contact, another account and a body that is wrong', async () => {
    const conversation = await aConversation();
    for (const body of [{ text: '' }, { text: 'x'.repeat(10_001) }, { seen_revision: -1 }, { next: 'archive' }])
      expect(await reply(ada, conversation, body)).toMatchObject({ status: 422 });
    const stranger = await api.createAccount();
    expect(await reply(stranger, conversation)).toMatchObject({ status: 404 });
    await as(ada, 'PATCH', `/contacts/${conversation.contact_id}`, { status: 'blocked' });
    expect(await reply(ada, conversation)).toMatchObject({ status: 409 });
    await as(ada, 'POST', `/conversations/${conversation.id}/close`);
    expect(await reply(ada, conversation)).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect(await messagesOf(conversation)).toHaveLength(1);
  });
});
