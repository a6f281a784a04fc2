import { beforeEach, describe, expect, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { lockContact } from '../../src/shared/contacts/lock-contact.ts';
import { selectPage } from '../../src/shared/messages/conversations/find-conversations.ts';
import { selectFromMessages } from '../../src/shared/messages/conversations/list-by-latest.ts';
import { noteLimits } from '../../src/shared/messages/conversations/schema.ts';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { deliveriesOf } from '../helpers/items.ts';
import { holdLock } from '../helpers/locks.ts';
import { aColleague } from '../helpers/states/accounts.ts';
import { haveManyConversations, writeManyNotes } from '../helpers/states/conversations.ts';

type Conversation = {
  id: string;
  contact_id: string;
  channel_id: string;
  status: 'open' | 'closed';
  state: string;
  assigned_to: string | null;
  assigned_by_other_at: string | null;
  unread: number;
  last_message: { id: string; direction: string; text: string; created_at: string } | null;
  created_at: string;
  closed_at: string | null;
  revision: number;
};
type Message = { id: string; contact_id: string; conversation_id: string; text: string };
type Page<Row = Conversation> = { data: Row[]; next_cursor: string | null };
type Refused = { error: { code: string; message: string } };

const api = await useApi();
let account: TestAccount;
let channelId: string;
beforeEach(async () => {
  account = await api.createAccount();
  const channel = { type: 'api', name: 'Shop' };
  channelId = (await as<{ id: string }>('POST', '/v1/channels', channel)).body.id;
});

const as = <Body = Conversation>(method: string, path: string, body?: unknown, key = account.apiKey) =>
  api.request<Body & Refused>(method, path, { key, body });

/** A contact writes; answers the message as it is stored. */
const write = async (sender: string, text = 'Hi'): Promise<Message> => {
  const message = anInboundMessage({ sender: { external_id: sender }, text });
  const { body } = await as<{ message: { id: string } }>('POST', `/v1/channels/${channelId}/inbound`, message);
  return (await as<Message>('GET', `/v1/messages/${body.message.id}`)).body;
};

/** A contact of its own writes; answers the conversation. */
const opened = async (sender = newUuid()): Promise<Conversation> => read((await write(sender)).conversation_id);
const read = async (id: string): Promise<Conversation> => (await as('GET', `/v1/conversations/${id}`)).body;
/** A revision of a conversation after its first message. */
const later = expect.toSatisfy((revision: number) => revision > 1);
const close = (id: string) => as('POST', `/v1/conversations/${id}/close`);
const reopen = (id: string) => as('POST', `/v1/conversations/${id}/reopen`);
const list = async (query = ''): Promise<Page> => (await as<Page>('GET', `/v1/conversations?${query}`)).body;
const idsOf = ({ data }: Page) => data.map(({ id }) => id);

const told = () => api.db<{ contactId: string; data: object; occurredAt: Date }[]>`
  select contact_id, data, occurred_at from events
  where account_id = ${account.accountId} and name = 'conversation_closed' order by id`;

describe('a conversation', () => {
  test('is opened by the first message, and reads with the beginning of its last one', async () => {
    await write('ada');
    const message = await write('ada', 'é'.repeat(300));
    const { status, body } = await as('GET', `/v1/conversations/${message.conversation_id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: message.conversation_id,
      contact_id: message.contact_id,
      channel_id: channelId,
      status: 'open',
      state: 'idle',
      owner: 'bot',
      assigned_to: null,
      assigned_by_other_at: null,
      waiting_since: null,
      snoozed_until: null,
      unread: 2,
      last_message: {
        id: message.id,
        direction: 'inbound',
        text: 'é'.repeat(200),
        sent_by: null,
        created_at: expect.stringMatching(/Z$/),
      },
      found_message: null,
      created_at: expect.stringMatching(/Z$/),
      closed_at: null,
      revision: 2,
    });
  });

  test('has pages of its messages, newest first, and of no other conversation', async () => {
    const first = await write('ada', '1');
    await write('grace');
    for (const text of ['2', '3']) await write('ada', text);
    const { contact_id, conversation_id } = first;
    await as('POST', `/v1/contacts/${contact_id}/messages`, { text: '4' });
    const page = async (query: string) =>
      (await as<Page<Message>>('GET', `/v1/conversations/${conversation_id}/messages?${query}`)).body;
    const latest = await page('limit=3');
    expect(latest.data.map(({ text }) => text)).toEqual(['4', '3', '2']);
    expect(await page(`limit=3&cursor=${latest.next_cursor}`)).toEqual({ data: [first], next_cursor: null });
  });

  test("is nobody else's: another account reads, closes and reopens none", async () => {
    const { id } = await opened();
    const { apiKey } = await api.createAccount();
    for (const [method, path, body] of [
      ['GET', ''],
      ['GET', '/messages'],
      ['POST', '/close'],
      ['POST', '/reopen'],
      ['POST', '/read'],
      ['GET', '/notes'],
      ['POST', '/notes', { text: 'x' }],
      ['PATCH', '', { assigned_to: null }],
    ] as const)
      expect((await as(method, `/v1/conversations/${id}${path}`, body, apiKey)).status).toBe(404);
    expect((await as<Page>('GET', '/v1/conversations', undefined, apiKey)).body.data).toEqual([]);
    expect((await read(id)).status).toBe('open');
    expect(await told()).toEqual([]);
  });

  test('of which there is none is 404', async () => {
    for (const id of [showId('conversation', newUuid()), showId('contact', newUuid()), 'x'])
      expect((await close(id)).status).toBe(404);
  });
});

describe('closing', () => {
  test('is told once, with the conversation and when it was, to webhooks of variant A alone', async () => {
    const conversation = await opened();
    const url = 'https://receiver.example/hook';
    const hook = await insertWebhook(api.deps, { accountId: account.accountId, url });
    await insertWebhook(api.deps, { accountId: account.accountId, url, variant: 'dashboard' });
    const { status, body } = await close(conversation.id);
    expect(status).toBe(200);
    const closed = { status: 'closed', closed_at: expect.stringMatching(/Z$/), revision: later };
    expect(body).toEqual({ ...conversation, ...closed });
    expect(await read(conversation.id)).toEqual(body);
    const { id, created_at } = conversation;
    expect(await told()).toMatchObject([
      { data: { conversation: { id, created_at } }, occurredAt: new Date(body.closed_at ?? '') },
    ]);
    const deliveries = await api.db`
      select webhook_id from deliveries where account_id = ${account.accountId}`;
    expect(deliveries).toEqual([{ webhookId: hook }]);
    expect(deliveriesOf(api.dispatched)).toContainEqual(expect.objectContaining({ accountId: account.accountId }));
  });

  test('again, also of many agents at once, changes and tells nothing', async () => {
    const { id } = await opened();
    const answers = await Promise.all(Array.from({ length: 6 }, () => close(id)));
    const first = answers[0]?.body;
    expect(first?.status).toBe('closed');
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => first));
    expect((await close(id)).body).toEqual(first);
    expect(await told()).toHaveLength(1);
  });

  test('has the next message open another conversation, and leaves the one that is over as it is', async () => {
    const { id } = await opened('ada');
    const { body: closed } = await close(id);
    const { conversation_id } = await write('ada');
    expect(conversation_id).not.toBe(id);
    // It says now that there is a later one.
    expect(await read(id)).toEqual({ ...closed, revision: closed.revision + 1 });
    expect(idsOf(await list())).toEqual([conversation_id, id]);
  });

  test('waits for who has its contact, as its runs do; so does reopening', async () => {
    const { id, contact_id } = await opened();
    for (const [change, status] of [
      [close, 'closed'],
      [reopen, 'open'],
    ] as const) {
      const contactId = readId('contact', contact_id);
      const held = await holdLock(api.db, (sql) => lockContact(sql, { accountId: account.accountId, contactId }));
      const changing = change(id);
      await held.hasStopped('from contacts');
      await held.letThrough();
      expect((await changing).body.status).toBe(status);
    }
  });

  test('with an Idempotency-Key gives the first answer again', async () => {
    const { id } = await opened();
    const sent = { key: account.apiKey, headers: { 'idempotency-key': 'once' } };
    const first = await api.request('POST', `/v1/conversations/${id}/close`, sent);
    await reopen(id);
    const again = await api.request('POST', `/v1/conversations/${id}/close`, sent);
    expect(again.body).toEqual(first.body);
    expect((await read(id)).status).toBe('open');
  });
});

describe('reopening', () => {
  test('has the next message go on in it; it is closed again by another event', async () => {
    const { id } = await opened('ada');
    await close(id);
    const { status, body } = await reopen(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, status: 'open', closed_at: null });
    expect((await write('ada')).conversation_id).toBe(id);
    await close(id);
    expect(await told()).toHaveLength(2);
  });

  test('an open one changes nothing', async () => {
    const conversation = await opened();
    expect((await reopen(conversation.id)).body).toEqual(conversation);
  });

  test('is 409 while the contact has another open one on the channel, which is named, and nothing changes', async () => {
    const { id } = await opened('ada');
    const { body: closed } = await close(id);
    const { conversation_id } = await write('ada');
    const { status, body } = await reopen(id);
    expect([status, body.error.code]).toEqual([409, 'conflict']);
    expect(body.error.message).toContain(conversation_id);
    expect(await read(id)).toEqual({ ...closed, revision: closed.revision + 1 });
  });
});

describe('assigning', () => {
  const assign = (id: string, assigned_to: unknown, more: object = {}) =>
    as('PATCH', `/v1/conversations/${id}`, { assigned_to, ...more });

  test('has a user of the account look after a conversation, until another one or nobody does', async () => {
    const [mine, other] = [await opened(), await opened()];
    const user = showId('user', account.userId);
    const assigned_by_other_at = expect.stringMatching(/Z$/);
    expect((await assign(mine.id, user)).body).toEqual({
      ...mine,
      owner: 'agent',
      assigned_to: user,
      assigned_by_other_at,
      revision: later,
    });
    expect(idsOf(await list(`assigned_to=${user}`))).toEqual([mine.id]);
    expect(idsOf(await list('assigned_to=none'))).toEqual([other.id]);
    expect((await assign(mine.id, null)).body).toEqual({ ...mine, revision: later });
    expect(idsOf(await list('assigned_to=none'))).toEqual([other.id, mine.id]);
  });

  test('says when somebody else did it, and nothing where users take it themselves, by either way', async () => {
    const { id } = await opened();
    const session = await createSession(api.db, await aColleague(api.db, account.accountId, 'agent'));
    const [user, body] = [showId('user', account.userId), { conversation_id: id, reason: 'Is angry.' }];
    const handover = await as<{ id: string }>('POST', '/v1/handovers', body);
    const [talk, asked] = [`/dashboard/api/conversations/${id}`, `/dashboard/api/handovers/${handover.body.id}`];
    const isByOther = async () => (await read(id)).assigned_by_other_at !== null;
    for (const path of [talk, asked]) {
      const by = (one: string, to: string | null) =>
        api.request('PATCH', path, { session: one, body: { assigned_to: to } });
      expect((await by(session, user)).status).toBe(200);
      expect(await read(id)).toMatchObject({ assigned_to: user, assigned_by_other_at: expect.stringMatching(/Z$/) });
      await by(session, null);
      expect(await isByOther()).toBe(false);
      await by(account.session, user);
      expect(await read(id)).toMatchObject({ assigned_to: user, assigned_by_other_at: null });
      await by(session, null);
    }
  });

  test("to another account's user, or to none that there is, is 404, and changes nothing", async () => {
    const conversation = await opened();
    const { userId } = await api.createAccount();
    for (const stranger of [userId, newUuid()])
      expect((await assign(conversation.id, showId('user', stranger))).status).toBe(404);
    expect(await read(conversation.id)).toEqual(conversation);
  });

  test.for([[undefined], ['x'], [''], [7], [['usr_x']], [showId('contact', newUuid())], ['x'.repeat(10_000)]])(
    'to %j is refused with 422',
    async ([to]) => {
      const { id } = await opened();
      expect((await assign(id, to)).status).toBe(422);
    },
  );

  test('with an unknown field is refused with 422, and nobody gets it', async () => {
    const { id } = await opened();
    expect((await assign(id, showId('user', account.userId), { status: 'closed' })).status).toBe(422);
    expect((await read(id)).assigned_to).toBeNull();
  });
});

describe('what no agent has read', () => {
  test('is counted until it is marked as read, and again from the next message on', async () => {
    const { id } = await opened('ada');
    await write('ada');
    expect((await read(id)).unread).toBe(2);
    const marked = await as('POST', `/v1/conversations/${id}/read`);
    expect([marked.status, marked.body.unread]).toEqual([200, 0]);
    await write('ada');
    expect((await list()).data.map(({ unread }) => unread)).toEqual([1]);
  });

  test("is read when an agent answers in the dashboard; an answer by the API or a flow's reads nothing", async () => {
    const { id, contact_id } = await opened('ada');
    const answer = { text: 'Hello' };
    await as('POST', `/v1/contacts/${contact_id}/messages`, answer);
    expect((await read(id)).unread).toBe(1);
    const sent = { session: account.session, body: answer };
    await api.request('POST', `/dashboard/api/contacts/${contact_id}/messages`, sent);
    expect((await read(id)).unread).toBe(0);
  });

  test('is counted among the latest hundred messages', async () => {
    const ofMany = await haveManyConversations(api.db, account.accountId, { contacts: 1, messages: 120 });
    expect((await list(`contact_id=${showId('contact', ofMany)}`)).data.map(({ unread }) => unread)).toEqual([
      100, 100,
    ]);
  });
});

describe('a note', () => {
  type Note = { id: string; text: string; user_id: string | null };
  const notesOf = async (id: string, query = '') =>
    (await as<Page<Note>>('GET', `/v1/conversations/${id}/notes?${query}`)).body;
  const add = (id: string, text: unknown) => as<Note>('POST', `/v1/conversations/${id}/notes`, { text });

  test('is kept with who wrote it, newest first, and is no message to the contact', async () => {
    const conversation = await opened();
    const { id } = conversation;
    const first = await add(id, ' Angry. ');
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      id: expect.stringMatching(/^note_/),
      conversation_id: id,
      user_id: null,
      text: 'Angry.',
      created_at: expect.stringMatching(/Z$/),
      revision: 2,
    });
    const path = `/dashboard/api/conversations/${id}/notes`;
    const { body } = await api.request<Note>('POST', path, { session: account.session, body: { text: 'Calm.' } });
    expect(body.user_id).toBe(showId('user', account.userId));
    expect((await notesOf(id)).data).toEqual([body, first.body]);
    const page = await notesOf(id, 'limit=1');
    expect(await notesOf(id, `limit=1&cursor=${page.next_cursor}`)).toEqual({ data: [first.body], next_cursor: null });
    expect(await read(id)).toEqual({ ...conversation, revision: later });
    const messages = await as<Page<Message>>('GET', `/v1/conversations/${id}/messages`);
    expect(messages.body.data).toHaveLength(1);
  });

  test('beyond a thousand of a conversation is 409', async () => {
    const { id } = await opened();
    await writeManyNotes(api.db, readId('conversation', id), noteLimits.notes - 1);
    const answers = await Promise.all([add(id, 'the last one'), add(id, 'one too many')]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  });

  test.for([[undefined], [''], [' '], [7], [null], ['a\0b'], ['\ud800'], ['x'.repeat(10_001)]])(
    'of %j is refused with 422',
    async ([text]) => {
      const { id } = await opened();
      expect((await add(id, text)).status).toBe(422);
      expect((await notesOf(id)).data).toEqual([]);
    },
  );

  test.for([
    ['broken UTF-8', Buffer.from('{"text":"\xff"}', 'latin1'), 400],
    ['more than 256 KiB', { text: 'x'.repeat(262_144) }, 413],
    ['an unknown field', { text: 'x', user_id: showId('user', newUuid()) }, 422],
  ] as const)('with %s is refused', async ([, body, status]) => {
    const { id } = await opened();
    expect((await as('POST', `/v1/conversations/${id}/notes`, body)).status).toBe(status);
  });
});

describe('the list of conversations', () => {
  test('has open ones first, and the newest of each status first, page after page', async () => {
    const all: string[] = [];
    for (let count = 0; count < 5; count += 1) all.unshift((await opened()).id);
    const [fifth, fourth, third, second, first] = all;
    await close(fifth ?? '');
    await close(third ?? '');
    const order = [fourth, second, first, fifth, third];
    expect(idsOf(await list())).toEqual(order);
    const pages: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page = await list(`limit=2${cursor && `&cursor=${cursor}`}`);
      pages.push(...idsOf(page));
      cursor = page.next_cursor;
    }
    expect(pages).toEqual(order);
    expect(idsOf(await list('status=closed'))).toEqual([fifth, third]);
    expect(idsOf(await list('status=open&limit=1'))).toEqual([fourth]);
  });

  test('has the one with the latest message first where that is asked for, open or closed, however it was written', async () => {
    const [first, second, third] = [await opened('ada'), await opened('ben'), await opened('cleo')];
    const byLatest = (query = '') => list(`order=latest_message${query}`);
    expect(idsOf(await byLatest())).toEqual([third.id, second.id, first.id]);
    await write('ada', 'Still there?');
    await close(first.id);
    expect(idsOf(await byLatest())).toEqual([first.id, third.id, second.id]);
    const path = `/v1/contacts/${second.contact_id}/messages`;
    expect((await as('POST', path, { text: 'Yes' })).status).toBe(201);
    expect(idsOf(await byLatest())).toEqual([second.id, first.id, third.id]);
    expect(idsOf(await byLatest('&status=open'))).toEqual([second.id, third.id]);
    expect(idsOf(await byLatest(`&contact_id=${first.contact_id}`))).toEqual([first.id]);
    const stranger = await api.createAccount();
    const theirs = await as<Page>('GET', '/v1/conversations?order=latest_message', undefined, stranger.apiKey);
    expect(theirs.body.data).toEqual([]);
  });

  test.for([
    ['few', 0],
    ['many', 1_001],
  ] as const)(
    'has nothing twice, and nothing missing that stayed as it was, while messages come between its pages: of %s',
    async ([, contacts]) => {
      await haveManyConversations(api.db, account.accountId, { contacts, messages: 2 });
      const all: string[] = [];
      for (const sender of ['ada', 'ben', 'cleo', 'dan', 'eve']) all.unshift((await opened(sender)).id);
      const [fifth, fourth, third, second, first] = all;
      const page = await list('order=latest_message&limit=2');
      expect(idsOf(page)).toEqual([fifth, fourth]);
      await write('eve', 'The latest of all');
      await write('ada', 'I am on top now');
      const next = await list(`order=latest_message&limit=2&cursor=${page.next_cursor}`);
      expect(idsOf(next)).toEqual([third, second]);
      expect(idsOf(await list('order=latest_message&limit=3'))).toEqual([first, fifth, fourth]);
    },
  );

  test('in one order is not gone on with in the other: 422', async () => {
    await opened();
    await opened();
    for (const [order, other] of [
      ['opened', 'latest_message'],
      ['latest_message', 'opened'],
    ]) {
      const { next_cursor: cursor } = await list(`order=${order}&limit=1`);
      expect((await as('GET', `/v1/conversations?order=${order}&cursor=${cursor}`)).status).toBe(200);
      expect((await as('GET', `/v1/conversations?order=${other}&cursor=${cursor}`)).status).toBe(422);
    }
  });

  test('shows those alone whose contact people have taken over, in the state handover, until it is resolved', async () => {
    const { id, contact_id } = await opened('ada');
    await opened();
    await close(id);
    const { conversation_id } = await write('ada');
    const { body } = await as<{ id: string }>('POST', '/v1/handovers', { contact_id, reason: 'Help' });
    expect((await list('state=handover')).data).toMatchObject([{ id: conversation_id, state: 'handover' }]);
    expect((await read(id)).state).toBe('idle');
    expect((await list('state=handover&status=closed')).data).toEqual([]);
    await as('POST', `/v1/handovers/${body.id}/resolve`, {});
    expect((await list('state=handover')).data).toEqual([]);
    expect((await read(conversation_id)).state).toBe('idle');
  });

  test('shows those of a contact alone', async () => {
    const { id, contact_id } = await opened('ada');
    await opened();
    await close(id);
    const { conversation_id } = await write('ada');
    expect(idsOf(await list(`contact_id=${contact_id}`))).toEqual([conversation_id, id]);
  });

  test('shows those on a channel alone, by status as well, and none on a channel of others', async () => {
    const { id, contact_id } = await opened('ada');
    const market = await as<{ id: string }>('POST', '/v1/channels', { type: 'api', name: 'Market' });
    const body = anInboundMessage({ sender: { external_id: 'grace' } });
    await as('POST', `/v1/channels/${market.body.id}/inbound`, body);
    const [there] = idsOf(await list(`channel_id=${market.body.id}`));
    expect(idsOf(await list())).toEqual([there, id]);
    expect(idsOf(await list(`channel_id=${channelId}`))).toEqual([id]);
    expect(idsOf(await list(`channel_id=${channelId}&status=closed`))).toEqual([]);
    await close(id);
    expect(idsOf(await list(`channel_id=${channelId}&status=closed&contact_id=${contact_id}`))).toEqual([id]);
    const stranger = await api.createAccount();
    const { body: seen } = await api.request<Page>('GET', `/v1/conversations?channel_id=${channelId}`, {
      key: stranger.apiKey,
    });
    expect(seen.data).toEqual([]);
  });

  test.for([
    'status=bot',
    'contact_id=x',
    'channel_id=x',
    'limit=201',
    'limit=0',
    'cursor=x',
    'assigned_to=x',
    'assigned_to=',
    `cursor=x${'A'.repeat(22)}`,
    'state=bot',
    'state=idle',
    'order=newest',
  ])('refuses ?%s with 422', async (query) => {
    expect((await as('GET', `/v1/conversations?${query}`)).status).toBe(422);
  });

  test('is read from indexes, whatever it is asked for: nothing of many is sorted or read through', async () => {
    const ofMany = await haveManyConversations(api.db, account.accountId);
    const small = await api.createAccount();
    const before = { status: 'open', id: newUuid() } as const;
    const planOf = async (filter: Parameters<typeof selectPage>[2]['filter'], accountId = account.accountId) => {
      const page = selectPage(api.db, accountId, { filter, limit: 51, before });
      const plan = (await api.db`explain ${page}`).map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).not.toContain('Seq Scan on conversations');
      expect(plan).not.toContain('Seq Scan on messages');
      expect(plan).not.toContain('Seq Scan on contacts');
      expect(plan).toContain('messages_conversation');
      return plan;
    };
    expect(await planOf({})).toContain('conversations_inbox');
    expect(await planOf({}, small.accountId)).toContain('conversations_inbox');
    expect(await planOf({ status: 'closed' })).toContain('conversations_inbox');
    expect(await planOf({ assigned_to: newUuid() })).toContain('conversations_assigned');
    expect(await planOf({ assigned_to: 'none' })).toMatch(/conversations_(unassigned|inbox)/);
    expect(await planOf({ contact_id: ofMany })).toMatch(/conversations_(contact|open)/);
    expect(await planOf({ state: 'handover' })).toMatch(/handovers_\w+/);
    const latest = { filter: { status: 'open' as const }, limit: 51, before: newUuid() };
    const explained = await api.db`explain ${selectFromMessages(api.db, account.accountId, latest)}`;
    const plan = explained.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('messages_account');
    expect(plan).not.toContain('Seq Scan on conversations');
    expect(plan).not.toContain('Seq Scan on messages');
  });
});

test('the dashboard has the same conversations, for agents, too', async () => {
  const conversation = await opened();
  const dashboard = <Body = Conversation>(method: string, path: string) =>
    api.request<Body>(method, `/dashboard/api/conversations${path}`, { session: account.session });
  expect((await dashboard<Page>('GET', '')).body.data).toEqual([conversation]);
  expect((await dashboard('GET', `/${conversation.id}`)).body).toEqual(conversation);
  expect((await dashboard('POST', `/${conversation.id}/close`)).body.status).toBe('closed');
});
