import { createServer } from 'node:http';
import { duplexPair } from 'node:stream';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { resources } from '../../src/api/resources.ts';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { leaveToSweep } from '../../src/cli/leave-to-sweep.ts';
import { topicNames, topicsOf, type Topic } from '../../src/shared/facts/topics.ts';
import { roleOfTopic } from '../../src/shared/hints/schema.ts';
import { createTopicTeller } from '../../src/shared/hints/tell-topics.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { createTag } from '../../src/shared/tags/manage.ts';
import { removeUser } from '../../src/shared/users/manage.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { type ApiOptions, startApi, type TestAccount, type TestApi, useApi } from '../helpers/api.ts';
import { aContact, anInboundMessage, anOrder } from '../helpers/builders.ts';
import { aColleague, expireSessions, setRole } from '../helpers/states/accounts.ts';
import { openStream, within, type TestStream } from '../helpers/stream.ts';

const quick = { pace: { talkMs: 1, listsMs: 1 }, gapsEveryMs: 50, checkEveryMs: 50 };
const api = await useApi({ streaming: quick });

/** A sign of life. */
const beat = 'event: beat\n';

const listen = async (account: Pick<TestAccount, 'session'>, at: TestApi = api): Promise<TestStream> => {
  const stream = await openStream(at, account.session);
  onTestFinished(stream.close);
  return stream;
};

const startOwn = async (options: ApiOptions): Promise<TestApi> => {
  const own = await startApi(options);
  onTestFinished(() => own.stop());
  return own;
};

type Made = { id: string };
const make = async (account: TestAccount, path: string, body: unknown): Promise<string> =>
  (await api.request<Made>('POST', `/v1${path}`, { key: account.apiKey, body })).body.id;

const receive = async (account: TestAccount, channelId: string, changes = {}) =>
  (
    await api.request<{ contact_id: string; message: Made; event_id: string }>(
      'POST',
      `/v1/channels/${channelId}/inbound`,
      {
        key: account.apiKey,
        body: { ...anInboundMessage(), ...changes },
      },
    )
  ).body;

const aChannel = (account: TestAccount) => make(account, '/channels', { type: 'api', name: 'Shop' });

/** Resolves when the stream has had all that was told of the account so far, and forgets it. */
const quiet = async (stream: TestStream, { accountId }: Pick<TestAccount, 'accountId'>): Promise<void> => {
  stream.clear();
  api.deps.tellTopics(topicsOf([accountId], 'replays', 'conversations'));
  await stream.untilHint('replays');
  await stream.untilHint('conversations');
  stream.clear();
};

const heardBy = (stream: TestStream) => new Set(stream.hints.map(({ topic }) => topic));

test('a page hears to which revision a conversation has come, and nobody of another account does', async () => {
  const [account, other] = [await api.createAccount(), await api.createAccount()];
  const channel = await aChannel(account);
  const [stream, others] = [await listen(account), await listen(other)];
  const sender = { external_id: 'ada' };
  await receive(account, channel, { sender });
  const { message } = await receive(account, channel, { sender });
  const path = `/v1/messages/${message.id}`;
  const { body } = await api.request<{ conversation_id: string }>('GET', path, { key: account.apiKey });
  await expect.poll(() => stream.talks.at(-1), { timeout: 15_000 }).toEqual({ id: body.conversation_id, revision: 2 });
  await quiet(others, other);
  expect(others.talks).toEqual([]);
});

test('a page hears of conversations that another process changes, and after a gap that any may have changed', async () => {
  const account = await api.createAccount();
  const stream = await listen(account);
  const { accountId } = account;
  const teller = createTopicTeller({ sql: api.db, processId: newUuid(), log: api.deps.log });
  onTestFinished(() => teller.stop());
  const conversationId = newUuid();
  teller.tell(new Map(), [{ accountId, conversationId, revision: 7 }]);
  const id = showId('conversation', conversationId);
  await expect.poll(() => stream.talks, { timeout: 15_000 }).toContainEqual({ id, revision: 7 });
  await api.db`select pg_notify('parley_talks', 'of a later version')`;
  await expect.poll(() => stream.talks, { timeout: 15_000 }).toContainEqual({ id: null, revision: null });
});

