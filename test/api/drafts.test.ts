import { beforeEach, describe, expect, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { draftLimits } from '../../src/shared/messages/drafts/schema.ts';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { aColleague } from '../helpers/states/accounts.ts';
import { haveManyDrafts } from '../helpers/states/conversations.ts';

type Draft = { kind: 'reply' | 'note'; text: string; revision: number; updated_at: string | null };
type Conversation = { id: string; contact_id: string };

const api = await useApi();
let account: TestAccount;
let grace: string;
let channelId: string;
beforeEach(async () => {
  account = await api.createAccount();
  grace = await createSession(api.db, await aColleague(api.db, account.accountId, 'agent'));
  channelId = (await as<{ id: string }>('POST', '/channels', { body: { type: 'api', name: 'Shop' } })).body.id;
});

type Asked = { body?: unknown; session?: string; ifMatch?: string };
const as = <Body>(method: string, path: string, { body, session = account.session, ifMatch }: Asked = {}) =>
  api.request<Body>(method, `/dashboard/api${path}`, {
    session,
    ...(body !== undefined && { body }),
    ...(ifMatch !== undefined && { headers: { 'If-Match': ifMatch } }),
  });

const aConversation = async (): Promise<Conversation> => {
  const { body } = await as<{ contact_id: string }>('POST', `/channels/${channelId}/inbound`, {
    body: anInboundMessage(),
  });
  const { body: page } = await as<{ data: Conversation[] }>('GET', `/conversations?contact_id=${body.contact_id}`);
  return page.data[0] ?? expect.fail('no conversation');
};

const pathOf = ({ id }: { id: string }, kind = 'reply') => `/conversations/${id}/drafts/${kind}`;
const save = (conversation: { id: string }, text: string, asked: Asked & { kind?: string } = {}) =>
  as<Draft>('PUT', pathOf(conversation, asked.kind), { ...asked, body: { text } });
const read = async (conversation: { id: string }, { kind, session }: { kind?: string; session?: string } = {}) =>
  (await as<Draft>('GET', pathOf(conversation, kind), session === undefined ? {} : { session })).body;

const none = { text: '', revision: 0, updated_at: null };

describe('a draft', () => {
  test('is one of a user, conversation and kind, and is read again as it was saved', async () => {
    const [one, other] = [await aConversation(), await aConversation()];
    expect(await read(one)).toEqual({ kind: 'reply', ...none });
    const { status, body, headers } = await save(one, ' Your order ');
    expect(status).toBe(200);
    expect(body).toMatchObject({ kind: 'reply', text: ' Your order ', updated_at: expect.stringMatching(/Z$/) });
    expect(headers['etag']).toBe(`"${body.revision}"`);
    await save(one, 'He is angry', { kind: 'note' });
    expect(await read(one)).toEqual(body);
    expect(await read(one, { kind: 'note' })).toMatchObject({ kind: 'note', text: 'He is angry' });
    expect([await read(other), await read(one, { session: grace })]).toEqual([
      { kind: 'reply', ...none },
      { kind: 'reply', ...none },
    ]);
    expect(await as('DELETE', pathOf(one))).toMatchObject({ status: 204 });
    expect(await as('DELETE', pathOf(one))).toMatchObject({ status: 204 });
    expect(await read(one)).toEqual({ kind: 'reply', ...none });
  });

  test('saved last wins, unless If-Match names a revision that has gone', async () => {
    const conversation = await aConversation();
    const first = await save(conversation, 'One', { ifMatch: '"0"' });
    expect(first.status).toBe(200);
    const second = await save(conversation, 'Two', { ifMatch: `"${first.body.revision}"` });
    expect(await save(conversation, 'Late', { ifMatch: `"${first.body.revision}"` })).toMatchObject({ status: 412 });
    expect(await read(conversation)).toEqual(second.body);
    expect(await save(conversation, 'Three')).toMatchObject({ status: 200, body: { text: 'Three' } });
  });

  test('goes when its reply is sent or its note is written, and a late save cannot bring it back', async () => {
    const conversation = await aConversation();
    const reply = await save(conversation, 'Hello');
    const note = await save(conversation, 'Nice', { kind: 'note' });
    await save(conversation, 'Mine', { session: grace });
    await as('POST', `/contacts/${conversation.contact_id}/messages`, { body: { text: 'Hello' } });
    expect([await read(conversation), await read(conversation, { kind: 'note' })]).toEqual([
      { kind: 'reply', ...none },
      note.body,
    ]);
    await as('POST', `/conversations/${conversation.id}/notes`, { body: { text: 'Nice' } });
    expect(await read(conversation, { kind: 'note' })).toEqual({ kind: 'note', ...none });
    expect(await read(conversation, { session: grace })).toMatchObject({ text: 'Mine' });
    const late = await save(conversation, 'Hello', { ifMatch: `"${reply.body.revision}"` });
    expect(late).toMatchObject({ status: 412 });
  });

  test('finds its conversation: draft=mine lists and counts those in which the user has one', async () => {
    const [one, other] = [await aConversation(), await aConversation()];
    await save(one, 'Mine');
    await save(one, 'Mine, too', { kind: 'note' });
    await save(other, 'Hers', { session: grace });
    for (const order of ['opened', 'latest_message']) {
      const { body } = await as<{ data: Conversation[] }>('GET', `/conversations?draft=mine&order=${order}`);
      expect(body.data.map(({ id }) => id)).toEqual([one.id]);
    }
    expect(await as('GET', '/conversations/count?draft=mine')).toMatchObject({ body: { count: 1 } });
    const asKey = await api.request('GET', '/v1/conversations?draft=mine', { key: account.apiKey });
    expect(asKey).toMatchObject({ status: 422, body: { error: { details: [{ path: 'draft' }] } } });
  });

  test('has at most 10,000 characters, and takes the place of characters that cannot be stored', async () => {
    const conversation = await aConversation();
    expect(await save(conversation, 'x'.repeat(10_000))).toMatchObject({ status: 200 });
    expect(await save(conversation, 'x'.repeat(10_001))).toMatchObject({ status: 422 });
    expect(await save(conversation, '')).toMatchObject({ status: 422 });
    expect(await save(conversation, 'a\0b')).toMatchObject({ status: 200, body: { text: 'a\uFFFDb' } });
    expect(await save(conversation, 'x', { kind: 'mail' })).toMatchObject({ status: 422 });
  });

  test('is one of 500 of a user at most, also when many are saved at once; others can be changed', async () => {
    const first = await aConversation();
    const more = [await aConversation(), await aConversation(), await aConversation()];
    await save(first, 'One');
    await haveManyDrafts(api.db, account.userId, draftLimits.drafts - 3);
    const saved = await Promise.all(more.map((conversation) => save(conversation, 'More')));
    expect(saved.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 409]);
    expect(await save(first, 'Changed')).toMatchObject({ status: 200 });
    expect(await save(first, 'Hers', { session: grace })).toMatchObject({ status: 200 });
  });

  test('in a conversation of others is 404, and it goes with its user', async () => {
    const conversation = await aConversation();
    await save(conversation, 'Hers', { session: grace });
    const stranger = await api.createAccount();
    const theirs = { session: stranger.session };
    for (const [method, asked] of [
      ['GET', theirs],
      ['PUT', { ...theirs, body: { text: 'x' } }],
      ['DELETE', theirs],
    ] as const)
      expect(await as(method, pathOf(conversation), asked)).toMatchObject({ status: 404 });
    expect(await as('GET', pathOf({ id: showId('conversation', newUuid()) }))).toMatchObject({ status: 404 });
    const { body } = await as<{ data: { id: string; role: string }[] }>('GET', '/users');
    const user = body.data.find(({ role }) => role === 'agent');
    expect(await as('DELETE', `/users/${user?.id}`)).toMatchObject({ status: 204 });
    const left = await api.db`
      select from conversation_drafts where conversation_id = ${readId('conversation', conversation.id)}`;
    expect(left.count).toBe(0);
  });
});
