import { afterAll, describe, expect, test } from 'vitest';
import { useApi } from '../helpers/api.ts';
import { startReceiver } from '../helpers/receiver.ts';

const api = await useApi();
const account = await api.createAccount();

type Warned = { id: string; url?: string; warnings?: { path: string; message: string }[] };

const write = async (method: string, path: string, body: object) => {
  const answer = await api.request<Warned>(method, `/v1${path}`, { key: account.apiKey, body });
  expect([200, 201]).toContain(answer.status);
  return answer.body;
};

const receiver = await startReceiver();
afterAll(() => receiver.close());
const good = { url: receiver.url('/hook?a=1'), secret: 'a secret of my own' };
const webhook = { events: ['*'], ...good };
const channel = { type: 'api', name: 'Shop', callback_url: good.url, secret: good.secret };
const credential = { type: 'query', hosts: ['a.example'], parameter: 'k', value: 'sk_live_4711' };
const login = { type: 'basic', hosts: ['a.example'], username: 'ada', password: 'correct horse' };

describe('a secret with white space around it is taken, and the answer warns of it', () => {
  test.for(['secret\n', 'secret\r\n', 'secret ', '\tsecret', '\u00a0secret', '\nsecret\n'])('%j', async (secret) => {
    const warnings = [
      { path: 'secret', message: expect.stringMatching(/^(begins|ends|begins and ends) with white space/) },
    ];
    const { id } = await write('POST', '/webhooks', { ...webhook, secret });
    expect((await write('POST', '/webhooks', { ...webhook, secret })).warnings).toEqual(warnings);
    expect((await write('PATCH', `/webhooks/${id}`, { secret })).warnings).toEqual(warnings);
    const made = await write('POST', '/channels', { ...channel, secret });
    expect(made.warnings).toEqual(warnings);
    expect((await write('PATCH', `/channels/${made.id}`, { secret })).warnings).toEqual(warnings);
  });

  test('of a credential, whose tokens and headers are refused with it', async () => {
    const space = { path: 'value', message: 'ends with white space, which is a part of it' };
    const { id, warnings } = await write('POST', '/credentials', { name: 'query', ...credential, value: 'sk ' });
    expect(warnings).toEqual([space]);
    expect((await write('PUT', `/credentials/${id}`, { ...credential, value: 'sk ' })).warnings).toEqual([space]);
    const basic = await write('POST', '/credentials', { name: 'basic', ...login, password: ' pass' });
    expect(basic.warnings).toMatchObject([{ path: 'password' }]);
  });
});

test('nothing is warned of where nothing is odd, and a read has no warnings', async () => {
  for (const [path, body] of [
    ['/webhooks', webhook],
    ['/channels', channel],
    ['/credentials', { name: 'shop', ...credential }],
  ] as const)
    expect(await write('POST', path, body)).not.toHaveProperty('warnings');
  const { id } = await write('POST', '/webhooks', { ...webhook, secret: 'a ' });
  const read = await api.request<Warned>('GET', `/v1/webhooks/${id}`, { key: account.apiKey });
  expect(read.body).not.toHaveProperty('warnings');
});

const spellings = [
  ['/hook?', '/hook?', 'ends with "?", which is a part of it'],
  ['/a/../hook', '/hook', expect.stringMatching(/^is called as .*\/hook$/)],
  ['/./hook', '/hook', expect.stringMatching(/^is called as /)],
  ['/%2e%2e/hook', '/hook', expect.stringMatching(/^is called as /)],
  ['/hook/%7Ea', '/hook/%7Ea', undefined],
  ['/hök', '/h%C3%B6k', undefined],
  ['/hook?a=1&b=/../x', '/hook?a=1&b=/../x', undefined],
  ['', '/', undefined],
] as const;

test.for(spellings)(
  'a url with %j is shown as it is written and called as %j, or warned of',
  async ([written, called, message]) => {
    const url = receiver.url('/').replace(/\/$/, '') + written;
    const made = await write('POST', '/webhooks', { ...webhook, url });
    expect(made.url).toBe(url);
    expect(made.warnings).toEqual(message === undefined ? undefined : [{ path: 'url', message }]);
    const before = receiver.requests.length;
    await api.deps.egress.post({
      accountId: account.accountId,
      url,
      headers: {},
      body: Buffer.from('{}'),
      timeoutMs: 60_000,
      maxBodyBytes: 100,
    });
    expect(receiver.requests.slice(before).map(({ path }) => path)).toEqual([called]);
  },
);

test('the upper case of a host and its usual port make no difference that is worth a warning', async () => {
  const url = receiver.url('/hook', 'LOCALHOST');
  expect((await write('POST', '/webhooks', { ...webhook, url })).warnings).toBeUndefined();
});
