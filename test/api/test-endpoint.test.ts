import { expect, test } from 'vitest';
import { postSigned } from '../../src/shared/signing/signed-post.ts';
import { newUuid } from '../../src/shared/ids.ts';
import { startApi, useApi } from '../helpers/api.ts';
import { sendAnything, testEndpointOf } from '../helpers/test-endpoint.ts';

const api = await useApi({ testEndpoint: true, egressAllow: '' });

const aTestEndpoint = async () => {
  const account = await api.createAccount();
  return { account, endpoint: await testEndpointOf(api, account) };
};

const bytesOf = (body: object) => Buffer.from(JSON.stringify(body));

test('a dashboard webhook to the test endpoint passes its challenge, which shows as verified', async () => {
  const { account, endpoint } = await aTestEndpoint();
  const body = { url: endpoint.url, events: ['*'] };
  const made = await api.request<{ id: string; status: string }>('POST', '/dashboard/api/webhooks', {
    session: account.session,
    body,
  });
  expect(made.body).toMatchObject({ status: 'active' });
  expect(await endpoint.latest()).toMatchObject({
    method: 'POST',
    path: '',
    kind: 'challenge',
    answered_status: 200,
    verification: {
      result: 'valid',
      service_signature: 'valid',
      standard_signature: 'valid',
      secret: 'present',
      webhook_id: made.body.id,
      message: null,
    },
  });
});

test('a challenge is answered as typed while the status is none of success', async () => {
  const { account, endpoint } = await aTestEndpoint();
  await endpoint.answers({ status: 503 });
  const body = { url: endpoint.url, events: ['*'] };
  const made = await api.request('POST', '/dashboard/api/webhooks', { session: account.session, body });
  expect(made.body).toMatchObject({ status: 'disabled', last_check: { status: 503 } });
});

test('an event of an API webhook is verified by its own secret, a forged one is told as wrong', async () => {
  const { account, endpoint } = await aTestEndpoint();
  const secret = 'a secret of my own choosing';
  const url = `${endpoint.url}/orders?from=api`;
  const made = await api.request<{ id: string }>('POST', '/v1/webhooks', {
    key: account.apiKey,
    body: { url, events: ['*'], secret },
  });
  expect(made.status).toBe(201);
  const { accountId } = account;
  const event = { id: 'dlv_1', event: 'new_message', data: { text: 'Grüße' } };
  const content = { id: 'dlv_1', body: bytesOf(event), at: new Date() };
  await postSigned(api.deps.egress, { accountId, url, secret }, content);
  const latest = await endpoint.latest();
  expect(latest).toMatchObject({
    path: '/orders?from=api',
    kind: 'event',
    event: 'new_message',
    body: JSON.stringify(event),
    body_bytes: content.body.length,
    verification: { result: 'valid', webhook_id: made.body.id },
  });
  expect(latest.headers.map(({ name }) => name.toLowerCase())).toContain('x-service-signature');
  expect(latest.headers.some(({ value }) => value === '[redacted]')).toBe(false);

  await postSigned(api.deps.egress, { accountId, url, secret: 'another' }, content);
  expect((await endpoint.latest()).verification).toMatchObject({
    result: 'invalid',
    service_signature: 'invalid',
    webhook_id: null,
    message: expect.stringContaining('secret of this webhook'),
  });
});

test('a request that no webhook signs is kept as unsigned, or as signed by nobody', async () => {
  const { account, endpoint } = await aTestEndpoint();
  await sendAnything(endpoint.url, { method: 'GET' });
  expect(await endpoint.latest()).toMatchObject({ method: 'GET', kind: 'other', body: '' });
  expect((await endpoint.latest()).verification.result).toBe('unsigned');
  const { accountId } = account;
  const content = { id: 'x', body: bytesOf({ a: 1 }), at: new Date() };
  await postSigned(api.deps.egress, { accountId, url: endpoint.url, secret: 'another' }, content);
  expect((await endpoint.latest()).verification.result).toBe('no_webhook');
});

