import { Worker } from '@temporalio/worker';
import { beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { createCredential } from '../../src/shared/credentials/manage.ts';
import { createField } from '../../src/shared/custom-fields/manage.ts';
import { showId } from '../../src/shared/ids.ts';
import { cancelRun } from '../../src/shared/runs/life/cancel.ts';
import { withFlows } from '../helpers/flow-world.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { useLiveWorld } from '../helpers/live-world.ts';
import { startReceiver, type Answer, type Receiver } from '../helpers/receiver.ts';
import { makeRunOverdue } from '../helpers/states/runs.ts';
import { shownOf } from '../helpers/temporal.ts';
import { untold } from '../helpers/untold.ts';

/** Whether processes of the version before are gone for good. */
let settled = true;
const live = await useLiveWorld({ settled: () => settled });
const flows = await withFlows(live.world);
await createField(untold(flows.db), flows.accountId, { key: 'left', name: 'Left', type: 'number' });

let shop: Receiver;
beforeEach(async () => {
  shop = await startReceiver();
  onTestFinished(() => shop.close());
});

const soon = { timeout: 60_000, interval: 20 };

const untilOver = (id: string, status: string) =>
  vi.waitFor(async () => expect((await flows.run(id)).status).toBe(status), soon);

const workflowOf = (runId: string) => live.temporal.client.workflow.getHandle(`run/${showId('run', runId)}`);

/** Too long for a workflow task: `local-requests.test.ts` has those. */
const call = (id: string, method: string, more: object = {}) => ({
  id,
  type: 'external_request',
  method,
  url: shop.url(`/${id}`),
  timeout_ms: 60_000,
  ...more,
});

test('GET, POST, PUT and DELETE arrive with headers and templated bodies, and what they answer is used later', async () => {
  shop.respondWith(({ path }) => ({ type: 'respond', body: path === '/read' ? '{"left": 3}' : '{}' }));
  const more = { headers: { 'X-Run': '{{run.id}}' }, body: '{"left": {{left}}}' };
  const { contactId, runId } = await flows.enrolled([
    call('read', 'GET', { mapping: [{ path: '$.left', field: 'left' }] }),
    call('create', 'POST', more),
    call('replace', 'PUT', more),
    call('remove', 'DELETE', more),
    { id: 'tell', type: 'send', messages: [{ text: '{{left}} left' }] },
  ]);
  await untilOver(runId, 'completed');
  expect(shop.requests.map(({ method, path, rawBody }) => [method, path, rawBody.toString()])).toEqual([
    ['GET', '/read', ''],
    ['POST', '/create', '{"left": 3}'],
    ['PUT', '/replace', '{"left": 3}'],
    ['DELETE', '/remove', '{"left": 3}'],
  ]);
  expect(shop.requests[1]?.headers['x-run']).toBe(showId('run', runId));
  expect(await flows.sentTo(contactId)).toEqual(['3 left']);
});

test.each([
  ['by its start, and in the result of its attempt', true, 0],
  ['by asking, while processes of the version before may carry it', false, 2],
])('a workflow hears of a request and what follows it %s', async (_how, isSettled, asked) => {
  settled = isSettled;
  onTestFinished(() => void (settled = true));
  const { contactId, runId } = await flows.enrolled([
    call('read', 'GET'),
    { id: 'tell', type: 'send', messages: [{ text: 'done' }] },
  ]);
  await untilOver(runId, 'completed');
  await workflowOf(runId).result();
  const history = await workflowOf(runId).fetchHistory();
  expect(history.events?.filter(({ markerRecordedEventAttributes: marker }) => marker)).toHaveLength(asked);
  const options = { workflowBundle: { codePath: inject('workflowBundle') } };
  await expect(Worker.runReplayHistory(options, history)).resolves.toBeUndefined();
  expect(await flows.sentTo(contactId)).toEqual(['done']);
});

test('a message that comes during a request ends the wait behind it at once', async () => {
  shop.respondWith(async () => {
    await flows.says(sender, 'M');
    return { type: 'respond', body: '{}' };
  });
  const sender = 'early';
  const { contactId } = await flows.says(sender, 'hello');
  const first = { id: 'first', type: 'ask', prompt: 'Size?', expects: 'any' };
  const second = { ...first, id: 'second', prompt: 'Color?', early: 'take' };
  const flowId = await aFlow(flows.db, flows.accountId, { blocks: [first, call('stock', 'GET'), second] });
  const runId = await flows.enrol(contactId, flowId);
  await vi.waitFor(async () => expect((await flows.run(runId)).waiting).toBe('reply'), soon);
  await flows.says(sender, 'L');
  await untilOver(runId, 'completed');
  expect(await workflowOf(runId).result()).toEqual({ status: 'completed' });
});

test('a call is tried again after a timer, and no secret, url or answer stands in history', async () => {
  const { db, accountId, secrets } = flows;
  const shopKey = { name: 'shop', type: 'bearer', hosts: ['127.0.0.1'], token: 'sk_live_verysecret' } as const;
  await createCredential({ ...untold(db), secrets }, accountId, { ...shopKey, hosts: [...shopKey.hosts] });
  shop.respondWith([503, { type: 'respond', body: '{"left": "private answer"}' }]);
  const typed = { headers: { Authorization: 'Bearer typed-secret' } };
  const { runId } = await flows.enrolled([
    call('stock', 'PUT', {
      ...typed,
      credential: 'shop',
      body: '{"of": "private text"}',
      next: { success: null, error: null },
    }),
  ]);
  await untilOver(runId, 'completed');
  expect(shop.requests).toHaveLength(2);
  await workflowOf(runId).result();
  const history = await workflowOf(runId).fetchHistory();
  const texts: string[] = [];
  const read = (value: unknown): void => {
    if (value instanceof Uint8Array) texts.push(Buffer.from(value).toString());
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(read);
    else texts.push(String(value));
  };
  read(history);
  const text = texts.join('\n');
  expect(text).toContain('stock');
  expect(text).not.toMatch(/verysecret|typed-secret|private|127\.0\.0\.1/);
});

test('requests for items follow one another without a pass, and show which one failed', async () => {
  shop.respondWith(({ path }) => (path === '/private%20b' ? 404 : 200));
  const items = '["a", "private b", "c", "d"]';
  const each = { url: shop.url('/{{item}}'), for_each: { items, on_error: 'continue' } };
  const { runId } = await flows.enrolled([call('each', 'GET', each)]);
  await untilOver(runId, 'completed');
  expect(await workflowOf(runId).result()).toEqual({ status: 'completed' });
  expect(shop.requests.map(({ path }) => path)).toEqual(['/a', '/private%20b', '/c', '/d']);
  const { details, summaries, failures } = await shownOf(live.temporal.client, `run/${showId('run', runId)}`);
  expect(details).toBe('**completed**; each: gave up on item 1 after 1 attempt, HTTP 404.');
  expect(summaries.filter((summary) => summary.startsWith('each:'))).toEqual([
    'each: request',
    'each: request, item 1',
    'each: request, item 2',
    'each: request, item 3',
  ]);
  expect(failures).toMatchObject([{ message: 'item 1, attempt 1: HTTP 404' }]);
  expect(summaries.filter((summary) => summary.startsWith('what is next'))).toEqual([]);
});

test('a list whose workflow is terminated goes on in another one, at the next item', async () => {
  let held: ((answer: Answer) => void) | undefined;
  shop.respondWith(({ path }) => {
    if (path !== '/b') return 200;
    return new Promise((resolve) => {
      held = resolve;
    });
  });
  const { runId } = await flows.enrolled([
    call('each', 'PUT', { url: shop.url('/{{item}}'), for_each: { items: '["a", "b", "c"]' } }),
  ]);
  await shop.waitFor(2);
  await workflowOf(runId).terminate();
  held?.(200);
  await vi.waitFor(async () => {
    const rows = await flows.db`select item_index, state from requests where run_id = ${runId} order by id`;
    expect(rows).toMatchObject([{ state: 'answered' }, { itemIndex: 1, state: 'answered' }]);
  }, soon);
  await makeRunOverdue(flows.db, runId);
  await vi.waitFor(async () => {
    await flows.sweep();
    expect((await flows.run(runId)).status).toBe('completed');
  }, soon);
  expect(shop.requests.map(({ path }) => path).filter((path) => path !== '/b')).toEqual(['/a', '/c']);
  expect(new Set(shop.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
});

describe.each([
  { how: "in Temporal's UI", cancel: (runId: string) => workflowOf(runId).cancel() },
  {
    how: 'in its row',
    cancel: (runId: string) => flows.transact((tx) => cancelRun(tx, { runId, reason: 'cancelled' })),
  },
])('a run that is cancelled $how', ({ cancel }) => {
  const endsSoon = async (runId: string) => {
    const startedMs = performance.now();
    await cancel(runId);
    expect(await workflowOf(runId).result()).toMatchObject({ status: 'cancelled' });
    expect(performance.now() - startedMs).toBeLessThan(20_000);
  };

  test('in mid-call ends soon, also when an answer has come before, and the call is broken off', async () => {
    shop.respondWith({ type: 'hang' });
    const { runId, sender } = await flows.enrolled([
      { id: 'ask', type: 'ask', prompt: 'Size?', expects: 'any' },
      call('stock', 'GET', { timeout_ms: 60_000 }),
    ]);
    await vi.waitFor(async () => expect((await flows.run(runId)).waiting).toBe('reply'), soon);
    await flows.says(sender, 'M');
    await shop.waitFor(1);
    await flows.says(sender, 'still there?');
    await endsSoon(runId);
    expect(await flows.db`select state, rendered from requests where run_id = ${runId}`).toMatchObject([
      { state: 'unknown', rendered: null },
    ]);
  });

  test('while it waits for its next try ends soon', async () => {
    shop.respondWith({ type: 'respond', status: 503, headers: { 'retry-after': '300' } });
    const { runId } = await flows.enrolled([call('stock', 'GET')]);
    await vi.waitFor(async () => expect((await flows.run(runId)).reason).toBe('next_try'), soon);
    await endsSoon(runId);
  });
});
