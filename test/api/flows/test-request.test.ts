import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createCredential } from '../../../src/shared/credentials/manage.ts';
import { newUuid, showId } from '../../../src/shared/ids.ts';
import { useApi, type TestAccount } from '../../helpers/api.ts';
import { aFlowDefinition, flowCalls } from '../../helpers/flows.ts';
import { startReceiver, type Receiver } from '../../helpers/receiver.ts';
import { untold } from '../../helpers/untold.ts';

type Tested = Record<string, unknown> & { error: { code: string; details?: { path: string; message: string }[] } };

const api = await useApi();
let account: TestAccount;
let shop: Receiver;
beforeEach(async () => {
  account = await api.createAccount();
  shop = await startReceiver({ respond: { type: 'respond', body: '{"name": "King"}' } });
  onTestFinished(() => shop.close());
});

const aFlow = async (block: Readonly<Record<string, unknown>> = {}) => {
  const call = {
    id: 'call',
    type: 'external_request',
    method: 'POST',
    url: shop.url('/stock'),
    body: '{"who": "{{first_name}}", "sku": {{params.sku}}}',
    mapping: [{ path: '$.name', field: 'last_name' }],
    ...block,
  };
  const say = { id: 'say', type: 'send', messages: [{ text: 'Hello' }] };
  return (await flowCalls(api, account).create(aFlowDefinition({ blocks: [call, say] }))).id;
};

const tryBlock = (flow: string, body: unknown = {}, { block = 'call', key = account.apiKey } = {}) =>
  api.request<Tested>('POST', `/v1/flows/${flow}/blocks/${block}/test-request`, { key, body });

const counts = () => api.db`
  select (select count(*) from requests)::int as requests, (select count(*) from runs)::int as runs,
    (select count(*) from contacts where last_name is not null)::int as named`;

test('a block of the draft is tried with a contact: bytes, response, mappings and port are shown, and nothing is written', async () => {
  const body = { first_name: 'Ada' };
  const { body: contact } = await api.request<{ id: string }>('POST', '/v1/contacts', { key: account.apiKey, body });
  const before = await counts();
  const { status, body: tested } = await tryBlock(await aFlow(), { contact_id: contact.id, params: { sku: 7 } });
  expect(status).toBe(200);
  expect(tested).toMatchObject({
    problem: null,
    method: 'POST',
    url: shop.url('/stock'),
    request_body: '{"who": "Ada", "sku": 7}',
    status_code: 200,
    response_body: '{"name": "King"}',
    fields: [{ path: '$.name', field: 'last_name', type: 'text', outcome: 'set', value: 'King' }],
    port: 'success',
    retry_in_ms: null,
  });
  expect(shop.requests[0]?.rawBody.toString()).toBe('{"who": "Ada", "sku": 7}');
  expect(await counts()).toEqual(before);
});

test('sample values stand in the place of those of a contact', async () => {
  const { body } = await tryBlock(await aFlow(), { values: { first_name: 'Grace' } });
  expect(body).toMatchObject({ request_body: '{"who": "Grace", "sku": null}', port: 'success' });
});

test('a credential is used and not shown', async () => {
  const { db, secrets } = api.deps;
  const input = { name: 'shop', type: 'bearer' as const, hosts: ['127.0.0.1'], token: 'sk_live_verysecret' };
  await createCredential({ ...untold(db), secrets }, account.accountId, input);
  const { text, body } = await tryBlock(await aFlow({ credential: 'shop' }));
  expect(shop.requests[0]?.headers.authorization).toBe('Bearer sk_live_verysecret');
  expect(body).toMatchObject({ request_headers: { authorization: '[redacted]' } });
  expect(text).not.toContain('verysecret');
});

test('a key is sent as a user name without a password, and shown nowhere', async () => {
  const credential = {
    name: 'shop',
    type: 'basic',
    hosts: ['127.0.0.1'],
    username: 'sk_test_verysecret',
    password: '',
  };
  const created = await api.request('POST', '/v1/credentials', { key: account.apiKey, body: credential });
  expect(created.status).toBe(201);
  shop.respondWith({ type: 'respond', body: '{"name": "sk_test_verysecret", "other": "no secret"}' });
  const { text, body } = await tryBlock(await aFlow({ credential: 'shop', mapping: [] }));
  const sent = `Basic ${Buffer.from('sk_test_verysecret:').toString('base64')}`;
  expect(shop.requests[0]?.headers.authorization).toBe(sent);
  expect(body).toMatchObject({ response_body: '{"name": "[redacted]", "other": "no secret"}' });
  expect(text).not.toContain('verysecret');
});

