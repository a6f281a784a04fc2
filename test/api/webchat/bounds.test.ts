import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { newUuid, showId } from '../../../src/shared/ids.ts';
import { startApi, type TestAccount, type TestApi, useApi } from '../../helpers/api.ts';
import {
  anIdentity,
  aVisitor,
  aWebchat,
  site,
  type TestVisitor,
  type TestWebchat,
} from '../../helpers/webchat/visitor.ts';

const api = await useApi();
let account: TestAccount;
let channel: TestWebchat;
let visitor: TestVisitor;
beforeEach(async () => {
  account = await api.createAccount();
  channel = await aWebchat(api, account);
  visitor = aVisitor(api, channel);
});

type Refused = { error: { code: string; message: string } };

const stored = async (of = api, { accountId } = account): Promise<number | undefined> => {
  const [row] = await of.db<{ count: number }[]>`
    select ((select count(*) from messages where account_id = ${accountId})
      + (select count(*) from webchat_visitors where account_id = ${accountId})
      + (select count(*) from contacts where account_id = ${accountId}))::int as count`;
  return row?.count;
};

const aMessage = (changes: object = {}) => ({ client_id: randomUUID(), text: 'Hello', ...changes });

describe('a request that cannot be is refused in words, and nothing is stored:', () => {
  test.for([
    ['a message without a body', '/messages', undefined, 400],
    ['a message that is no JSON', '/messages', '{"text"', 400],
    ['a message that is a list', '/messages', [], 422],
    ['a message that is null', '/messages', null, 422],
    ['a message without a text', '/messages', aMessage({ text: undefined }), 422],
    ['a message of white space', '/messages', aMessage({ text: ' \n ' }), 422],
    ['a message whose text is a number', '/messages', aMessage({ text: 7 }), 422],
    ['a message of 10,001 characters', '/messages', aMessage({ text: 'x'.repeat(10_001) }), 422],
    ['a message of 100 KB', '/messages', aMessage({ text: 'x'.repeat(100_000) }), 413],
    ['a message without an id', '/messages', aMessage({ client_id: undefined }), 422],
    ['a message with a short id', '/messages', aMessage({ client_id: 'a' }), 422],
    ['a message with a path for an id', '/messages', aMessage({ client_id: '../'.repeat(8) }), 422],
    ['a message with an unknown field', '/messages', aMessage({ contact_id: 'con_1' }), 422],
    ['a message whose context is a text', '/messages', aMessage({ context: 'x' }), 422],
    ['a message of many values', '/messages', aMessage({ context: { a: Array(100).fill(1) } }), 422],
    ['an identity of 10 KB', '/identify', { external_id: 'x'.repeat(10_000) }, 413],
    ['an identity without an id', '/identify', { expires_at: 1, hash: 'a'.repeat(64) }, 422],
    [
      'an identity of a text for a time',
      '/identify',
      { external_id: 'a', expires_at: 'soon', hash: 'a'.repeat(64) },
      422,
    ],
  ] as const)('%s', async ([, path, body, status]) => {
    const answer = await visitor.ask<Refused>('POST', path, { body });
    expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringMatching(/.{10}/)]);
    expect(await stored()).toBe(0);
  });

  test.for([
    ['GET', '/changes'],
    ['POST', '/read', { revision: 1 }],
    ['POST', '/typing', { is_typing: true }],
  ] as const)('%s %s without a token', async ([method, path, body]) => {
    expect(await visitor.ask(method, path, { body })).toMatchObject({
      status: 401,
      body: { error: { code: 'unauthorized' } },
    });
  });

  test('a token of another channel, of nobody, or that is no token, by any route', async () => {
    const elsewhere = aVisitor(api, await aWebchat(api, account));
    await elsewhere.say('Hello');
    const before = await stored();
    for (const token of [elsewhere.token, 'a'.repeat(43), 'nonsense', `${'a'.repeat(42)}'`]) {
      visitor.token = token;
      for (const [method, path, body] of [
        ['POST', '/messages', aMessage()],
        ['GET', '/changes'],
        ['POST', '/read', { revision: 1 }],
        ['POST', '/identify', anIdentity(channel.secret, 'ada')],
      ] as const)
        expect((await visitor.ask(method, path, { body })).status).toBe(401);
    }
    expect(await stored()).toBe(before);
  });

  test('a channel that is not there, is deleted, or is of another type', async () => {
    const other = await api.request<{ id: string }>('POST', '/v1/channels', {
      key: account.apiKey,
      body: { type: 'api', name: 'Server' },
    });
    await api.request('DELETE', `/v1/channels/${channel.id}`, { key: account.apiKey });
    for (const id of [showId('channel', newUuid()), channel.id, other.body.id, 'chn_x', '%00'])
      for (const [method, path, body] of [
        ['GET', '/config'],
        ['POST', '/messages', aMessage()],
      ] as const)
        expect((await aVisitor(api, { id }).ask(method, path, { body })).status).toBe(404);
    expect(await stored()).toBe(0);
  });

  test('a body of another type, or compressed, and another method', async () => {
    const body = JSON.stringify(aMessage());
    expect((await visitor.ask('POST', '/messages', { body, headers: { 'content-type': 'text/plain' } })).status).toBe(
      415,
    );
    expect((await visitor.ask('POST', '/messages', { body, headers: { 'content-encoding': 'gzip' } })).status).toBe(
      415,
    );
    expect((await visitor.ask('DELETE', '/messages')).status).toBe(405);
    expect((await visitor.ask('GET', '/unheard')).status).toBe(404);
    expect(await stored()).toBe(0);
  });

  test('what PostgreSQL cannot hold is replaced', async () => {
    expect((await visitor.say('a\u0000b')).body.message.text).toBe('a\ufffdb');
  });
});