test('it answers the status, JSON and delay that were typed, and no Location', async () => {
  const { endpoint } = await aTestEndpoint();
  expect(JSON.parse((await sendAnything(endpoint.url)).text)).toMatchObject({ order: { status: 'shipped' } });
  for (const status of [200, 201, 204, 302, 429, 599]) {
    expect((await endpoint.answers({ status, body: { stock: [1, 12.5] } })).status).toBe(200);
    const answer = await sendAnything(`${endpoint.url}/anything`);
    expect(answer.status).toBe(status);
    expect(answer.text).toBe(status === 204 ? '' : '{"stock":[1,12.5]}');
    expect(answer.headers['location']).toBeUndefined();
  }
  await endpoint.answers({ status: 200, body: null, delay_ms: 300 });
  const startedMs = performance.now();
  expect(await sendAnything(endpoint.url)).toMatchObject({ status: 200, text: '' });
  expect(performance.now() - startedMs).toBeGreaterThan(250);
});

test.each([
  { status: 199 },
  { status: 600 },
  { delay_ms: 15_001 },
  { body: 'x'.repeat(65_537) },
  { headers: { location: 'https://a.example' } },
])('refuses to answer beyond its bounds (%#)', async (answer) => {
  const { endpoint } = await aTestEndpoint();
  expect((await endpoint.answers(answer)).status).toBe(422);
});

test('values that are secrets by custom are not kept', async () => {
  const { endpoint } = await aTestEndpoint();
  await sendAnything(endpoint.url, { headers: { authorization: 'Bearer s3cret', 'x-api-key': 's3cret', 'x-a': 'b' } });
  const { headers } = await endpoint.latest();
  expect(JSON.stringify(headers)).not.toContain('s3cret');
  expect(headers).toContainEqual({ name: 'x-a', value: 'b' });
});

test('a body beyond 64 kB is answered as typed, and its beginning is kept', async () => {
  const { endpoint } = await aTestEndpoint();
  const body = 'x'.repeat(70_000);
  expect((await sendAnything(endpoint.url, { body })).status).toBe(200);
  expect(await endpoint.latest()).toMatchObject({
    body: 'x'.repeat(65_536),
    body_bytes: 70_000,
    body_truncated: true,
    verification: { result: 'unchecked' },
  });
});

test('an account forgets what came to it, and has the same address for ever', async () => {
  const { account, endpoint } = await aTestEndpoint();
  await sendAnything(endpoint.url);
  const { session } = account;
  expect((await api.request('DELETE', '/dashboard/api/test-endpoint/requests', { session })).status).toBe(204);
  expect(await endpoint.list()).toEqual({ data: [], not_kept: 0 });
  expect((await testEndpointOf(api, account)).url).toBe(endpoint.url);
  const byKey = await api.request<{ url: string }>('GET', '/v1/test-endpoint', { key: account.apiKey });
  expect(byKey.body.url).toBe(endpoint.url);
});

test('a flow may call the test endpoint, and is checked and tried like any other', async () => {
  const { account, endpoint } = await aTestEndpoint();
  const block = { id: 'look', type: 'external_request', method: 'GET', url: `${endpoint.url}/orders/{{contact.id}}` };
  const definition = { schema_version: 1, start: 'look', triggers: [], blocks: [block] };
  const { apiKey: key } = account;
  const made = await api.request<{ id: string }>('POST', '/v1/flows', { key, body: { name: newUuid(), definition } });
  const checked = await api.request('POST', `/v1/flows/${made.body.id}/validate`, { key, body: { definition } });
  expect(JSON.stringify(checked.body)).not.toContain('refused_url');
  expect((await api.request('POST', `/v1/flows/${made.body.id}/publish`, { key })).status).toBe(200);
  const path = `/v1/flows/${made.body.id}/blocks/look/test-request`;
  const tried = await api.request('POST', path, { key, body: {} });
  expect(JSON.stringify(tried.body)).toContain('shipped');
});

test('an installation without a test endpoint answers 404', async () => {
  const bare = await startApi();
  try {
    const { session } = await bare.createAccount();
    for (const path of ['', '/requests'])
      expect((await bare.request('GET', `/dashboard/api/test-endpoint${path}`, { session })).status).toBe(404);
  } finally {
    await bare.stop();
  }
});
