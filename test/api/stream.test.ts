import { createServer } from 'node:http';
import { duplexPair } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { resources } from '../../src/api/resources.ts';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { noEvidence, recordAttempt } from '../../src/shared/deliveries/attempts.ts';
import { topics } from '../../src/shared/hints/schema.ts';
import { readId, showId } from '../../src/shared/ids.ts';
import { removeUser } from '../../src/shared/users/manage.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { type ApiOptions, startApi, type TestAccount, type TestApi, useApi } from '../helpers/api.ts';
import { aContact, anInboundMessage, anOrder } from '../helpers/builders.ts';
import { aColleague, expireSessions, setRole } from '../helpers/states/accounts.ts';
import { aSilentContact } from '../helpers/states/hints.ts';
import { openStream, within, type TestStream } from '../helpers/stream.ts';

const quick = { lookEveryMs: 50, checkEveryMs: 50 };
const api = await useApi({ streaming: quick });

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

/** The outcome of the first attempt of a delivery. */
const attempt = (deliveryId: string, outcome: 'succeeded' | 'failed') =>
  recordAttempt(
    api.db,
    { deliveryId: readId('delivery', deliveryId), round: 1, kind: 'scheduled', number: 1 },
    {
      ...(outcome === 'succeeded' ? { outcome, statusCode: 200 } : { outcome, reason: 'status', statusCode: 500 }),
      durationMs: 5,
      startedAt: new Date(),
      generation: 1,
      evidence: noEvidence,
    },
  );

test('a page that listens hears of the attempt of a delivery within seconds, and nobody of another account does', async () => {
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

  const received = await receive(account, channel);
  await stream.untilHint('messages', received.message.id);
  await stream.untilHint('conversations');
  await stream.untilHint('contacts', received.contact_id);
  await stream.untilHint('events', received.event_id);
  const [delivery = ''] = (await stream.untilHint('deliveries')).ids;
  stream.hints.length = 0;
  await attempt(delivery, 'failed');
  await stream.untilHint('deliveries', delivery);

  // What the others hear first is their own, such as that their key is used.
  await make(other, '/contacts', aContact());
  await others.untilHint('contacts');
  await others.untilHint('api-keys');
  const heard = new Set(others.hints.map(({ topic }) => topic));
  expect(heard).toEqual(new Set(['contacts', 'events', 'custom-fields', 'api-keys']));
  for (const id of stream.hints.flatMap((hint) => hint.ids)) expect(others.text()).not.toContain(id);
});

test('a page hears of each noun that changes', async () => {
  const account = await api.createAccount();
  const { session } = account;
  const contact = await make(account, '/contacts', aContact());
  const stream = await listen(account);
  const order = await make(account, '/orders', anOrder(contact));
  await stream.untilHint('orders', order);
  const handover = await make(account, '/handovers', { contact_id: contact, reason: 'Help' });
  await stream.untilHint('handovers', handover);
  const flow = await make(account, '/flows', { name: 'Hello' });
  await stream.untilHint('flows', flow);
  const webhook = showId('webhook', await insertWebhook(api.deps, { ...account, url: 'https://receiver.example/' }));
  await stream.untilHint('webhooks', webhook);
  stream.hints.length = 0;
  await api.request('PATCH', `/dashboard/api/webhooks/${webhook}`, { session, body: { events: ['new_contact'] } });
  await stream.untilHint('webhooks', webhook);
  await api.request('PATCH', `/v1/contacts/${contact}`, { key: account.apiKey, body: { first_name: 'Grace' } });
  await stream.untilHint('contacts', contact);
  await make(account, '/replays', { webhook_id: webhook });
  expect(await stream.untilHint('replays')).toMatchObject({ topic: 'replays', more: false });
});

test('a page hears of a handover that is resolved, and of a conversation that is closed', async () => {
  const account = await api.createAccount();
  const { apiKey: key } = account;
  const received = await receive(account, await aChannel(account));
  const handover = await make(account, '/handovers', { contact_id: received.contact_id, reason: 'Help' });
  const stream = await listen(account);
  expect((await api.request('POST', `/v1/handovers/${handover}/resolve`, { key, body: {} })).status).toBe(200);
  await stream.untilHint('handovers', handover);
  const { body } = await api.request<{ data: Made[] }>('GET', '/v1/conversations', { key });
  const conversation = body.data[0]?.id ?? '';
  stream.hints.length = 0;
  expect((await api.request('POST', `/v1/conversations/${conversation}/close`, { key, body: {} })).status).toBe(200);
  await stream.untilHint('conversations', conversation);
});

test('a page hears of what an account has set up: tags, custom fields, channels and credentials, when they are made and when they change', async () => {
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
    const id = await make(account, `/${topic}`, made);
    await stream.untilHint(topic, id);
    stream.hints.length = 0;
    const method = topic === 'credentials' ? 'PUT' : 'PATCH';
    expect((await api.request(method, `/v1/${topic}/${id}`, { key, body: changed })).status).toBe(200);
    await stream.untilHint(topic, id);
  }
});

