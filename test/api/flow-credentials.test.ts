import { beforeEach, describe, expect, test } from 'vitest';
import { createCredential } from '../../src/shared/credentials/manage.ts';
import { insertFlowByUses } from '../helpers/states/flows.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { untold } from '../helpers/untold.ts';

type Credential = { id: string; name: string; type: string; param: string | null; hosts: string[]; updated_at: string };
type Refused = { error: { code: string; details?: { path: string; message: string }[] } };

const api = await useApi();
let account: TestAccount;
beforeEach(async () => {
  account = await api.createAccount();
});

const as = <Body = Credential>(method: string, path: string, body?: unknown, key = account.apiKey) =>
  api.request<Body>(method, path, { key, body });

const hosts = ['api.shop.example'];
const bearer = { name: 'shop', type: 'bearer', hosts, token: 'sk_live_verysecret' };
const kinds = [
  bearer,
  { name: 'crm', type: 'basic', hosts, username: 'ada', password: 'sk_live_verysecret' },
  { name: 'tracker', type: 'header', hosts, header: 'X-Api-Key', value: 'sk_live_verysecret' },
  { name: 'maps', type: 'query', hosts, parameter: 'key', value: 'sk_live_verysecret' },
];

test.for(kinds)(
  'a $type credential is created, read and listed, and its value comes back from nowhere',
  async (given) => {
    const created = await as('POST', '/v1/credentials', given);
    expect(created.status).toBe(201);
    const { name, type } = given;
    expect(created.body).toEqual({
      id: expect.stringMatching(/^cred_/),
      name,
      type,
      param: type === 'header' ? 'X-Api-Key' : type === 'query' ? 'key' : null,
      hosts,
      oauth2: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const read = await as('GET', `/v1/credentials/${created.body.id}`);
    const list = await as<{ data: Credential[] }>('GET', '/v1/credentials');
    const { session } = account;
    const behindDashboard = await api.request<{ data: Credential[] }>('GET', '/dashboard/api/credentials', { session });
    expect([read.body, list.body.data, behindDashboard.body.data]).toEqual([
      created.body,
      [created.body],
      [created.body],
    ]);
    const rows = await api.db`select c::text as row from credentials c where account_id = ${account.accountId}`;
    const everywhere = [created.text, read.text, list.text, behindDashboard.text, rows, api.logged].map((each) =>
      JSON.stringify(each),
    );
    expect(everywhere.join()).not.toMatch(/verysecret|ada:/);
  },
);

describe('a credential of type oauth2', () => {
  const client = {
    name: 'shop',
    type: 'oauth2',
    hosts,
    grant_type: 'refresh_token',
    token_url: 'https://auth.shop.example/token',
    client_id: 'parley',
    client_secret: 'sk_live_verysecret',
    refresh_token: 'rt_live_verysecret',
  };

  test('shows its client and its state, and its secrets come back from nowhere', async () => {
    const created = await as('POST', '/v1/credentials', client);
    const shown = {
      type: 'oauth2',
      param: null,
      oauth2: {
        grant_type: 'refresh_token',
        token_url: client.token_url,
        client_id: 'parley',
        auth_method: 'basic',
        scope: null,
        audience: null,
        state: 'waiting',
        reason: null,
        renewed_at: null,
        expires_at: null,
      },
    };
    expect(created).toMatchObject({ status: 201, body: shown });
    const read = await as('GET', `/v1/credentials/${created.body.id}`);
    const { name: _, ...replacement } = client;
    const replaced = await as('PUT', `/v1/credentials/${created.body.id}`, { ...replacement, scope: 'stock' });
    expect([read.body, replaced.body]).toMatchObject([shown, { oauth2: { scope: 'stock' } }]);
    const rows = await api.db`select o::text as row from oauth2_clients o where account_id = ${account.accountId}`;
    const everywhere = [created.text, read.text, replaced.text, rows, api.logged].map((each) => JSON.stringify(each));
    expect(everywhere.join()).not.toContain('verysecret');
    expect((await as('DELETE', `/v1/credentials/${created.body.id}`)).status).toBe(204);
    expect(await api.db`select from oauth2_clients where account_id = ${account.accountId}`).toHaveLength(0);
  });

  test.for([
    ['token_url', { token_url: 'https://user:password@auth.shop.example/' }],
    ['token_url', { token_url: 'ftp://auth.shop.example/' }],
    ['token_url', { token_url: 'https://10.0.0.1/token' }],
    ['refresh_token', { refresh_token: undefined }],
    ['refresh_token', { grant_type: 'client_credentials' }],
    ['client_secret', { client_secret: 'a\u0000b' }],
  ] as const)('is refused for its %s in %o', async ([path, fields]) => {
    const { status, body } = await as<Refused>('POST', '/v1/credentials', { ...client, ...fields });
    expect([status, body.error.details?.[0]?.path]).toEqual([422, path]);
  });

  test('keeps its type, as others do', async () => {
    const { name: _, ...replacement } = client;
    const { body } = await as('POST', '/v1/credentials', bearer);
    const refused = await as<Refused>('PUT', `/v1/credentials/${body.id}`, replacement);
    expect([refused.status, refused.body.error.details?.[0]?.path]).toEqual([422, 'type']);
  });
});

test('the same Idempotency-Key creates it once, and keeps no value in clear', async () => {
  const headers = { 'Idempotency-Key': 'once' };
  const post = () => api.request<Credential>('POST', '/v1/credentials', { key: account.apiKey, body: bearer, headers });
  const [first, second] = [await post(), await post()];
  expect(second.body).toEqual(first.body);
});

test('a name that is taken is 409, in another account it is free', async () => {
  expect((await as('POST', '/v1/credentials', bearer)).status).toBe(201);
  expect(await as('POST', '/v1/credentials', { ...kinds[1], name: 'shop' })).toMatchObject({
    status: 409,
    body: { error: { message: 'Another credential has the name shop.' } },
  });
  const other = await api.createAccount();
  expect((await as('POST', '/v1/credentials', bearer, other.apiKey)).status).toBe(201);
});

test('an account has at most 200', async () => {
  const { accountId } = account;
  const deps = { ...untold(api.db), secrets: api.deps.secrets };
  const others = Array.from({ length: 200 }, (_, n) => `other${n}`);
  await Promise.all(
    others.map((name) => createCredential(deps, accountId, { name, type: 'bearer', hosts, token: 'x' })),
  );
  expect(await as('POST', '/v1/credentials', bearer)).toMatchObject({
    status: 409,
    body: { error: { message: 'An account has at most 200 credentials.' } },
  });
});

test('a type that there is not is told with those that there are', async () => {
  expect(await as('POST', '/v1/credentials', { ...bearer, type: 'oauth' })).toMatchObject({
    status: 422,
    body: {
      error: { details: [{ path: 'type', message: 'must be "bearer" or "basic" or "header" or "query" or "oauth2"' }] },
    },
  });
});

describe('hosts', () => {
  test('are kept as urls spell them, each once', async () => {
    const given = ['API.Shop.example', 'bücher.example', '127.1', '[::1]', '*.Shop.example', 'a.example.', 'A.example'];
    const { body } = await as('POST', '/v1/credentials', { ...bearer, hosts: given });
    const spelt = ['api.shop.example', 'xn--bcher-kva.example', '127.0.0.1', '[::1]', '*.shop.example', 'a.example'];
    expect(body.hosts).toEqual(spelt);
  });

  test.for([
    '*',
    '*.com',
    '*.127.0.0.1',
    'a.*.example',
    'https://a.example',
    'a.example:8443',
    'a.example/x',
    'u@a.example',
    'a b',
    '',
  ])('%o is refused', async (host) => {
    const { status, body } = await as<Refused>('POST', '/v1/credentials', { ...bearer, hosts: ['b.example', host] });
    expect([status, body.error.details?.[0]?.path]).toEqual([422, 'hosts.1']);
  });
});

test.for([
  ['a line break in a token', { ...bearer, token: 'a\r\nX-Admin: 1' }, 'token'],
  ['a letter that no header can carry', { ...bearer, token: 'schlüssel' }, 'token'],
  ['a colon in a user name', { ...kinds[1], username: 'a:b' }, 'username'],
  ['a header that frames the message', { ...kinds[2], header: 'Content-Length' }, 'header'],
  ['a header that is none', { ...kinds[2], header: 'X Key' }, 'header'],
  ['a name that no placeholder can have', { ...bearer, name: 'my shop' }, 'name'],
  ['a value of another type', { ...bearer, value: 'x' }, 'value'],
  ['no value', { name: 'shop', type: 'bearer', hosts }, 'token'],
  ['no host', { ...bearer, hosts: [] }, 'hosts'],
  ['another type', { ...bearer, type: 'oauth' }, 'type'],
] as const)('%s is 422, and nothing is stored', async ([, body, path]) => {
  const answer = await as<Refused>('POST', '/v1/credentials', body);
  expect([answer.status, answer.body.error.details?.[0]?.path]).toEqual([422, path]);
  expect((await api.db`select from credentials where account_id = ${account.accountId}`).count).toBe(0);
});

describe('rotating', () => {
  test('replaces value and hosts, and keeps name and type', async () => {
    const { body: created } = await as('POST', '/v1/credentials', bearer);
    const [before] =
      await api.db`select secret from credentials where name = 'shop' and account_id = ${account.accountId}`;
    const replacement = { type: 'bearer', hosts: ['b.example'], token: 'sk_live_next' };
    const { status, body } = await as('PUT', `/v1/credentials/${created.id}`, replacement);
    expect(status).toBe(200);
    expect(body).toEqual({ ...created, hosts: ['b.example'], updated_at: expect.any(String) });
    expect(body.updated_at > created.updated_at).toBe(true);
    const [after] =
      await api.db`select secret from credentials where name = 'shop' and account_id = ${account.accountId}`;
    expect(after?.['secret']).not.toEqual(before?.['secret']);
  });

  test('another type is 422', async () => {
    const { body: created } = await as('POST', '/v1/credentials', bearer);
    const { name: _, ...basic } = kinds[1] as Record<string, unknown>;
    expect((await as('PUT', `/v1/credentials/${created.id}`, basic)).status).toBe(422);
  });

  test('nobody binds it to another host without knowing its value', async () => {
    const { body: created } = await as('POST', '/v1/credentials', bearer);
    const stolen = { type: 'bearer', hosts: ['evil.example'] };
    for (const method of ['PUT', 'PATCH'])
      expect([405, 422]).toContain((await as(method, `/v1/credentials/${created.id}`, stolen)).status);
    expect((await as('GET', `/v1/credentials/${created.id}`)).body).toEqual(created);
  });
});

test('an unknown type is told which ones there are', async () => {
  const answer = await as('POST', '/v1/credentials', { ...bearer, type: 'oauth' });
  expect(answer).toMatchObject({
    status: 422,
    body: {
      error: { details: [{ path: 'type', message: 'must be "bearer" or "basic" or "header" or "query" or "oauth2"' }] },
    },
  });
});

test("another account's credential is 404, and stays as it is", async () => {
  const { body: created } = await as('POST', '/v1/credentials', bearer);
  const { apiKey } = await api.createAccount();
  const path = `/v1/credentials/${created.id}`;
  const { name: _, ...replacement } = bearer;
  for (const [method, body] of [['GET'], ['PUT', replacement], ['DELETE']] as const)
    expect((await as(method, path, body, apiKey)).status).toBe(404);
  expect((await as('GET', path)).body).toEqual(created);
});

test('one that no flow uses is deleted', async () => {
  const { body: created } = await as('POST', '/v1/credentials', bearer);
  expect((await as('DELETE', `/v1/credentials/${created.id}`)).status).toBe(204);
  expect((await as('GET', `/v1/credentials/${created.id}`)).status).toBe(404);
});

test('one that a flow uses is not deleted, and the answer says where it is used', async () => {
  const { body: created } = await as('POST', '/v1/credentials', bearer);
  const { accountId } = account;
  await insertFlowByUses(api.db, { accountId, name: 'Stock', status: 'draft', draftUses: ['credential:shop'] });
  const { status, body } = await as<Refused>('DELETE', `/v1/credentials/${created.id}`);
  expect([status, body.error.details]).toEqual([
    409,
    [{ path: expect.stringMatching(/^flow_/), message: '"Stock": its draft' }],
  ]);
  expect((await as('GET', `/v1/credentials/${created.id}`)).body).toEqual(created);
});

test('only a credential with access tokens can be tried again', async () => {
  const { body: created } = await as('POST', '/v1/credentials', bearer);
  expect(await as('POST', `/v1/credentials/${created.id}/retry`)).toMatchObject({
    status: 409,
    body: { error: { code: 'conflict' } },
  });
});
