import { expect, test } from 'vitest';
import { createApiKey, revokeApiKey } from '../../src/shared/accounts/api-keys.ts';
import { useApi } from '../helpers/api.ts';
import { setRole, ageKey, expireSessions } from '../helpers/states/accounts.ts';
import { untold } from '../helpers/untold.ts';

const api = await useApi();
const account = await api.createAccount();

test('GET /api/accounts/me answers the account of the X-ACCESS-TOKEN, and nothing secret', async () => {
  const headers = { 'x-access-token': account.apiKey, 'content-type': 'application/json' };
  const { status, body, text } = await api.request('GET', '/api/accounts/me', { headers });
  expect(status).toBe(200);
  expect(body).toEqual({
    id: expect.stringMatching(/^acc_/),
    name: 'Acme',
    email: expect.stringMatching(/@/),
    limits: expect.anything(),
    plan: 'pro',
    webhooks_allowed: true,
    time_zone: 'UTC',
    default_country: null,
    strict_fields: false,
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(text).not.toMatch(/secret|parley_|whsec_/);
});

test('a Bearer key opens /v1', async () => {
  expect((await api.request('GET', '/v1/contacts', { key: account.apiKey })).status).toBe(200);
  expect(
    (await api.request('GET', '/v1/contacts', { headers: { authorization: `bearer ${account.apiKey}` } })).status,
  ).toBe(200);
});

test.for([
  ['nothing', '/v1/contacts', () => ({})],
  ['the other header', '/v1/contacts', (key: string) => ({ 'x-access-token': key })],
  ['the bare key', '/v1/contacts', (key: string) => ({ authorization: key })],
  ['Basic', '/v1/contacts', (key: string) => ({ authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` })],
  [
    'an unknown key',
    '/v1/contacts',
    () => ({ authorization: 'Bearer parley_0000000000000000000000000000000000000000000' }),
  ],
  ['a key cut short', '/v1/contacts', (key: string) => ({ authorization: `Bearer ${key.slice(0, -1)}` })],
  ['a very long key', '/v1/contacts', () => ({ authorization: `Bearer ${'x'.repeat(8000)}` })],
  ['the session cookie', '/v1/contacts', () => ({ cookie: `parley_session=${account.session}` })],
  ['nothing, for what is not there', '/v1/nowhere', () => ({})],
  ['nothing', '/api/accounts/me', () => ({})],
  ['the other header', '/api/accounts/me', (key: string) => ({ authorization: `Bearer ${key}` })],
  ['an unknown key', '/api/accounts/me', () => ({ 'x-access-token': 'parley_1' })],
  ['nothing', '/dashboard/api/channels', () => ({})],
  [
    'an API key',
    '/dashboard/api/channels',
    (key: string) => ({ authorization: `Bearer ${key}`, 'x-access-token': key }),
  ],
  ['an unknown session', '/dashboard/api/channels', () => ({ cookie: 'parley_session=abc' })],
] as const)('%s on %s is 401 and says what is wanted', async ([, path, headers]) => {
  const answer = await api.request('GET', path, { headers: headers(account.apiKey) });
  expect(answer.status).toBe(401);
  expect(answer.body).toMatchObject({ error: { code: 'unauthorized' } });
  expect(answer.headers['www-authenticate']).toMatch(/realm="parley"/);
});

test('a revoked key is refused with the very next request, on both hosts', async () => {
  const { row, value } = await createApiKey(untold(api.db), account.accountId, 'leaked');
  expect((await api.request('GET', '/v1/contacts', { key: value })).status).toBe(200);
  await revokeApiKey(untold(api.db), account.accountId, row.id);
  expect((await api.request('GET', '/v1/contacts', { key: value })).status).toBe(401);
  expect((await api.request('GET', '/api/accounts/me', { headers: { 'x-access-token': value } })).status).toBe(401);
});

test('the use of a key is noted, at most once a minute', async () => {
  const { row, value } = await createApiKey(untold(api.db), account.accountId, 'busy');
  const lastUse = async () => {
    await api.request('GET', '/v1/contacts', { key: value });
    const [key] = await api.db<[{ lastUsedAt: Date }]>`select last_used_at from api_keys where id = ${row.id}`;
    return key.lastUsedAt.getTime();
  };
  const first = await lastUse();
  expect(await lastUse()).toBe(first);
  await ageKey(api.db, row.id, { minutes: 2 });
  expect(await lastUse()).toBeGreaterThanOrEqual(first);
});

test('a session opens the dashboard, until it has expired', async () => {
  const { session, userId } = await api.createAccount();
  const open = () => api.request('GET', '/dashboard/api/channels', { session });
  expect((await open()).status).toBe(200);
  await expireSessions(api.db, userId);
  expect((await open()).status).toBe(401);
});

test.for(['https://evil.example', 'null', undefined])(
  'what changes something from Origin %s is 403',
  async (origin) => {
    const headers = { cookie: `parley_session=${account.session}`, ...(origin !== undefined && { origin }) };
    const body = { type: 'api', name: 'Shop' };
    const answer = await api.request('POST', '/dashboard/api/channels', { headers, body });
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ error: { code: 'forbidden' } });
    expect((await api.db`select 1 from channels`).count).toBe(0);
  },
);

test('an agent cannot add channels', async () => {
  const agent = await api.createAccount();
  await setRole(api.db, agent.userId, 'agent');
  const body = { type: 'api', name: 'Shop' };
  expect((await api.request('POST', '/dashboard/api/channels', { session: agent.session, body })).status).toBe(403);
});
