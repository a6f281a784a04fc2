import { expect, onTestFinished, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { createCredential } from '../../src/shared/credentials/manage.ts';
import { showId } from '../../src/shared/ids.ts';
import { useFlowApi } from '../helpers/flow-api.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { secretNames } from '../helpers/secret-names.ts';
import { aColleague } from '../helpers/states/accounts.ts';
import { ageCalls } from '../helpers/states/calls.ts';
import { untold } from '../helpers/untold.ts';

type Shown = Record<string, unknown> & { id: string };
type Page = { data: Shown[]; next_cursor: string | null };

const { world, api, key } = await useFlowApi();

test('what a run has asked of others is listed try by try, with its mappings and without its secrets', async () => {
  const { db, secrets, accountId } = world;
  const credential = { name: 'shop', type: 'bearer', hosts: ['127.0.0.1'], token: 'sk_live_verysecret' } as const;
  await createCredential({ ...untold(db), secrets }, accountId, { ...credential, hosts: [...credential.hosts] });
  const shop = await startReceiver({ respond: [503, { type: 'respond', body: '{"name": "Ada"}' }] });
  onTestFinished(() => shop.close());
  const { contactId } = await world.says('ada', 'hello');
  const block = {
    id: 'who',
    type: 'external_request',
    method: 'PUT',
    url: shop.url('/who'),
    credential: 'shop',
    body: '{"a": 1}',
    mapping: [{ path: '$.name', field: 'first_name' }],
    next: { error: null, timeout: null },
  };
  const runId = await world.enrol(contactId, await aFlow(db, accountId, { blocks: [block] }));
  await world.advance(runId);
  const run = { runId: showId('run', runId), resumes: 0 };
  await world.activities.callThirdParty(run, 1);
  await ageCalls(db, runId, { seconds: 1 });
  await world.activities.callThirdParty(run, 1);

  const path = `/v1/runs/${run.runId}/requests`;
  const { status, body, text } = await api.request<Page>('GET', path, { key });
  expect(status).toBe(200);
  expect(text).not.toContain('verysecret');
  expect(body.data).toMatchObject([
    {
      id: expect.stringMatching(/^req_/),
      step: 1,
      block_id: 'who',
      try: 2,
      state: 'answered',
      method: 'PUT',
      url: shop.url('/who'),
      idempotency_key: `${run.runId}:who:1`,
      request_headers: { authorization: '[redacted]', 'content-type': 'application/json' },
      request_body: '{"a": 1}',
      status_code: 200,
      response_body: '{"name": "Ada"}',
      response_truncated: false,
      reason: null,
      fields: [{ path: '$.name', field: 'first_name', type: 'text', outcome: 'set', value: 'Ada' }],
      port: 'success',
    },
    { try: 1, state: 'answered', status_code: 503, fields: [], port: null },
  ]);
  const first = await api.request<Page>('GET', `${path}?limit=1`, { key });
  const second = await api.request<Page>('GET', `${path}?limit=1&cursor=${first.body.next_cursor}`, { key });
  expect([...first.body.data, ...second.body.data]).toEqual(body.data);
});

test('an agent gets neither headers nor bodies nor tokens of the url', async () => {
  const { db, accountId } = world;
  const shop = await startReceiver({ respond: [{ type: 'respond', headers: { 'x-of': 'private' }, body: 'private' }] });
  onTestFinished(() => shop.close());
  const { contactId } = await world.says('carl', 'hello');
  const block = {
    id: 'who',
    type: 'external_request',
    method: 'POST',
    url: `${shop.url('/who')}?k=typed-secret`,
    body: '"private"',
    headers: { 'X-Of': 'private', 'X-Key': 'private', 'X-Trace': '{{run.id}} private' },
    next: { error: null, timeout: null },
  };
  const runId = await world.enrol(contactId, await aFlow(db, accountId, { blocks: [block] }));
  await world.advance(runId);
  await world.activities.callThirdParty({ runId: showId('run', runId), resumes: 0 }, 1);
  const agent = await createSession(db, await aColleague(db, accountId, 'agent'));
  const path = `/runs/${showId('run', runId)}/requests`;
  expect((await api.request('GET', `/v1${path}`, { key })).text).toContain('typed-secret');
  const { body, text } = await api.request<Page>('GET', `/dashboard/api${path}`, { session: agent });
  expect(text).not.toMatch(/typed-secret|private/);
  expect(body.data).toMatchObject([
    {
      url: `${shop.url('/who')}?k=…`,
      request_headers: null,
      request_body: null,
      response_headers: null,
      response_body: null,
      status_code: 200,
    },
  ]);
});

test('what is secret by the name of its header is redacted for editors, in whatever the service answers', async () => {
  const { db, accountId } = world;
  const { contactId } = await world.says('dora', 'hello');
  const settable = secretNames.filter((name) => !/^proxy-/i.test(name)).map((name) => `X-${name}`);
  for (let at = 0; at < settable.length; at += 20) {
    const headers = Object.fromEntries(settable.slice(at, at + 20).map((name) => [name, 'typed-secret']));
    const shop = await startReceiver({
      respond: [{ type: 'respond', headers: { ...headers, 'x-echo': 'typed-secret' }, body: '"typed-secret"' }],
    });
    onTestFinished(() => shop.close());
    const block = { id: 'who', type: 'external_request', method: 'GET', url: shop.url('/who'), headers };
    const next = { error: null, timeout: null };
    const runId = await world.enrol(contactId, await aFlow(db, accountId, { blocks: [{ ...block, next }] }));
    await world.advance(runId);
    await world.activities.callThirdParty({ runId: showId('run', runId), resumes: 0 }, 1);
    const { body, text } = await api.request<Page>('GET', `/v1/runs/${showId('run', runId)}/requests`, { key });
    const hidden = Object.fromEntries(Object.keys(headers).map((name) => [name.toLowerCase(), '[redacted]']));
    expect(body.data).toMatchObject([{ status_code: 200, request_headers: hidden, response_headers: hidden }]);
    expect(text).not.toContain('typed-secret');
  }
});

test("another account's run is 404", async () => {
  const { contactId } = await world.says('bob', 'hello');
  const say = { id: 'hello', type: 'send', messages: [{ text: 'Hello' }] };
  const runId = await world.enrol(contactId, await aFlow(world.db, world.accountId, { blocks: [say] }));
  const stranger = await api.createAccount();
  const answer = await api.request('GET', `/v1/runs/${showId('run', runId)}/requests`, { key: stranger.apiKey });
  expect(answer.status).toBe(404);
});

test('a request of a run keeps at most 16 kB of the headers of its answer', async () => {
  const headers = { 'x-large': Array<string>(20).fill('x'.repeat(1_000)), 'x-small': 'a' };
  const shop = await startReceiver({ respond: { type: 'respond', body: '{}', headers } });
  onTestFinished(() => shop.close());
  const { contactId } = await world.says('bea', 'hello');
  const next = { error: null, timeout: null };
  const block = { id: 'ask', type: 'external_request', method: 'GET', url: shop.url('/'), next };
  const runId = await world.enrol(contactId, await aFlow(world.db, world.accountId, { blocks: [block] }));
  await world.advance(runId);
  const run = { runId: showId('run', runId), resumes: 0 };
  await world.activities.callThirdParty(run, 1);
  const { body } = await api.request<Page>('GET', `/v1/runs/${run.runId}/requests`, { key });
  expect(body.data).toMatchObject([{ status_code: 200, response_headers: { 'x-small': 'a' } }]);
  expect(body.data[0]?.['response_headers']).not.toHaveProperty('x-large');
});