test('what cannot be rendered is told with its place, and nobody is asked', async () => {
  const { body } = await tryBlock(await aFlow({ body: '{"who": {{first_name}}x}' }));
  expect(body).toMatchObject({ problem: { place: 'body', position: expect.any(Number) }, port: 'error' });
  expect(shop.requests).toEqual([]);
});

test('what a run would try again says so', async () => {
  shop.respondWith(503);
  expect((await tryBlock(await aFlow())).body).toMatchObject({ status_code: 503, port: null, retry_in_ms: 1_000 });
});

test('a block in the body is tried in place of the stored one, and the draft stays as it is', async () => {
  const flow = await aFlow();
  const block = { id: 'call', type: 'external_request', method: 'PUT', url: shop.url('/other'), body: '{"n": 1}' };
  const { body } = await tryBlock(flow, { block });
  expect(body).toMatchObject({ method: 'PUT', url: shop.url('/other'), request_body: '{"n": 1}', port: 'success' });
  const unsaved = { ...block, id: 'unsaved' };
  expect((await tryBlock(flow, { block: unsaved }, { block: 'unsaved' })).body).toMatchObject({ status_code: 200 });
  const { body: draft } = await flowCalls(api, account).draft(flow);
  expect(draft.definition['blocks']).toMatchObject([{ id: 'call', method: 'POST' }, { id: 'say' }]);
  const { apiKey } = await api.createAccount();
  const refused = [
    await tryBlock(flow, { block: unsaved }),
    await tryBlock(flow, { block: { ...block, type: 'send' } }),
    await tryBlock(flow, { block: { ...block, method: 'FETCH' } }),
    await tryBlock(flow, { block }, { key: apiKey }),
  ];
  expect(refused.map(({ status, body: { error } }) => [status, error.details?.[0]?.path])).toEqual([
    [422, 'block.id'],
    [422, 'block.type'],
    [422, 'block.method'],
    [404, undefined],
  ]);
  expect(shop.requests).toHaveLength(2);
});

test('a block in the body meets the same guard as a stored one', async () => {
  const block = { id: 'call', type: 'external_request', method: 'GET', url: 'http://169.254.169.254/latest' };
  const { body } = await tryBlock(await aFlow(), { block });
  expect(body).toMatchObject({ status_code: null, port: 'error', reason: 'refused_address' });
});

test('a response of nearly 1 MiB is answered whole, without the credential that it gives back', async () => {
  const { db, secrets } = api.deps;
  const input = { name: 'shop', type: 'bearer' as const, hosts: ['127.0.0.1'], token: 'sk_live_verysecret' };
  await createCredential({ ...untold(db), secrets }, account.accountId, input);
  const items = Array.from({ length: 12_000 }, (_, number) => ({ number, text: 'x'.repeat(60) }));
  shop.respondWith({ type: 'respond', body: JSON.stringify({ items, last: 'sk_live_verysecret' }) });
  const { body, text } = await tryBlock(await aFlow({ credential: 'shop', mapping: [] }));
  const response = JSON.parse(String(body['response_body']));
  expect(response.items).toHaveLength(12_000);
  expect(response.last).toBe('[redacted]');
  expect(body['response_truncated']).toBe(false);
  expect(text).not.toContain('verysecret');
});

test('a half-finished block is 422 with every problem, and so are values that their fields cannot hold', async () => {
  const unfinished = await tryBlock(await aFlow({ method: 'FETCH', timeout_ms: 1 }));
  expect(unfinished.body.error.details?.map(({ path }) => path)).toEqual(['blocks.0.method', 'blocks.0.timeout_ms']);
  const misspelt = await tryBlock(await aFlow({ methd: 'GET' }));
  expect(misspelt.body.error.details?.map(({ path }) => path)).toEqual(['blocks.0.methd']);
  const wrong = await tryBlock(await aFlow(), { values: { phone: 'none', unknown: 1 } });
  expect(wrong.body.error.details?.map(({ path }) => path)).toEqual(['values.phone', 'values.unknown']);
});

test('another block, an unknown contact, and those of another account are 404', async () => {
  const flow = await aFlow();
  const { apiKey } = await api.createAccount();
  const { body: foreign } = await api.request<{ id: string }>('POST', '/v1/contacts', { key: apiKey, body: {} });
  const answers = [
    await tryBlock(flow, {}, { block: 'none' }),
    await tryBlock(flow, {}, { key: apiKey }),
    await tryBlock(flow, { contact_id: foreign.id }),
    await tryBlock(flow, { contact_id: showId('contact', newUuid()) }),
    await tryBlock(flow, { contact_id: 'con_x' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  expect(shop.requests).toEqual([]);
});
