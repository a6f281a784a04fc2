import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { newUuid } from '../../src/shared/ids.ts';
import { createAccount } from '../../src/shared/accounts/create-account.ts';
import { startLiveApi } from '../helpers/live-world.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';

const live = await startLiveApi();
afterAll(live.stop);
const { api, key } = live;

let shop: Receiver;
beforeEach(async () => {
  shop = await startReceiver();
  onTestFinished(() => shop.close());
  shop.respondWith(({ path }) => (path.startsWith('/broken') ? 404 : { type: 'respond', body: '{}' }));
});

const soon = { timeout: 60_000, interval: 20 };

type Made = { id: string };
const call = async <Body = Made>(method: string, path: string, body?: object) =>
  api.request<Body>(method, `/v1${path}`, { key, ...(body && { body }) });

const made = async <Body = Made>(method: string, path: string, body?: object): Promise<Body> => {
  const answer = await call<Body>(method, path, body);
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.body;
};

const definitionOf = (path: string, more: object = {}) => ({
  schema_version: 1,
  start: 'stock',
  triggers: [],
  blocks: [
    {
      id: 'stock',
      type: 'external_request',
      method: 'POST',
      url: shop.url(path),
      headers: { 'X-Api-Key': 'typed-secret', 'X-Name': '{{first_name}}' },
      body: '{"name": "{{first_name}}", "sku": "{{params.sku}}"}',
      attempts: 1,
      ...more,
    },
  ],
});

/** A flow whose block has failed for contacts of these names. */
const failedFor = async (...names: string[]) => {
  const { id: flow } = await made('POST', '/flows', { name: newUuid(), definition: definitionOf('/broken') });
  await made('POST', `/flows/${flow}/publish`);
  const runs: string[] = [];
  for (const first_name of names) {
    const contact = await made('POST', '/contacts', { first_name });
    runs.push((await made('POST', `/contacts/${contact.id}/flows`, { flow_id: flow, params: { sku: 'T-1' } })).id);
  }
  for (const run of runs)
    await vi.waitFor(
      async () => expect((await made<{ status: string }>('GET', `/runs/${run}`)).status).toBe('failed'),
      soon,
    );
  return { flow, runs };
};

const publish = async (flow: string, definition: object) => {
  await made('PUT', `/flows/${flow}/draft`, { definition });
  await made('POST', `/flows/${flow}/publish`);
};

type Retry = Made & {
  workflow_url: string;
  status: string;
  total: number;
  retried: number;
  refused: number;
  version: number;
};

test('failed runs of a flow are counted by block, reason and version, and whether the live version has the block', async () => {
  const { flow } = await failedFor('Ada', 'Grace');
  const failures = () => made<{ counted: number; failures: object[] }>('GET', `/flows/${flow}/failures`);
  const stock = { block_id: 'stock', reason: 'status_404', flow_version: 1, runs: 2 };
  expect(await failures()).toMatchObject({ counted: 2, failures: [{ ...stock, is_in_live_version: true }] });
  const blocks = [{ id: 'stock', type: 'send', messages: [{ text: 'gone' }] }];
  await publish(flow, { schema_version: 1, start: 'stock', triggers: [], blocks });
  expect(await failures()).toMatchObject({ failures: [{ ...stock, is_in_live_version: false }] });
});

test('a preview renders the first requests by the new version for their contacts, hides secrets, and sends nothing', async () => {
  const { flow, runs } = await failedFor('Ada', 'Grace');
  await publish(flow, definitionOf('/fixed/{{params.sku}}', { body: '{"who": "{{first_name}}"}' }));
  const before = shop.requests.length;
  type Preview = { count: number; more: boolean; version: number; requests: object[] };
  const preview = await made<Preview>('POST', '/retries/preview', { flow_id: flow, block_id: 'stock' });
  expect(preview).toMatchObject({ version: 2, count: 2, more: false });
  expect(preview.requests).toMatchObject([
    {
      run_id: runs[0],
      method: 'POST',
      url: shop.url('/fixed/T-1'),
      idempotency_key: `${runs[0]}:stock:2`,
      request_headers: { 'x-api-key': '[redacted]', 'x-name': 'Ada' },
      request_body: '{"who": "Ada"}',
      items: null,
      problem: null,
    },
    { run_id: runs[1], request_body: '{"who": "Grace"}' },
  ]);
  expect(JSON.stringify(preview)).not.toContain('typed-secret');
  expect(shop.requests).toHaveLength(before);
});

test('a preview of a request for each item shows the one for the first item, and how many items there are', async () => {
  const { flow } = await failedFor('Ada');
  const each = { for_each: { items: '["a", "b"]' }, body: '{"item": {{item}}, "at": {{index}}}' };
  await publish(flow, definitionOf('/fixed/{{item}}', each));
  const preview = await made<{ requests: object[] }>('POST', '/retries/preview', { flow_id: flow, block_id: 'stock' });
  expect(preview.requests).toMatchObject([
    {
      url: shop.url('/fixed/a'),
      request_body: '{"item": "a", "at": 0}',
      idempotency_key: expect.stringMatching(/:stock:2:0$/),
      items: 2,
      problem: null,
    },
  ]);
  await publish(flow, definitionOf('/fixed/{{item}}', { ...each, for_each: { items: '[]' } }));
  expect(await made('POST', '/retries/preview', { flow_id: flow, block_id: 'stock' })).toMatchObject({
    requests: [{ items: 0, problem: expect.stringMatching(/empty list/) }],
  });
});