describe('pages of other sites', () => {
  test.for([
    'https://evil.example',
    'https://shop.example.evil.example',
    'http://shop.example',
    'null',
    'https://shop.example:8443',
  ])('%s may neither write nor read the answer', async (origin) => {
    for (const [method, path, body] of [
      ['GET', '/config'],
      ['POST', '/messages', aMessage()],
    ] as const) {
      const answer = await visitor.ask(method, path, { body, headers: { origin } });
      expect(answer.status).toBe(403);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(await stored()).toBe(0);
  });

  test('may when they are among the origins of the channel, without cookies; so may the demo page', async () => {
    for (const origin of [site, api.url]) {
      const answer = await visitor.ask('POST', '/messages', { body: aMessage(), headers: { origin } });
      expect(answer.status).toBe(201);
      expect(answer.headers).toMatchObject({ 'access-control-allow-origin': origin });
      expect(answer.headers['vary']).toContain('Origin');
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  test('may ask once in two hours what they may ask', async () => {
    const answer = await visitor.ask('OPTIONS', '/messages', {
      headers: {
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-visitor-token',
      },
    });
    expect(answer).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': site,
        'access-control-allow-headers': 'Content-Type, X-Visitor-Token',
        'access-control-max-age': '7200',
      },
    });
  });

  test('lose that at once when they are no more among the origins', async () => {
    await visitor.say('Hello');
    await api.request('PATCH', `/v1/channels/${channel.id}`, { key: account.apiKey, body: { origins: [] } });
    expect((await visitor.ask('GET', '/changes')).status).toBe(403);
  });
});

/** An API of its own, whose counts nobody else has used. */
const own = async (config: object = {}): Promise<{ api: TestApi; account: TestAccount; channel: TestWebchat }> => {
  const started = await startApi({ config: { trustProxy: () => true, ...config } });
  onTestFinished(() => started.stop());
  const ownAccount = await started.createAccount();
  return { api: started, account: ownAccount, channel: await aWebchat(started, ownAccount) };
};

/** Does it so often, some at a time, and answers how often each status came. */
const many = async (
  times: number,
  ask: (nth: number) => Promise<{ status: number }>,
): Promise<Record<number, number>> => {
  const statuses: number[] = [];
  for (let nth = 0; nth < times; nth += 50) {
    const some = Array.from({ length: Math.min(50, times - nth) }, (_, index) => ask(nth + index));
    statuses.push(...(await Promise.all(some)).map(({ status }) => status));
  }
  const counts = Map.groupBy(statuses, (status) => status);
  return Object.fromEntries(Array.from(counts, ([status, all]) => [status, all.length]));
};

describe('too many requests in a minute are refused in words with 429 and Retry-After:', () => {
  test('messages of one visitor beyond 30, which does not keep others from writing', async () => {
    const { api: its, channel: at } = await own();
    const [noisy, other] = [aVisitor(its, at), aVisitor(its, at)];
    await noisy.say('Hello');
    expect(await many(50, () => noisy.say('again'))).toEqual({ 201: 30, 429: 20 });
    const refused = await noisy.say('again');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['access-control-allow-origin']).toBe(site);
    expect(refused.headers['access-control-expose-headers']).toContain('Retry-After');
    expect(JSON.parse(refused.text).error.message).toBe('You write too fast. Wait a moment.');
    expect((await other.say('Hello')).status).toBe(201);
  });

  test('10,000 from one address: 200 chats begin, 6,000 requests are taken, and another address chats on', async () => {
    const { api: its, channel: at } = await own();
    const crowd = (address: string) => aVisitor(its, at, { address });
    const beganMs = performance.now();
    expect(await many(300, () => crowd('192.0.2.1').say('Hello'))).toEqual({ 201: 200, 429: 100 });
    const { 200: taken = 0, 429: refused = 0 } = await many(9_700, () => crowd('192.0.2.1').ask('GET', '/config'));
    // On a slow machine another minute begins, with requests of its own.
    const minutes = 1 + Math.floor((performance.now() - beganMs) / 60_000);
    expect(taken).toBeGreaterThanOrEqual(5_700);
    expect(taken).toBeLessThanOrEqual(6_000 * minutes - 300);
    expect(refused).toBe(9_700 - taken);
    expect((await crowd('192.0.2.2').say('Hello')).status).toBe(201);
  });

  test('wrong tokens and hashes of one address beyond 500, beside which its visitors chat on', async () => {
    const { api: its, channel: at } = await own();
    const honest = aVisitor(its, at);
    await honest.say('Hello');
    const liar = aVisitor(its, at, { address: '192.0.2.7' });
    liar.token = 'a'.repeat(43);
    expect(await many(600, () => liar.ask('GET', '/changes'))).toEqual({ 401: 500, 429: 100 });
    const forger = aVisitor(its, at, { address: '192.0.2.8' });
    const body = anIdentity('wrong', 'ada');
    expect(await many(600, () => forger.ask('POST', '/identify', { body }))).toEqual({ 403: 500, 429: 100 });
    expect((await honest.say('Still here')).status).toBe(201);
  });

  test('messages of a channel beyond the budget of an account, from many addresses', async () => {
    const { api: its, account: ownAccount, channel: at } = await own({ rateLimitPerMinute: 100 });
    const counts = await many(150, (nth) => aVisitor(its, at, { address: `198.51.100.${nth}` }).say('Hello'));
    expect(counts).toEqual({ 201: 100, 429: 50 });
    expect(await stored(its, ownAccount)).toBe(300);
  });

  test('an office of 200 people behind one address chats', async () => {
    const { api: its, channel: at } = await own();
    const people = Array.from({ length: 200 }, () => aVisitor(its, at, { address: '203.0.113.5' }));
    for (const _ of ['config', 'a message', 'an answer', 'another message']) {
      await many(200, (nth) => people[nth]?.ask('GET', '/config') ?? Promise.resolve({ status: 0 }));
      const said = await many(200, (nth) => people[nth]?.say('Hello') ?? Promise.resolve({ status: 0 }));
      expect(said).toEqual({ 201: 200 });
    }
  });
});
