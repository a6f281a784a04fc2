import { beforeEach, describe, expect, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { foldInboxCounts } from '../../src/shared/inbox/fold-counts.ts';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { wakeSnoozed } from '../../src/shared/messages/conversations/snooze.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { aColleague } from '../helpers/states/accounts.ts';
import { letSnoozesLapse } from '../helpers/states/conversations.ts';

type Conversation = {
  id: string;
  contact_id: string;
  status: string;
  owner: string;
  assigned_to: string | null;
  waiting_since: string | null;
  snoozed_until: string | null;
  unread: number;
};
type Handover = { id: string; assigned_to: string | null; status: string; created_at: string; conversation_id: string };

const api = await useApi();
let account: TestAccount;
let ada: string;
let grace: { id: string; session: string };
let channelId: string;
beforeEach(async () => {
  account = await api.createAccount();
  const colleague = await aColleague(api.db, account.accountId, 'agent');
  ada = showId('user', account.userId);
  grace = { id: showId('user', colleague), session: await createSession(api.db, colleague) };
  channelId = (await as<{ id: string }>('POST', '/channels', { type: 'api', name: 'Shop' })).body.id;
});

const as = <Body = Conversation>(method: string, path: string, body?: unknown, session = account.session) =>
  api.request<Body>(method, `/dashboard/api${path}`, { session, ...(body !== undefined && { body }) });

const write = (sender: string) =>
  as<{ contact_id: string }>(
    'POST',
    `/channels/${channelId}/inbound`,
    anInboundMessage({ sender: { external_id: sender } }),
  );
const aConversation = async (sender = newUuid()): Promise<Conversation> => {
  const { body } = await write(sender);
  const { body: page } = await as<{ data: Conversation[] }>('GET', `/conversations?contact_id=${body.contact_id}`);
  return page.data[0] ?? expect.fail('no conversation');
};
const read = async ({ id }: { id: string }) => (await as('GET', `/conversations/${id}`)).body;
const request = async ({ id }: { id: string }) =>
  (await as<Handover>('POST', '/handovers', { conversation_id: id, reason: 'Help' })).body;
const readHandover = async ({ id }: { id: string }) => (await as<Handover>('GET', `/handovers/${id}`)).body;
const list = async (query: string) =>
  (await as<{ data: Conversation[] }>('GET', `/conversations?${query}`)).body.data.map(({ id }) => id);
const acts = async ({ id }: { id: string }) =>
  (await as<{ data: { kind: string }[] }>('GET', `/conversations/${id}/acts`)).body.data.map(({ kind }) => kind);

describe('the owner of a conversation', () => {
  test('is the bot, then nobody yet, then the agent who takes its handover, then the bot again', async () => {
    const conversation = await aConversation();
    expect(conversation).toMatchObject({ owner: 'bot', assigned_to: null, waiting_since: null });
    const handover = await request(conversation);
    expect(await read(conversation)).toMatchObject({ owner: 'waiting', waiting_since: handover.created_at });
    await as('PATCH', `/handovers/${handover.id}`, { assigned_to: ada });
    expect(await read(conversation)).toMatchObject({ owner: 'agent', assigned_to: ada, waiting_since: null });
    await as('PATCH', `/handovers/${handover.id}`, { assigned_to: null });
    expect(await read(conversation)).toMatchObject({ owner: 'waiting', waiting_since: handover.created_at });
    await as('PATCH', `/conversations/${conversation.id}`, { assigned_to: grace.id });
    expect(await readHandover(handover)).toMatchObject({ assigned_to: grace.id });
    await as('POST', `/handovers/${handover.id}/resolve`, {});
    expect(await read(conversation)).toMatchObject({ owner: 'bot', assigned_to: null, waiting_since: null });
  });

  test('who looks after it has the handover that is requested then, and keeps a conversation that is closed', async () => {
    const conversation = await aConversation();
    await as('PATCH', `/conversations/${conversation.id}`, { assigned_to: ada });
    const handover = await request(conversation);
    expect(handover).toMatchObject({ assigned_to: ada });
    await as('POST', `/conversations/${conversation.id}/close`);
    expect(await read(conversation)).toMatchObject({ status: 'closed', assigned_to: ada, waiting_since: null });
    expect(await readHandover(handover)).toMatchObject({ status: 'resolved', assigned_to: ada });
  });

  test('of a contact that had none open when a handover was requested is known with the next message', async () => {
    const sender = newUuid();
    const closed = await aConversation(sender);
    await as('POST', `/conversations/${closed.id}/close`);
    const body = { contact_id: closed.contact_id, reason: 'Help' };
    const { body: handover } = await as<Handover>('POST', '/handovers', body);
    expect(handover.conversation_id).toBeNull();
    await as('PATCH', `/handovers/${handover.id}`, { assigned_to: grace.id });
    await write(sender);
    const [id = ''] = await list(`status=open&contact_id=${closed.contact_id}`);
    expect(await read({ id })).toMatchObject({ owner: 'agent', assigned_to: grace.id });
    expect(await readHandover(handover)).toMatchObject({ conversation_id: id });
  });

  test('filters lists, and those that wait the longest come first, page after page', async () => {
    const conversations = [await aConversation(), await aConversation(), await aConversation(), await aConversation()];
    const [bot, first, second, taken] = conversations.map(({ id }) => ({ id }));
    for (const one of [first, second, taken]) await request(one ?? { id: '' });
    await as('PATCH', `/conversations/${taken?.id}`, { assigned_to: ada });
    expect(await list('owner=waiting')).toEqual([second?.id, first?.id]);
    expect([await list('owner=agent'), await list('owner=bot')]).toEqual([[taken?.id], [bot?.id]]);
    expect(await list('order=waiting_longest')).toEqual([first?.id, second?.id]);
    const page = async (query: string) =>
      (await as<{ data: { id: string }[]; next_cursor: string | null }>('GET', `/conversations?${query}`)).body;
    const { data, next_cursor } = await page('order=waiting_longest&limit=1');
    expect(data).toMatchObject([{ id: first?.id }]);
    const next = await page(`order=waiting_longest&limit=1&cursor=${next_cursor}`);
    expect(next).toMatchObject({ data: [{ id: second?.id }], next_cursor: null });
    expect(await as('GET', `/conversations?order=opened&cursor=${next_cursor}`)).toMatchObject({ status: 422 });
  });
});

describe('a snoozed conversation', () => {
  const until = () => new Date(Date.now() + 3_600_000).toISOString();
  const snooze = (conversation: { id: string }, time: string | null = until()) =>
    as('POST', `/conversations/${conversation.id}/snooze`, { until: time });

  test('wakes at its time, and stays asleep before', async () => {
    const [early, late] = [await aConversation(), await aConversation()];
    expect(await snooze(early)).toMatchObject({ status: 200, body: { snoozed_until: expect.any(String) } });
    await letSnoozesLapse(api.db, readId('conversation', early.id));
    await snooze(late);
    expect(await list('snoozed=true')).toEqual([late.id, early.id]);
    await wakeSnoozed(api.deps);
    expect([await list('snoozed=true'), await list('snoozed=false')]).toEqual([[late.id], [early.id]]);
    expect(await read(early)).toMatchObject({ status: 'open', snoozed_until: null });
    expect(await acts(early)).toEqual(['snoozed']);
  });

  test('wakes when its contact writes, when it is woken, and when it is closed', async () => {
    const sender = newUuid();
    const [written, woken, closed] = [await aConversation(sender), await aConversation(), await aConversation()];
    for (const one of [written, woken, closed]) await snooze(one);
    await write(sender);
    expect(await snooze(woken, null)).toMatchObject({ status: 200, body: { snoozed_until: null } });
    await as('POST', `/conversations/${closed.id}/close`);
    for (const one of [written, woken, closed]) expect(await read(one)).toMatchObject({ snoozed_until: null });
    expect(await snooze(closed)).toMatchObject({ status: 409 });
  });

  test('sleeps until a time that is ahead, for a year at most', async () => {
    const conversation = await aConversation();
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    expect(await snooze(conversation, inDays(365))).toMatchObject({ status: 200 });
    for (const time of [inDays(-1), inDays(367), 'tomorrow'])
      expect(await snooze(conversation, time)).toMatchObject({ status: 422 });
  });
});

describe('what agents do in a conversation', () => {
  test('marking unread brings back the last message of the contact, and reading takes it away again', async () => {
    const sender = newUuid();
    const conversation = await aConversation(sender);
    await write(sender);
    await as('POST', `/conversations/${conversation.id}/read`);
    expect(await as('POST', `/conversations/${conversation.id}/unread`)).toMatchObject({ body: { unread: 1 } });
    expect(await as('POST', `/conversations/${conversation.id}/unread`)).toMatchObject({ body: { unread: 1 } });
    expect(await as('POST', `/conversations/${conversation.id}/read`)).toMatchObject({ body: { unread: 0 } });
  });

  test('handing over assigns it and its handover to a colleague, with a note', async () => {
    const conversation = await aConversation();
    const handover = await request(conversation);
    const body = { to: grace.id, note: 'Wants a refund.' };
    const path = `/conversations/${conversation.id}`;
    expect(await as('POST', `${path}/hand-over`, body)).toMatchObject({ status: 200, body: { assigned_to: grace.id } });
    expect(await readHandover(handover)).toMatchObject({ assigned_to: grace.id });
    const { body: notes } = await as<{ data: object[] }>('GET', `${path}/notes`);
    expect(notes.data).toMatchObject([{ text: 'Wants a refund.', user_id: ada }]);
    expect(await as('POST', `${path}/hand-over`, { to: showId('user', newUuid()) })).toMatchObject({ status: 404 });
  });

  test('handing back unassigns it, resolves its handover and ends the pause of its contact', async () => {
    const conversation = await aConversation();
    const handover = await request(conversation);
    await as('PATCH', `/conversations/${conversation.id}`, { assigned_to: ada });
    const contact = `/contacts/${conversation.contact_id}`;
    await as('PATCH', contact, { automation_paused_until: '2099-01-01T00:00:00Z' });
    const back = await as('POST', `/conversations/${conversation.id}/hand-back`);
    expect(back).toMatchObject({ status: 200, body: { owner: 'bot', assigned_to: null } });
    expect(await readHandover(handover)).toMatchObject({ status: 'resolved' });
    expect((await as('GET', contact)).body).toMatchObject({ automation_paused_until: null });
    expect(await as('POST', `/conversations/${conversation.id}/hand-back`)).toMatchObject({ status: 200 });
  });

  test('in a conversation of others is 404', async () => {
    const conversation = await aConversation();
    const { session } = await api.createAccount();
    for (const [path, body] of [
      ['snooze', { until: null }],
      ['unread', undefined],
      ['hand-over', { to: ada }],
      ['hand-back', undefined],
    ] as const)
      expect(await as('POST', `/conversations/${conversation.id}/${path}`, body, session)).toMatchObject({
        status: 404,
      });
  });
});

test('the counts of the inbox are those of its views, for each user, folded or not', async () => {
  const [mine, hers, waiting, snoozed, closed] = await Promise.all(
    ['mine', 'hers', 'waiting', 'snoozed', 'closed'].map((sender) => aConversation(sender)),
  );
  await as('PATCH', `/conversations/${mine?.id}`, { assigned_to: ada });
  await as('PATCH', `/conversations/${hers?.id}`, { assigned_to: grace.id });
  await request(waiting ?? { id: '' });
  await as('POST', `/conversations/${snoozed?.id}/snooze`, { until: '2026-12-24T00:00:00Z' });
  await as('POST', `/conversations/${closed?.id}/close`);
  const counts = {
    waiting: 1,
    unassigned: 1,
    open: 3,
    snoozed: 1,
    closed: 1,
    by_channel: [{ channel_id: channelId, open: 3 }],
  };
  const ask = async () => (await as('GET', '/inbox/counts')).body;
  expect(await ask()).toEqual({ ...counts, mine: 1 });
  await foldInboxCounts(api.db);
  expect(await ask()).toEqual({ ...counts, mine: 1 });
  const { body } = await api.request('GET', '/v1/inbox/counts', { key: account.apiKey });
  expect(body).toEqual({ ...counts, mine: null });
});