test('an owner hears of users and invitations when they are made, of a role that changes, and of API keys that are made and revoked', async () => {
  const { session, accountId } = await api.createAccount();
  const stream = await listen({ session });
  const call = async (method: string, path: string, body?: object): Promise<string> => {
    const answer = await api.request<Made | undefined>(method, `/dashboard/api${path}`, {
      session,
      ...(body && { body }),
    });
    expect(answer.status).toBeLessThan(300);
    return answer.body?.id ?? '';
  };
  await stream.untilHint('invitations', await call('POST', '/users', { email: 'grace@example.com', role: 'agent' }));
  const user = showId('user', await aColleague(api.db, accountId, 'agent'));
  await stream.untilHint('users', user);
  const key = await call('POST', '/api-keys', { name: 'Shop' });
  await stream.untilHint('api-keys', key);
  stream.hints.length = 0;
  await call('PATCH', `/users/${user}`, { role: 'editor' });
  await stream.untilHint('users', user);
  await call('DELETE', `/api-keys/${key}`);
  await stream.untilHint('api-keys', key);
});

test('a page hears that the account was changed, and how it hands contacts over', async () => {
  const { session, accountId } = await api.createAccount();
  const stream = await listen({ session });
  for (const [path, body] of [
    ['/account', { strict_fields: true }],
    ['/handover-settings', { expire_after_hours: 5 }],
    ['/handover-settings', { expire_after_hours: 6 }],
  ] as const) {
    stream.hints.length = 0;
    expect((await api.request('PATCH', `/dashboard/api${path}`, { session, body })).status).toBe(200);
    await stream.untilHint('account', showId('account', accountId));
  }
});

test('a hint has ids and nothing of what they stand for', async () => {
  const account = await api.createAccount();
  const channel = await aChannel(account);
  const stream = await listen(account);
  await receive(account, channel, { text: 'A word of a contact', sender: { external_id: 'ada', first_name: 'Ada' } });
  await stream.untilHint('messages');
  await stream.untilHint('contacts');
  for (const hint of stream.hints) expect(Object.keys(hint)).toEqual(['topic', 'ids', 'more']);
  expect(stream.text()).not.toMatch(/Ada|word/);
  expect(api.logged.join()).not.toContain('A word of a contact');
});

test('of many changes a hint has fifty ids, and says that there are more', async () => {
  const account = await api.createAccount();
  const stream = await listen(account);
  await api.db.begin(async (sql) => {
    for (let index = 0; index < 60; index += 1) await aSilentContact(sql, account.accountId);
  });
  const hint = await stream.untilHint('contacts');
  expect(hint).toMatchObject({ more: true });
  expect(hint.ids).toHaveLength(50);
});

test('what is committed late is told when it is, however long its transaction took', async () => {
  const account = await api.createAccount();
  const stream = await listen(account);
  const id = await api.db.begin(async (sql) => {
    const late = await aSilentContact(sql, account.accountId);
    // Looks go by meanwhile, and tell of what came after.
    const later = await make(account, '/orders', anOrder(await make(account, '/contacts', aContact())));
    await stream.untilHint('orders', later);
    const shown = showId('contact', late);
    expect(stream.text()).not.toContain(shown);
    return shown;
  });
  await stream.untilHint('contacts', id);
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
    stream.hints.length = 0;
    made += 1;
    const credential = { name: `shop_${made}`, type: 'bearer', hosts: ['api.example.com'], token: 'first' };
    const id = await make(account, '/credentials', credential);
    for (const contact of [aContact(), aContact()])
      await stream.untilHint('contacts', await make(account, '/contacts', contact));
    return stream.hints.some((hint) => hint.topic === 'credentials' && hint.ids.includes(id));
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
    await expect.poll(() => stream.text().split('\n\n:').length, { timeout: 60_000 }).toBeGreaterThan(150);
  });

  test('signs of life come while nothing changes', async () => {
    const own = await startOwn({ streaming: { heartbeatEveryMs: 20 } });
    const stream = await listen(await own.createAccount(), own);
    await expect.poll(() => stream.text()).toMatch(/\n\n:\n\n/);
    expect(stream.hints).toEqual([]);
  });
});

test('the role that a topic asks for is that of its list', () => {
  const operations = resources.map((resource) => resource(api.deps)).flatMap((resource) => resource.operations);
  for (const [topic, { role }] of Object.entries(topics)) {
    // Messages are listed by what they belong to.
    const path = topic === 'messages' ? '/conversations/:id/messages' : `/${topic}`;
    const list = operations.filter((operation) => operation.method === 'get' && operation.path === path);
    expect(new Set(list.map((operation) => operation.role))).toEqual(new Set([role]));
  }
});