test('a preview says of a request that cannot be rendered why, and of a block without requests that there are none', async () => {
  const { flow } = await failedFor('Ada');
  await publish(flow, definitionOf('/fixed/{{params.none}}/left'));
  const ask = { flow_id: flow, block_id: 'stock' };
  const preview = await made<{ requests: { problem: string | null }[] }>('POST', '/retries/preview', ask);
  expect(preview.requests[0]?.problem).toMatch(/^url/);
  const blocks = [{ id: 'stock', type: 'send', messages: [{ text: 'gone' }] }];
  await publish(flow, { schema_version: 1, start: 'stock', triggers: [], blocks });
  expect(await made('POST', '/retries/preview', ask)).toMatchObject({ requests: null });
});

test('a bulk retry is started, listed and read, and its runs tell from which version they were moved', async () => {
  const { flow, runs } = await failedFor('Ada', 'Grace');
  await publish(flow, definitionOf('/fixed'));
  const started = await call<Retry>('POST', '/retries', { flow_id: flow, block_id: 'stock', reasons: ['status_404'] });
  expect(started.status).toBe(202);
  expect(started.body).toMatchObject({ version: 2, total: 2, reasons: ['status_404'], from_versions: null, pace: 20 });
  const { id } = started.body;
  await vi.waitFor(
    async () => expect(await made<Retry>('GET', `/retries/${id}`)).toMatchObject({ status: 'finished' }),
    soon,
  );
  expect(await made<Retry>('GET', `/retries/${id}`)).toMatchObject({ retried: 2, refused: 0 });
  const list = (query: string) => made<{ data: Made[] }>('GET', `/retries?flow_id=${flow}${query}`);
  expect((await list('')).data.map((row) => row.id)).toEqual([id]);
  expect((await list('&open=true')).data).toEqual([]);
  const moved = { step: 2, from_version: 1, to_version: 2 };
  for (const run of runs)
    await vi.waitFor(
      async () =>
        expect(await made('GET', `/runs/${run}`)).toMatchObject({
          status: 'completed',
          flow_version: 2,
          moves: [moved],
        }),
      soon,
    );
});

test('a second bulk retry of a block is refused with the one that is open, and an action on one that is over', async () => {
  const { flow } = await failedFor('Ada');
  const ask = { flow_id: flow, block_id: 'stock', pace: 1, reasons: ['nothing of the kind'] };
  await live.stopWorkers();
  onTestFinished(live.startWorkers);
  const { id, workflow_url: workflowUrl } = await made<Retry>('POST', '/retries', ask);
  expect(workflowUrl).toMatch(new RegExp(`/workflows/retry%2F${id}$`));
  const again = await call<{ error: { details: unknown } }>('POST', '/retries', ask);
  expect(again.status).toBe(409);
  expect(again.text).toContain(id);
  expect(await made('POST', `/retries/${id}/pause`)).toMatchObject({ status: 'paused' });
  expect(await made('POST', `/retries/${id}/cancel`)).toMatchObject({ status: 'cancelled', stop_reason: null });
  expect((await call('POST', `/retries/${id}/resume`)).status).toBe(409);
});

test('a bulk retry is refused for a block that the version lacks, an unknown version, a paused flow and a foreign one', async () => {
  const { flow, runs } = await failedFor('Ada');
  const ask = { flow_id: flow, block_id: 'stock' };
  const [run = ''] = runs;
  expect((await call('POST', '/retries', { ...ask, block_id: 'none' })).status).toBe(422);
  expect((await call('POST', '/retries', { ...ask, version: 7 })).status).toBe(404);
  expect((await call('POST', '/retries', { ...ask, run_ids: Array.from({ length: 101 }, () => run) })).status).toBe(
    422,
  );
  await made('POST', `/flows/${flow}/pause`);
  expect((await call('POST', '/retries', ask)).status).toBe(409);
  const owner = { name: 'Other', email: `${newUuid()}@example.com`, plan: 'business' } as const;
  const { apiKey: theirs } = await createAccount({ sql: api.db, secrets: api.deps.secrets }, owner);
  for (const [method, path] of [
    ['POST', '/v1/retries'],
    ['POST', '/v1/retries/preview'],
  ] as const)
    expect((await api.request(method, path, { key: theirs, body: ask })).status).toBe(404);
  expect((await api.request('GET', `/v1/flows/${flow}/failures`, { key: theirs })).status).toBe(404);
});

test('an account has at most five bulk retries open', async () => {
  await live.stopWorkers();
  onTestFinished(live.startWorkers);
  const open: string[] = [];
  for (let number = 0; number < 5; number += 1) {
    const { id: flow } = await made('POST', '/flows', { name: newUuid(), definition: definitionOf('/fixed') });
    await made('POST', `/flows/${flow}/publish`);
    open.push((await made<Retry>('POST', '/retries', { flow_id: flow, block_id: 'stock' })).id);
  }
  const { id: flow } = await made('POST', '/flows', { name: newUuid(), definition: definitionOf('/fixed') });
  await made('POST', `/flows/${flow}/publish`);
  const refused = await call('POST', '/retries', { flow_id: flow, block_id: 'stock' });
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('at most 5');
  for (const id of open) await made('POST', `/retries/${id}/cancel`);
});
