import { beforeEach, describe, expect, test } from 'vitest';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { startCarrier } from '../helpers/carrier/service.ts';
import { kindsWithCarrier } from '../helpers/carrier/kinds.ts';
import { startApi, type TestAccount, useApi } from '../helpers/api.ts';

const api = await useApi({ channelKinds: kindsWithCarrier });
let account: TestAccount;
let id: string;
beforeEach(async () => {
  account = await api.createAccount();
  id = await aCarrierChannel();
});

const aCarrierChannel = async (on = api, { apiKey } = account): Promise<string> => {
  const { url } = await startCarrier();
  const body = { type: 'carrier', name: 'Short messages', carrier_url: url, token: 'token-1' };
  return (await on.request<{ id: string }>('POST', '/v1/channels', { key: apiKey, body })).body.id;
};

const aMessage = (text: unknown = 'hello') => ({ id: newUuid(), from: '+4917', text });
const post = (body: unknown, { token = 'token-1', path = `/carrier/${id}` } = {}, on = api) =>
  on.request('POST', path, { body, headers: { 'x-carrier-token': token } });
const textsOf = async (channel = id) =>
  (
    await api.db<{ text: string }[]>`
      select text from messages where channel_id = ${readId('channel', channel)} order by seq`
  ).map(({ text }) => text);

describe('what a service hands in at the address of a channel', () => {
  test('is taken once, in its order, with its events, however often it comes', async () => {
    const messages = [aMessage('one'), aMessage('two'), aMessage('three')];
    for (const _ of ['once', 'again']) expect((await post({ messages })).status).toBe(204);
    expect(await textsOf()).toEqual(['one', 'two', 'three']);
    const events = await api.db<{ name: string; channel: string }[]>`
      select name, channel from events where account_id = ${account.accountId} order by id`;
    expect(events.map(({ name, channel }) => `${name} ${channel}`)).toEqual([
      'new_contact carrier',
      'new_message carrier',
      'new_message carrier',
      'new_message carrier',
    ]);
  });

  test('is logged and counted for the account of the channel', async () => {
    await post({ messages: [aMessage()] });
    const line = api.logged.findLast((text) => text.includes('"route":"/carrier/:id"')) ?? '';
    expect(JSON.parse(line)).toMatchObject({ account_id: showId('account', account.accountId), status: 204 });
  });

  test('is taken in clear of what PostgreSQL cannot hold', async () => {
    expect((await post({ messages: [aMessage('a\u0000b')] })).status).toBe(204);
    expect(await textsOf()).toEqual(['a\ufffdb']);
  });

  test.for([
    ['a wrong token', { messages: [aMessage()] }, { token: 'token-2' }],
    ['no token', { messages: [aMessage()] }, { token: '' }],
    ['a channel that is not there', { messages: [aMessage()] }, { path: `/carrier/${showId('channel', newUuid())}` }],
    ['no id', { messages: [aMessage()] }, { path: '/carrier/none' }],
    ['a wrong token, and no JSON', 'messages', { token: 'token-2' }],
  ] as const)('with %s is answered 404 alike, and nothing is stored', async ([, body, where]) => {
    const answer = await post(body, where);
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.text).error).toMatchObject({ code: 'not_found', message: 'No such channel.' });
    expect(await textsOf()).toEqual([]);
  });

  test('over a channel that is deleted, of another kind, or with the token of another is 404', async () => {
    const other = await aCarrierChannel();
    const ofApi = await api.request<{ id: string }>('POST', '/v1/channels', {
      key: account.apiKey,
      body: { type: 'api', name: 'Shop' },
    });
    await api.request('PATCH', `/v1/channels/${other}`, { key: account.apiKey, body: { token: 'token-1' } });
    await api.request('DELETE', `/v1/channels/${id}`, { key: account.apiKey });
    for (const path of [`/carrier/${id}`, `/carrier/${ofApi.body.id}`])
      expect((await post({ messages: [aMessage()] }, { path })).status).toBe(404);
    expect((await post({ messages: [aMessage()] }, { path: `/carrier/${other}` })).status).toBe(204);
  });

  test.for([
    ['no JSON', 'messages', 422],
    ['another shape', { messages: 'hello' }, 422],
    ['no text', { messages: [aMessage('')] }, 422],
    ['a text that is no text', { messages: [aMessage(7)] }, 422],
    ['a text that is too long beside a good one', { messages: [aMessage(), aMessage('x'.repeat(10_001))] }, 422],
    [
      'an id of 256 characters beside a good one',
      { messages: [aMessage(), { ...aMessage(), id: 'x'.repeat(256) }] },
      422,
    ],
    ['too many receipts', { read: Array<string>(101).fill('ref') }, 422],
    ['too many bytes', { messages: [aMessage('x'.repeat(20_000))] }, 413],
  ] as const)('with %s is refused in words, and nothing is stored', async ([, body, status]) => {
    const answer = await post(body);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text).error.message).toEqual(expect.any(String));
    expect(await textsOf()).toEqual([]);
  });

  test('by another method is 405, and compressed it is 415', async () => {
    expect((await api.request('GET', `/carrier/${id}`)).status).toBe(405);
    const headers = { 'x-carrier-token': 'token-1', 'content-encoding': 'gzip' };
    expect((await api.request('POST', `/carrier/${id}`, { body: '{}', headers })).status).toBe(415);
  });
});