test('a page hears once that any may have changed where very many conversations have', async () => {
  const account = await api.createAccount();
  const stream = await listen(account);
  const { accountId } = account;
  const talks = Array.from({ length: 300 }, () => ({ accountId, conversationId: newUuid(), revision: 1 }));
  api.deps.tellTopics(new Map(), talks);
  await expect.poll(() => stream.talks, { timeout: 15_000 }).toEqual([{ id: null, revision: null }]);
});

test('a page that listens hears of a message and its delivery within seconds, and nobody of another account does', async () => {
  const [account, other] = [await api.createAccount(), await api.createAccount()];
  await insertWebhook(api.deps, { ...account, url: 'https://receiver.example/' });
  const channel = await aChannel(account);
  const [stream, others] = [await listen(account), await listen(other)];
  expect(stream.answer.statusCode).toBe(200);
  expect(stream.answer.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    connection: 'close',
  });
  expect(stream.text()).toMatch(/^retry: [2-4]\d{3}\n\n/);

  for (const sender of ['ada', 'ada']) {
    await quiet(stream, account);
    await receive(account, channel, { sender: { external_id: sender } });
    for (const topic of ['messages', 'conversations', 'contacts', 'events', 'deliveries'] as const)
      await stream.untilHint(topic);
  }

  // What the others hear first is their own, such as that their key is used.
  await make(other, '/contacts', aContact());
  await others.untilHint('contacts');
  await others.untilHint('api-keys');
  expect(heardBy(others)).toEqual(new Set(['contacts', 'events', 'custom-fields', 'api-keys']));
});

test('a page hears of each noun that changes', async () => {
  const account = await api.createAccount();
  const { session, apiKey: key } = account;
  const contact = await make(account, '/contacts', aContact());
  const webhook = showId('webhook', await insertWebhook(api.deps, { ...account, url: 'https://receiver.example/' }));
  const stream = await listen(account);
  const changes: [Topic, () => Promise<unknown>][] = [
    ['orders', () => make(account, '/orders', anOrder(contact))],
    ['handovers', () => make(account, '/handovers', { contact_id: contact, reason: 'Help' })],
    ['flows', () => make(account, '/flows', { name: 'Hello' })],
    [
      'webhooks',
      () => api.request('PATCH', `/dashboard/api/webhooks/${webhook}`, { session, body: { events: ['new_contact'] } }),
    ],
    ['contacts', () => api.request('PATCH', `/v1/contacts/${contact}`, { key, body: { first_name: 'Grace' } })],
    ['replays', () => make(account, '/replays', { webhook_id: webhook })],
    ['webhooks', () => api.request('DELETE', `/v1/webhooks/${webhook}`, { key })],
  ];
  for (const [topic, change] of changes) {
    await quiet(stream, account);
    await change();
    await stream.untilHint(topic);
    expect(heardBy(stream)).toContain(topic);
  }
});

test('a page hears of a handover that is resolved, of a conversation that is closed, and of sessions that come and go', async () => {
  const account = await api.createAccount();
  const { apiKey: key, session } = account;
  const received = await receive(account, await aChannel(account));
  const handover = await make(account, '/handovers', { contact_id: received.contact_id, reason: 'Help' });
  const stream = await listen(account);
  await quiet(stream, account);
  expect((await api.request('POST', `/v1/handovers/${handover}/resolve`, { key, body: {} })).status).toBe(200);
  await stream.untilHint('handovers');
  const { body } = await api.request<{ data: Made[] }>('GET', '/v1/conversations', { key });
  const conversation = body.data[0]?.id ?? '';
  await quiet(stream, account);
  expect((await api.request('POST', `/v1/conversations/${conversation}/close`, { key, body: {} })).status).toBe(200);
  await stream.untilHint('conversations');
  await quiet(stream, account);
  await createSession(api.db, account.userId);
  expect((await api.request('DELETE', '/dashboard/api/sessions', { session })).status).toBe(200);
  await stream.untilHint('sessions');
});

