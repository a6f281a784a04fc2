import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sideOf } from '../../src/api/middleware/hosts.ts';
import { startApi, type TestAccount, type TestApi } from '../helpers/api.ts';

let api: TestApi;
let account: TestAccount;
const base = { host: 'app.example.com' };
const apiHost = { host: 'api.example.com' };
beforeAll(async () => {
  api = await startApi({ config: { baseUrl: 'https://app.example.com', apiUrl: 'https://api.example.com' } });
  account = await api.createAccount();
});
afterAll(() => api.stop());

const get = (path: string, headers: Record<string, string>) =>
  api.request('GET', path, { headers: { 'x-access-token': account.apiKey, ...headers }, key: account.apiKey });

test('each path is served on its own host', async () => {
  expect((await get('/v1/contacts', apiHost)).status).toBe(200);
  expect((await get('/v1/contacts', { host: 'API.example.com:443' })).status).toBe(200);
  expect((await get('/api/accounts/me', base)).status).toBe(200);
  expect((await get('/openapi.json', base)).status).toBe(200);
});

test.for([
  ['/v1/contacts', base],
  ['/api/accounts/me', apiHost],
  ['/openapi.json', apiHost],
  ['/dashboard/api/channels', apiHost],
] as const)('%s on another host %o is 404', async ([path, headers]) => {
  expect((await get(path, headers)).status).toBe(404);
});

test('all of the API host is behind its key: 401 comes before 404', async () => {
  for (const path of ['/', '/v1', '/api/accounts/me', '/openapi.json', '/dashboard/api/channels']) {
    expect((await api.request('GET', path, { headers: apiHost })).status).toBe(401);
  }
});

/** Hosts that are those of nobody here, whatever the settings. */
const foreign = [
  'other.example.com',
  'example.com',
  'app.example.com.evil.example',
  'evil-app.example.com',
  'app.example.com:8443',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '10.0.0.7:8080',
  '169.254.169.254',
  '0.0.0.0:8080',
  '[2001:db8::1]',
] as const;

const onEverySide = [
  '/v1/contacts',
  '/api/accounts/me',
  '/dashboard/api/channels',
  '/openapi.json',
  '/docs',
  '/',
  '/x',
];

const misdirected = { status: 421, body: { error: { code: 'misdirected_request' } } };

test.for(foreign)('%s, which is neither host, is answered 421 on every path', async (host) => {
  for (const path of onEverySide) expect(await get(path, { host })).toMatchObject(misdirected);
});

describe('where both addresses are one', () => {
  let one: TestApi;
  let key: string;
  beforeAll(async () => {
    const url = 'https://app.example.com';
    one = await startApi({ config: { baseUrl: url, apiUrl: url, trustProxy: (_, hop) => hop < 1 } });
    key = (await one.createAccount()).apiKey;
  });
  afterAll(() => one.stop());
  const ask = (path: string, headers: Record<string, string>) =>
    one.request('GET', path, { headers: { 'x-access-token': key, ...headers }, key });

  test.for(foreign)('%s is answered 421 on every path', async (host) => {
    for (const path of onEverySide) {
      expect(await ask(path, { host })).toMatchObject(misdirected);
      // What a page could have its proxy say changes nothing.
      const forwarded = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-host': 'app.example.com' };
      expect(await ask(path, { host, ...forwarded })).toMatchObject(misdirected);
    }
  });

  test.for([
    'app.example.com',
    'APP.example.com:443',
    'localhost',
    'localhost:9000',
    '127.0.0.1',
    '127.0.0.1:9000',
    '127.1.2.3',
    '[::1]:8080',
    '[::ffff:127.0.0.1]',
  ])('%s is served, straight and through a proxy', async (host) => {
    for (const more of [{}, { 'x-forwarded-for': '192.0.2.1' }]) {
      expect((await ask('/v1/contacts', { host, ...more })).status).toBe(200);
      expect((await ask('/api/accounts/me', { host, ...more })).status).toBe(200);
    }
  });

  test('health answers on any host', async () => {
    for (const host of foreign) expect((await ask('/health/ready', { host })).status).toBe(200);
  });
});

test('the address that a client has connected to is no foreign host, where both addresses are one', () => {
  const url = 'https://app.example.com';
  const findSide = sideOf({ baseUrl: url, apiUrl: url });
  const at = (host: string, localAddress: string) => findSide({ host, req: { socket: { localAddress } } });
  expect(at('192.0.2.7:8080', '192.0.2.7')).toBe('both');
  expect(at('192.0.2.7:8080', '::ffff:192.0.2.7')).toBe('both');
  expect(at('[2001:db8::7]', '2001:db8:0::7')).toBe('both');
  expect(at('192.0.2.8:8080', '192.0.2.7')).toBeUndefined();
  expect(at('', '192.0.2.7')).toBe('both');
});

test('health answers on any host', async () => {
  for (const headers of [base, apiHost, { host: '10.0.0.7:8080' }]) {
    expect((await api.request('GET', '/health/live', { headers })).status).toBe(200);
  }
});

test('https says so to browsers', async () => {
  expect((await get('/openapi.json', base)).headers['strict-transport-security']).toMatch(/^max-age=\d{7,}/);
});
