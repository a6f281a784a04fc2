import { afterAll, beforeAll, expect, test } from 'vitest';
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
  ['/v1/contacts', { host: 'other.example.com' }],
  ['/api/accounts/me', { host: '10.0.0.7:8080' }],
] as const)('%s on another host %o is 404', async ([path, headers]) => {
  expect((await get(path, headers)).status).toBe(404);
});

test('all of the API host is behind its key: 401 comes before 404', async () => {
  for (const path of ['/', '/v1', '/api/accounts/me', '/openapi.json', '/dashboard/api/channels']) {
    expect((await api.request('GET', path, { headers: apiHost })).status).toBe(401);
  }
});

test('health answers on any host', async () => {
  for (const headers of [base, apiHost, { host: '10.0.0.7:8080' }]) {
    expect((await api.request('GET', '/health/live', { headers })).status).toBe(200);
  }
});

test('https says so to browsers', async () => {
  expect((await get('/openapi.json', base)).headers['strict-transport-security']).toMatch(/^max-age=\d{7,}/);
});