describe('a network that proves nothing', () => {
  test('is refused with 429 after 200 requests of a minute over a channel, and keeps nobody else from it', async () => {
    const own = await startApi({ channelKinds: kindsWithCarrier, config: { trustProxy: () => true } });
    try {
      const ownAccount = await own.createAccount();
      const [first, second] = [await aCarrierChannel(own, ownAccount), await aCarrierChannel(own, ownAccount)];
      const from = (address: string, token: string, channel = first) =>
        own.request('POST', `/carrier/${channel}`, {
          body: { messages: [] },
          headers: { 'x-carrier-token': token, 'x-forwarded-for': address },
        });
      const statuses = await Promise.all(Array.from({ length: 210 }, () => from('192.0.2.1', 'wrong')));
      expect(statuses.filter(({ status }) => status === 404)).toHaveLength(200);
      const refused = statuses.find(({ status }) => status === 429);
      expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
      expect((await from('192.0.2.1', 'token-1', second)).status).toBe(204);
      expect((await from('192.0.2.2', 'token-1')).status).toBe(204);
    } finally {
      await own.stop();
    }
  });

  test('is refused with 429 after 1,000 requests of a minute over any channels', async () => {
    const own = await startApi({ channelKinds: kindsWithCarrier });
    try {
      const ask = () => own.request('POST', `/carrier/${showId('channel', newUuid())}`, { body: '{}' });
      for (let asked = 0; asked < 1_000; asked += 100) await Promise.all(Array.from({ length: 100 }, ask));
      expect((await ask()).status).toBe(429);
    } finally {
      await own.stop();
    }
  });

  test('keeps out no request of its network whose proof held before, until that proof holds no more', async () => {
    const own = await startApi({ channelKinds: kindsWithCarrier });
    try {
      const ownAccount = await own.createAccount();
      const channel = await aCarrierChannel(own, ownAccount);
      const ask = (token: string) =>
        own.request('POST', `/carrier/${channel}`, { body: {}, headers: { 'x-carrier-token': token } });
      expect((await ask('token-1')).status).toBe(204);
      await Promise.all(Array.from({ length: 210 }, () => ask('wrong')));
      expect((await ask('wrong')).status).toBe(429);
      expect((await ask('token-1')).status).toBe(204);
      await own.request('DELETE', `/v1/channels/${channel}`, { key: ownAccount.apiKey });
      expect((await ask('token-1')).status).toBe(404);
      expect((await ask('token-1')).status).toBe(429);
    } finally {
      await own.stop();
    }
  });

  test('has used up nothing by requests that proved themselves, which have the budget of an account', async () => {
    const own = await startApi({ channelKinds: kindsWithCarrier, config: { rateLimitPerMinute: 300 } });
    try {
      const channel = await aCarrierChannel(own, await own.createAccount());
      const ask = () =>
        own.request('POST', `/carrier/${channel}`, { body: {}, headers: { 'x-carrier-token': 'token-1' } });
      for (let asked = 0; asked < 300; asked += 20) {
        const answers = await Promise.all(Array.from({ length: 20 }, ask));
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
      }
      expect((await ask()).status).toBe(429);
    } finally {
      await own.stop();
    }
  });
});