test('a page hears of what an account has set up: tags, custom fields, channels and credentials, when they are made, changed and deleted', async () => {
  const account = await api.createAccount();
  const { apiKey: key } = account;
  const credential = { type: 'bearer', hosts: ['api.example.com'], token: 'first' };
  const stream = await listen(account);
  for (const { topic, made, changed } of [
    { topic: 'tags', made: { name: 'vip' }, changed: { name: 'gold' } },
    { topic: 'custom-fields', made: { key: 'size', name: 'Size', type: 'text' }, changed: { name: 'Shoe size' } },
    { topic: 'channels', made: { type: 'api', name: 'Shop' }, changed: { name: 'Market' } },
    { topic: 'credentials', made: { name: 'shop', ...credential }, changed: { ...credential, token: 'second' } },
  ] as const) {
    await quiet(stream, account);
    const id = await make(account, `/${topic}`, made);
    await stream.untilHint(topic);
    await quiet(stream, account);
    const method = topic === 'credentials' ? 'PUT' : 'PATCH';
    expect((await api.request(method, `/v1/${topic}/${id}`, { key, body: changed })).status).toBe(200);
    await stream.untilHint(topic);
    if (topic === 'channels') continue;
    await quiet(stream, account);
    expect((await api.request('DELETE', `/v1/${topic}/${id}`, { key })).status).toBe(204);
    await stream.untilHint(topic);
  }
});

test('an owner hears of users and invitations when they are made, of a role that changes, and of API keys that are made and revoked', async () => {
  const account = await api.createAccount();
  const { session, accountId } = account;
  const stream = await listen(account);
  const call = async (method: string, path: string, body?: object): Promise<string> => {
    await quiet(stream, account);
    const answer = await api.request<Made | undefined>(method, `/dashboard/api${path}`, {
      session,
      ...(body && { body }),
    });
    expect(answer.status).toBeLessThan(300);
    return answer.body?.id ?? '';
  };
  await call('POST', '/users', { email: 'grace@example.com', role: 'agent' });
  await stream.untilHint('invitations');
  const user = showId('user', await aColleague(api.db, accountId, 'agent'));
  await call('PATCH', `/users/${user}`, { role: 'editor' });
  await stream.untilHint('users');
  await call('DELETE', `/users/${user}`);
  await stream.untilHint('users');
  const key = await call('POST', '/api-keys', { name: 'Shop' });
  await stream.untilHint('api-keys');
  await call('DELETE', `/api-keys/${key}`);
  await stream.untilHint('api-keys');
});

test('a page hears that the account was changed, and how it hands contacts over', async () => {
  const account = await api.createAccount();
  const { session } = account;
  const stream = await listen(account);
  for (const [path, body] of [
    ['/account', { strict_fields: true }],
    ['/handover-settings', { expire_after_hours: 5 }],
    ['/handover-settings', { expire_after_hours: 6 }],
  ] as const) {
    await quiet(stream, account);
    expect((await api.request('PATCH', `/dashboard/api${path}`, { session, body })).status).toBe(200);
    await stream.untilHint('account');
  }
});

test('a hint has a topic and nothing of what has changed', async () => {
  const account = await api.createAccount();
  const channel = await aChannel(account);
  const stream = await listen(account);
  await receive(account, channel, { text: 'A word of a contact', sender: { external_id: 'ada', first_name: 'Ada' } });
  await stream.untilHint('messages');
  await stream.untilHint('contacts');
  for (const hint of stream.hints) expect(Object.keys(hint)).toEqual(['topic']);
  // A conversation is named, so that pages read its changes.
  expect(stream.text().replaceAll(/"cnv_\w+"/g, '')).not.toMatch(/Ada|word|_/);
  expect(api.logged.join()).not.toContain('A word of a contact');
});

test('what is committed late is told when it is, however long its transaction took', async () => {
  const account = await api.createAccount();
  const { accountId } = account;
  const stream = await listen(account);
  await api.deps.transact(async (tx) => {
    await createTag(tx, accountId, 'late');
    // Hints of what came after go by meanwhile.
    await make(account, '/contacts', aContact());
    await stream.untilHint('contacts');
    expect(heardBy(stream)).not.toContain('tags');
  });
  await stream.untilHint('tags');
});

