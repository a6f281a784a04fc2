import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCredential } from '../../../src/shared/credentials/manage.ts';
import type { NewCredential } from '../../../src/shared/credentials/schema.ts';
import { testRequest } from '../../../src/shared/external-requests/test-request.ts';
import { createSecrets } from '../../../src/shared/platform/secrets/seal.ts';
import { anAccount } from '../../helpers/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import type { Answer, ReceivedRequest, Receiver } from '../../helpers/receiver.ts';
import { aReceiver, anEgress } from '../platform/egress/builders.ts';
import { aBlock, aField, aBlockContext } from './builders.ts';
import { tokensOn } from '../../helpers/token-server.ts';
import { untold } from '../../helpers/untold.ts';

const secrets = createSecrets(randomBytes(32));
let database: TestDatabase;
let accountId: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ({ accountId } = await anAccount({ db: database.db, secrets }));
});

const token = 'sk_live/very+secret=';

const base = { name: 'shop', hosts: ['127.0.0.1'] };
const bearer: NewCredential = { ...base, type: 'bearer', token };
const basic: NewCredential = { ...base, type: 'basic', username: 'ada', password: token };
const header: NewCredential = { ...base, type: 'header', header: 'X-Of', value: token };
const query: NewCredential = { ...base, type: 'query', parameter: 'k', value: token };

const aCredential = (input: NewCredential = bearer) =>
  createCredential({ ...untold(database.db), secrets }, accountId, input);

const tryBlock = async (receiver: Receiver, fields: Readonly<Record<string, unknown>>, as = accountId) => {
  const config = aBlock({ url: receiver.url('/stock'), ...fields });
  const context = {
    ...aBlockContext({ size: 'L' }),
    fields: new Map([aField('left', 'number'), aField('note', 'text'), aField('list', 'list')]),
  };
  const egress = anEgress({ allow: '127.0.0.1' });
  const deps = { sql: database.db, secrets, egress, tokens: tokensOn(database.db, { secrets, egress }) };
  const tested = await testRequest(deps, { accountId: as, config, context });
  return { ...tested, text: JSON.stringify(tested) };
};

/** Gives back everything that it gets, in many spellings. */
const echo = ({ headers, rawBody, path }: ReceivedRequest): Answer => {
  const all = JSON.stringify({ headers, path, body: rawBody.toString() });
  const spelt = [all, encodeURIComponent(all), Buffer.from(all).toString('base64'), Buffer.from(all).toString('hex')];
  const [, sent = ''] = (headers.authorization ?? ' ').split(' ');
  return {
    type: 'respond',
    headers: { 'x-echo': sent, 'set-cookie': 'a=b' },
    body: JSON.stringify({ spelt, mine: `your key is ${sent}`, left: 3 }),
  };
};

test('the final bytes, the response, and each mapping with its type are shown, and what would follow', async () => {
  const receiver = await aReceiver({ respond: { type: 'respond', headers: { 'x-a': 'b' }, body: '{"left": "3"}' } });
  const tested = await tryBlock(receiver, {
    method: 'POST',
    body: '{"size": "{{size}}"}',
    mapping: [
      { path: '$.left', field: 'left' },
      { path: '$.gone', field: 'note' },
    ],
  });
  expect(tested).toMatchObject({
    type: 'made',
    after: { type: 'port', port: 'success' },
    attempt: {
      method: 'POST',
      url: receiver.url('/stock'),
      requestBody: '{"size": "L"}',
      statusCode: 200,
      responseHeaders: { 'x-a': 'b' },
      responseBody: '{"left": "3"}',
      responseTruncated: false,
      reason: null,
      fields: [
        { path: '$.left', field: 'left', type: 'number', outcome: 'set', value: 3 },
        { path: '$.gone', field: 'note', type: 'text', outcome: 'kept' },
      ],
    },
  });
});

test('a mapping that fails is named, and takes the error port', async () => {
  const receiver = await aReceiver({ respond: { type: 'respond', body: '{"left": "many"}' } });
  expect(await tryBlock(receiver, { mapping: [{ path: '$.left', field: 'left' }] })).toMatchObject({
    after: { type: 'port', port: 'error', reason: 'mapping' },
    attempt: { statusCode: 200, reason: 'mapping', detail: 'left must be a number' },
  });
});

test('an answer that is no success has mappings of its own', async () => {
  const receiver = await aReceiver({ respond: { type: 'respond', status: 422, body: '{"why": "sold out"}' } });
  const mappings = {
    mapping: [{ path: '$.left', field: 'left', on_missing: 'error' }],
    error_mapping: [{ path: '$.why', field: 'note' }],
  };
  expect(await tryBlock(receiver, mappings)).toMatchObject({
    after: { type: 'port', port: 'error', reason: 'status_422' },
    attempt: { reason: null, fields: [{ field: 'note', value: 'sold out' }] },
  });
});

