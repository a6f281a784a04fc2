import { expect, test } from 'vitest';
import { createApiKey } from '../../src/shared/accounts/api-keys.ts';
import { showId } from '../../src/shared/ids.ts';
import { type Outgoing, type TestAccount, useApi } from '../helpers/api.ts';
import { holdLock } from '../helpers/locks.ts';
import { haveManyKeys, setRole } from '../helpers/states/accounts.ts';
import { untold } from '../helpers/untold.ts';

const api = await useApi();

type ApiKey = { id: string; name: string; prefix: string; last_used_at: string | null; revoked_at: string | null };

const dashboard = <Body = ApiKey>({ session }: TestAccount, method: string, path: string, outgoing: Outgoing = {}) =>
  api.request<Body>(method, `/dashboard/api${path}`, { session, ...outgoing });

const createKey = async (account: TestAccount, name = 'Shop') => {
  const answer = await dashboard<ApiKey & { key: string }>(account, 'POST', '/api-keys', { body: { name } });
  expect(answer.status).toBe(201);
  return answer.body;
};

const keyWorks = async (key: string): Promise<number> => (await api.request('GET', '/v1/webhooks', { key })).status;

test('a new key is shown once, works at once, and stands nowhere in clear', async () => {
  const account = await api.createAccount();
  const created = await createKey(account);
  expect(created).toMatchObject({
    id: expect.stringMatching(/^key_/),
    name: 'Shop',
    last_used_at: null,
    revoked_at: null,
  });
  expect(await keyWorks(created.key)).toBe(200);
  const list = await dashboard<{ data: ApiKey[] }>(account, 'GET', '/api-keys');
  expect(list.body.data.map(({ name }) => name)).toEqual(['Shop', 'First key']);
  expect(list.body.data[0]).toMatchObject({
    prefix: created.key.slice(0, created.prefix.length),
    last_used_at: expect.any(String),
  });
  expect(list.text).not.toContain(created.key);
  const rows = await api.db`select k::text as row from api_keys k where account_id = ${account.accountId}`;
  expect(rows.map(({ row }) => row).join()).not.toContain(created.key);
  expect(api.logged.join()).not.toContain(created.key);
});

test('with an Idempotency-Key the value is shown again to the same request, and still stands nowhere in clear', async () => {
  const account = await api.createAccount();
  const outgoing = { body: { name: 'Shop' }, headers: { 'Idempotency-Key': 'once' } };
  const create = () => dashboard<ApiKey & { key: string }>(account, 'POST', '/api-keys', outgoing);
  const [first, second] = [await create(), await create()];
  expect(second.body).toEqual(first.body);
  const [kept] = await api.db`select answer from idempotency_keys where account_id = ${account.accountId}`;
  expect(kept?.['answer'].toString('latin1')).not.toContain(first.body.key);
});

test('a revoked key is refused with the next request, and stays in the list as revoked', async () => {
  const account = await api.createAccount();
  const { id, key } = await createKey(account);
  expect(await keyWorks(key)).toBe(200);
  expect((await dashboard(account, 'DELETE', `/api-keys/${id}`)).status).toBe(204);
  expect(await keyWorks(key)).toBe(401);
  expect(await keyWorks(account.apiKey)).toBe(200);
  const list = await dashboard<{ data: ApiKey[] }>(account, 'GET', '/api-keys');
  expect(list.body.data[0]).toMatchObject({ id, revoked_at: expect.any(String) });
});

test('an account has at most a hundred keys that are not revoked, also where the last one is being created: 409', async () => {
  const account = await api.createAccount();
  const { accountId } = account;
  await haveManyKeys(api.db, accountId, { count: 98 });
  await haveManyKeys(api.db, accountId, { count: 300, isRevoked: true });
  const create = () => dashboard(account, 'POST', '/api-keys', { body: { name: 'Shop' } });
  let id = '';
  const last = await holdLock(api.db, async (sql) => {
    ({ id } = (await createApiKey(untold(sql), accountId, 'Shop')).row);
  });
  const refused = create();
  await last.hasStopped('pg_advisory_xact_lock');
  await last.letThrough();
  expect(await refused).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  await dashboard(account, 'DELETE', `/api-keys/${showId('apiKey', id)}`);
  expect((await create()).status).toBe(201);
});

test("another account's keys are neither listed nor revoked", async () => {
  const [owner, stranger] = [await api.createAccount(), await api.createAccount()];
  const { id, key } = await createKey(owner);
  expect((await dashboard(stranger, 'DELETE', `/api-keys/${id}`)).status).toBe(404);
  const list = await dashboard<{ data: ApiKey[] }>(stranger, 'GET', '/api-keys');
  expect(list.body.data.map((listed) => listed.id)).not.toContain(id);
  expect(await keyWorks(key)).toBe(200);
});

test.each([[''], ['   '], ['a'.repeat(201)], ['two\nlines'], [undefined]])(
  'a key needs a sane name: %j is 422',
  async (name) => {
    const account = await api.createAccount();
    expect((await dashboard(account, 'POST', '/api-keys', { body: { name } })).status).toBe(422);
  },
);

test('an agent sees no keys and makes none', async () => {
  const account = await api.createAccount();
  await setRole(api.db, account.userId, 'agent');
  expect((await dashboard(account, 'GET', '/api-keys')).status).toBe(403);
  expect((await dashboard(account, 'POST', '/api-keys', { body: { name: 'Mine' } })).status).toBe(403);
});

test('what changes something needs the Origin of the dashboard; what reads does not', async () => {
  const account = await api.createAccount();
  const headers = { origin: 'https://evil.example' };
  expect((await dashboard(account, 'POST', '/api-keys', { body: { name: 'Mine' }, headers })).status).toBe(403);
  expect((await dashboard(account, 'GET', '/api-keys', { headers })).status).toBe(200);
});