test('a page hears of what another process changes, such as a command', async () => {
  const account = await api.createAccount();
  const { accountId } = account;
  const stream = await listen(account);
  await leaveToSweep(api.db, (tx) => createTag(tx, accountId, 'vip'));
  await stream.untilHint('tags');
  expect(heardBy(stream)).toEqual(new Set(['tags']));
});

test('a page that may have missed something reads everything: after the connection to PostgreSQL was lost', async () => {
  const own = await startOwn({ streaming: quick });
  const stream = await listen(await own.createAccount(), own);
  // The connection that listens asks for other things, too. Another one may have made this statement before.
  const lose = () => own.db`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like '%exists (select from pg_listening_channels()%' and query not like '%pg_stat_activity%'`;
  await vi.waitUntil(async () => (await lose()).length > 0, { timeout: 30_000, interval: 5 });
  for (const topic of topicNames) await stream.untilHint(topic);
  expect(heardBy(stream).size).toBe(topicNames.length);
});

describe('a stream ends', () => {
  test('when its session is ended, and the others go on', async () => {
    const account = await api.createAccount();
    const session = await createSession(api.db, account.userId);
    const [ended, stays] = [await listen({ session }), await listen(account)];
    await api.request('DELETE', '/dashboard/api/session', { session });
    expect(await within(5_000, ended.ended)).toBe(true);
    await make(account, '/contacts', aContact());
    await stays.untilHint('contacts');
  });

  test('when its session has expired', async () => {
    const account = await api.createAccount();
    const stream = await listen(account);
    await expireSessions(api.db, account.userId);
    expect(await within(5_000, stream.ended)).toBe(true);
  });

  test('when its user is removed', async () => {
    const account = await api.createAccount();
    const colleague = await aColleague(api.db, account.accountId, 'agent');
    const stream = await listen({ session: await createSession(api.db, colleague) });
    await api.deps.transact((tx) =>
      removeUser(tx, { accountId: account.accountId, by: account.userId, id: colleague }),
    );
    expect(await within(5_000, stream.ended)).toBe(true);
  });

  test('when the process stops, which waits for none and takes no new one', async () => {
    const own = await startApi();
    const account = await own.createAccount();
    const stream = await openStream(own, account.session);
    expect(await within(5_000, own.stop())).toBe(true);
    expect(await within(1_000, stream.ended)).toBe(true);
  });
});

test('who is not signed in gets none, and a HEAD has no stream', async () => {
  expect((await api.request('GET', '/dashboard/api/stream')).status).toBe(401);
  const { session } = await api.createAccount();
  const head = await openStream(api, session, 'HEAD');
  expect(await within(5_000, head.ended)).toBe(true);
  expect(head.answer.statusCode).toBe(200);
});

test('a user hears of what the role lists and of nothing else, and of more or less when the role changes', async () => {
  const account = await api.createAccount();
  const user = await aColleague(api.db, account.accountId, 'agent');
  const stream = await listen({ session: await createSession(api.db, user) });
  let made = 0;
  /** Whether it hears of a credential: of what is made afterwards it hears in any case. */
  const hears = async (): Promise<boolean> => {
    await quiet(stream, account);
    made += 1;
    const credential = { name: `shop_${made}`, type: 'bearer', hosts: ['api.example.com'], token: 'first' };
    await make(account, '/credentials', credential);
    await make(account, '/contacts', aContact());
    await stream.untilHint('contacts');
    return heardBy(stream).has('credentials');
  };
  expect(await hears()).toBe(false);
  await setRole(api.db, user, 'editor');
  await expect.poll(hears, { timeout: 60_000 }).toBe(true);
  await setRole(api.db, user, 'agent');
  await expect.poll(hears, { timeout: 60_000 }).toBe(false);
});