test('a test decides by success_when as a run does, and names the rule that failed', async () => {
  const receiver = await aReceiver({ respond: { type: 'respond', status: 404, body: '{"ok": false}' } });
  const when = (path: string, value: unknown) => ({ success_when: { rules: [{ path, op: 'is', value }] } });
  expect(await tryBlock(receiver, when('$status', 404))).toMatchObject({ after: { type: 'port', port: 'success' } });
  expect(await tryBlock(receiver, when('$.ok', true))).toMatchObject({
    after: { type: 'port', port: 'error', reason: 'status_404' },
    attempt: { statusCode: 404, detail: 'success_when: rule 1 ($.ok is true) does not hold' },
  });
});

test('of a request for each item, the first one is tried, and a list without items says so', async () => {
  const receiver = await aReceiver({ respond: { type: 'respond', body: '{"left": 3}' } });
  const each = (items: string) =>
    tryBlock(receiver, {
      url: receiver.url('/{{item.id}}/{{index}}'),
      for_each: { items },
      mapping: [{ path: '$.left', field: 'list' }],
    });
  expect(await each('[{"id": "a"}, {"id": "b"}]')).toMatchObject({
    after: { type: 'port', port: 'success' },
    attempt: { url: receiver.url('/a/0'), fields: [{ field: 'list', outcome: 'set', value: '3' }] },
  });
  const problem = (message: string) => ({ type: 'unrendered', problem: { place: 'for_each.items', message } });
  expect(await each('[]')).toMatchObject(problem('is an empty list, so no request is made'));
  expect(await each('{{first_name}}')).toMatchObject(problem('is no list'));
  expect(receiver.requests).toHaveLength(1);
});

test('what cannot be rendered says where, and asks nobody', async () => {
  const receiver = await aReceiver();
  const tested = await tryBlock(receiver, { method: 'POST', body: '{"size": {{size}}x}' });
  expect(tested).toMatchObject({ type: 'unrendered', problem: { place: 'body', position: expect.any(Number) } });
  expect(receiver.requests).toEqual([]);
});

describe('no secret is shown,', () => {
  const typedLogin = `Basic ${Buffer.from(`ada:${token}`).toString('base64')}`;
  const kinds: [string, NewCredential, Record<string, unknown>][] = [
    ['a bearer token', bearer, { credential: 'shop' }],
    ['a password', basic, { credential: 'shop' }],
    ['a header', header, { credential: 'shop' }],
    ['a parameter', query, { credential: 'shop' }],
    ['one in the body', header, { method: 'POST', body: '{"k": "{{credential.shop}}"}' }],
    ['one in the url', header, { query: { k: '{{credential.shop}}' } }],
    ['one that is typed into a header', bearer, { headers: { Authorization: `Bearer ${token}` } }],
    ['a login that is typed into a header', bearer, { headers: { Authorization: typedLogin } }],
    ['a key that is typed into a header', bearer, { headers: { 'X-Api-Key': token } }],
  ];

  test.for(kinds)('%s, also when the response gives it back in any spelling', async ([, credential, fields]) => {
    await aCredential(credential);
    const receiver = await aReceiver({ respond: (request) => echo(request) });
    const tested = await tryBlock(receiver, fields);
    expect(tested).toMatchObject({ type: 'made', attempt: { statusCode: 200 } });
    const [request] = receiver.requests;
    const sent = JSON.stringify([request?.headers, request?.path, request?.rawBody.toString()]);
    const spellings = [token, encodeURIComponent(token), Buffer.from(token).toString('hex')];
    const login = Buffer.from(`ada:${token}`).toString('base64');
    expect([...spellings, login].some((spelling) => sent.includes(spelling))).toBe(true);
    for (const spelling of [...spellings, login, Buffer.from(token).toString('base64').slice(0, -4)])
      expect(tested.text).not.toContain(spelling);
    expect(tested.text).not.toContain('a=b');
  });

  test('and no redirect that spells one in a way of its own', async () => {
    await aCredential();
    const location = '/b?k=%73k%5Flive%252Fvery%252Bsecret%3D';
    const receiver = await aReceiver({ respond: [{ type: 'respond', status: 302, headers: { location } }, 200] });
    expect(await tryBlock(receiver, { credential: 'shop' })).toMatchObject({
      attempt: { statusCode: 302, responseHeaders: { location: '[redacted]' } },
    });
    receiver.respondWith([{ type: 'respond', status: 302, headers: { location } }, 200]);
    expect(await tryBlock(receiver, { credential: 'shop', follow_redirects: true })).toMatchObject({
      attempt: { statusCode: 200, url: '[redacted]' },
    });
  });

  test('and none is written into a contact', async () => {
    await aCredential();
    const receiver = await aReceiver({ respond: (request) => echo(request) });
    expect(
      await tryBlock(receiver, { credential: 'shop', mapping: [{ path: '$.mine', field: 'note' }] }),
    ).toMatchObject({
      after: { reason: 'mapping' },
      attempt: { fields: [{ outcome: 'failed', problem: expect.stringContaining('credential') }] },
    });
  });
});

test("another account's credential is none", async () => {
  await aCredential();
  const other = await anAccount({ db: database.db, secrets });
  const receiver = await aReceiver();
  expect(await tryBlock(receiver, { credential: 'shop' }, other.accountId)).toMatchObject({
    attempt: { reason: 'credential', detail: 'there is no credential shop' },
  });
  expect(receiver.requests).toEqual([]);
});