describe('bounds', () => {
  const statusOf = async (at: TestApi, session: string): Promise<number | undefined> => {
    const stream = await openStream(at, session);
    onTestFinished(stream.close);
    return stream.answer.statusCode;
  };

  test('a session has four streams, a user twelve: 429 with Retry-After, until one is closed', async () => {
    const account = await api.createAccount();
    const streams = [];
    for (let index = 0; index < 4; index += 1) streams.push(await listen(account));
    const refused = await listen(account);
    expect(refused.answer).toMatchObject({ statusCode: 429, headers: { 'retry-after': '5' } });
    streams[0]?.close();
    await expect.poll(() => statusOf(api, account.session)).toBe(200);
    const statuses = [];
    for (let index = 0; index < 9; index += 1)
      statuses.push(await statusOf(api, await createSession(api.db, account.userId)));
    expect(statuses).toEqual([...Array.from({ length: 8 }, () => 200), 429]);
  });

  test('an account that is alone has half of the places of a process, and others find one: 429, and 503 when all are taken', async () => {
    const own = await startOwn({ streaming: { bounds: { ofProcess: 4, ofUser: 4, ofSession: 4 } } });
    const [greedy, other, third] = [await own.createAccount(), await own.createAccount(), await own.createAccount()];
    const opened = [];
    for (const { session } of [greedy, greedy, greedy, other, third]) opened.push(await statusOf(own, session));
    expect(opened).toEqual([200, 200, 429, 200, 200]);
    expect(await statusOf(own, greedy.session)).toBe(503);
  });

  test('streams that are open take no place of the requests under way, of which an account alone has 450', async () => {
    const bounds = { ofProcess: 2_000, ofUser: 2_000, ofSession: 2_000 };
    const own = await startOwn({ streaming: { bounds } });
    const account = await own.createAccount();
    // Not all at once: one that is still opened is a request under way, too.
    for (let opened = 0; opened < 460; opened += 92) {
      const streams = await Promise.all(Array.from({ length: 92 }, () => listen(account, own)));
      expect(new Set(streams.map(({ answer }) => answer.statusCode))).toEqual(new Set([200]));
    }
    const answer = await own.request('GET', '/v1/contacts', { key: account.apiKey });
    expect(answer.status).toBe(200);
  });

  test('who does not read is dropped, and its place is free', async () => {
    const bounds = { ofProcess: 9, ofUser: 9, ofSession: 1 };
    const own = await startOwn({ streaming: { heartbeatEveryMs: 1, unreadBytes: 1_000, bounds } });
    const account = await own.createAccount();
    const [{ id: sessionId } = { id: '' }] = await own.db<{ id: string }[]>`
      select id from sessions where user_id = ${account.userId}`;
    // The kernel takes megabytes for a client that does not read. This connection takes a kilobyte.
    const [client, connection] = duplexPair({ highWaterMark: 1_024 });
    const server = createServer(
      (_, response) => void own.deps.streams.open(response, { ...account, sessionId, role: 'owner' }),
    );
    server.emit('connection', connection);
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => statusOf(own, account.session)).toBe(429);
    await expect.poll(() => statusOf(own, account.session), { timeout: 20_000 }).toBe(200);
    expect(connection.destroyed).toBe(true);
  });

  test('a stream outlasts the time that other answers may take', async () => {
    const own = await startOwn({ limits: { exchangeMs: 1_000 }, streaming: { heartbeatEveryMs: 10 } });
    const stream = await listen(await own.createAccount(), own);
    // Nine milliseconds lie between two at least.
    await expect.poll(() => stream.text().split(beat).length, { timeout: 60_000 }).toBeGreaterThan(150);
  });

  test('signs of life come while nothing changes', async () => {
    const own = await startOwn({ streaming: { heartbeatEveryMs: 20 } });
    const stream = await listen(await own.createAccount(), own);
    await expect.poll(() => stream.text()).toContain(beat);
    expect(stream.hints).toEqual([]);
  });
});

test('the role that a topic asks for is that of its list', () => {
  const operations = resources.map((resource) => resource(api.deps)).flatMap((resource) => resource.operations);
  for (const [topic, role] of Object.entries(roleOfTopic)) {
    // Messages are listed by what they belong to.
    const path = topic === 'messages' ? '/conversations/:id/messages' : `/${topic}`;
    const list = operations.filter((operation) => operation.method === 'get' && operation.path === path);
    expect(new Set(list.map((operation) => operation.role))).toEqual(new Set([role]));
  }
});
