import { Worker } from '@temporalio/worker';
import { beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { createContact } from '../../src/shared/contacts/queries.ts';
import { createField } from '../../src/shared/custom-fields/manage.ts';
import { showId } from '../../src/shared/ids.ts';
import { cancelRun } from '../../src/shared/runs/life/cancel.ts';
import { anAccount } from '../helpers/accounts.ts';
import { withFlows } from '../helpers/flow-world.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { useLiveWorld } from '../helpers/live-world.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { shownOf } from '../helpers/temporal.ts';
import { untold } from '../helpers/untold.ts';

/** Whether processes of the version before are gone for good. */
let settled = true;
const live = await useLiveWorld({ settled: () => settled });
const flows = await withFlows(live.world);

let shop: Receiver;
beforeEach(async () => {
  shop = await startReceiver();
  onTestFinished(() => shop.close());
});

const soon = { timeout: 60_000, interval: 20 };

const untilOver = (id: string, status = 'completed') =>
  vi.waitFor(async () => expect((await flows.run(id)).status).toBe(status), soon);

const workflowOf = (runId: string) => live.temporal.client.workflow.getHandle(`run/${showId('run', runId)}`);

const call = (id: string, more: object = {}) => ({
  id,
  type: 'external_request',
  method: 'PUT',
  url: shop.url(`/${id}`),
  ...more,
});

/** How many events a workflow has, and of which kinds the work in them is. */
const workOf = async (runId: string) => {
  await workflowOf(runId).result();
  const history = await workflowOf(runId).fetchHistory();
  const events = history.events ?? [];
  const of = (name: 'markerRecordedEventAttributes' | 'activityTaskScheduledEventAttributes') =>
    events.filter((event) => event[name]).length;
  return {
    history,
    events: events.length,
    here: of('markerRecordedEventAttributes'),
    ordinary: of('activityTaskScheduledEventAttributes'),
  };
};

/** How many short requests were to be made in workflow tasks, and how many as activities. */
const countPlaced = async () => {
  const metric = await live.world.metrics.registry.getSingleMetric('parley_short_requests_total')?.get();
  const of = (place: string) => metric?.values.find(({ labels }) => labels['place'] === place)?.value ?? 0;
  return { here: of('workflow_task'), activity: of('activity') };
};

const replays = async (history: Parameters<typeof Worker.runReplayHistory>[1]): Promise<void> => {
  const options = { workflowBundle: { codePath: inject('workflowBundle') } };
  await expect(Worker.runReplayHistory(options, history)).resolves.toBeUndefined();
};

test('a run with a short request has six events, and replays', async () => {
  const { runId, contactId } = await flows.enrolled([
    call('order'),
    { id: 'tell', type: 'send', messages: [{ text: 'done' }] },
  ]);
  await untilOver(runId);
  const { history, ...work } = await workOf(runId);
  expect(work).toEqual({ events: 6, here: 1, ordinary: 0 });
  expect(await flows.sentTo(contactId)).toEqual(['done']);
  await replays(history);
});

test('a run that only talks has five events, and its workflow asks for no pass', async () => {
  const { runId, contactId } = await flows.enrolled([{ id: 'tell', type: 'send', messages: [{ text: 'done' }] }]);
  await flows.drain();
  const { history, ...work } = await workOf(runId);
  expect(work).toEqual({ events: 5, here: 0, ordinary: 0 });
  expect(await workflowOf(runId).result()).toEqual({ status: 'completed' });
  expect(await flows.sentTo(contactId)).toEqual(['done']);
  await replays(history);
});

test('a request for each of many items adds one event for each', async () => {
  const items = JSON.stringify(Array.from({ length: 12 }, (_, index) => index));
  const { runId } = await flows.enrolled([call('each', { for_each: { items }, url: shop.url('/{{item}}') })]);
  await untilOver(runId);
  const { history, ...work } = await workOf(runId);
  expect(work).toEqual({ events: 5 + 12, here: 12, ordinary: 0 });
  expect(shop.requests).toHaveLength(12);
  await replays(history);
});

test.each([
  ['of more than ten seconds', true, { timeout_ms: 10_001 }],
  ['of a run that a process of the version before may carry', false, {}],
])('a request %s is an activity', async (_which, isSettled, more) => {
  settled = isSettled;
  onTestFinished(() => void (settled = true));
  const { runId } = await flows.enrolled([call('order', more)]);
  await untilOver(runId);
  expect(await workOf(runId)).toMatchObject({ ordinary: 1 });
});

describe('a request that gets no good answer', () => {
  test('is made again as an activity without another pass, and shows both attempts', async () => {
    shop.respondWith([503, 503, 200]);
    const { runId } = await flows.enrolled([call('order')]);
    await untilOver(runId);
    const { history, ...work } = await workOf(runId);
    expect(work).toMatchObject({ here: 1, ordinary: 2 });
    const { summaries, failures } = await shownOf(live.temporal.client, workflowOf(runId).workflowId);
    expect(summaries).toEqual(
      expect.arrayContaining(['order: HTTP 503; next attempt in 1 s', 'order: HTTP 503; next attempt in 2 s']),
    );
    expect(failures.map(({ message }) => message)).toEqual(['attempt 2: HTTP 503']);
    expect(new Set(shop.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    await replays(history);
  });

  test('and is not made again stays in the details of what the run waits for next', async () => {
    shop.respondWith(404);
    const { runId } = await flows.enrolled([
      call('order', { next: { error: 'size' } }),
      { id: 'size', type: 'ask', prompt: 'Size?', expects: 'any' },
    ]);
    await vi.waitFor(async () => expect((await flows.run(runId)).waiting).toBe('reply'), soon);
    await vi.waitFor(async () => {
      const { details } = await shownOf(live.temporal.client, workflowOf(runId).workflowId);
      expect(details).toMatch(/^\*\*size: waits for a reply until .*; order: gave up after 1 attempt, HTTP 404\.$/);
    }, soon);
  });
});

test('a run that is cancelled during a request in its workflow task breaks that off', async () => {
  shop.respondWith({ type: 'hang' });
  const { runId } = await flows.enrolled([call('order', { timeout_ms: 10_000 })]);
  await shop.waitFor(1);
  await flows.transact((tx) => cancelRun(tx, { runId, reason: 'cancelled' }));
  expect(await workflowOf(runId).result()).toMatchObject({ status: 'cancelled' });
  expect(await workOf(runId)).toMatchObject({ ordinary: 0 });
  // Not that its time was over.
  expect(await flows.db`select state from requests where run_id = ${runId}`).toMatchObject([{ state: 'unknown' }]);
});

test('a keyword that interrupts leaves a request to its end, and its answer is used later', async () => {
  await createField(untold(flows.db), flows.accountId, { key: 'left', name: 'Left', type: 'number' });
  const answer = Promise.withResolvers<void>();
  shop.respondWith(async () => {
    await answer.promise;
    return { type: 'respond', body: '{"left": 3}' };
  });
  const sender = 'interrupting';
  const ask = { id: 'size', type: 'ask', prompt: 'Size?', expects: 'any' };
  await aFlow(flows.db, flows.accountId, {
    triggers: [{ type: 'keyword', match: 'exact', words: ['help'], interrupt: true }],
    blocks: [{ ...ask, id: 'help', prompt: 'With what?' }],
  });
  const { contactId } = await flows.says(sender, 'hello');
  const order = call('order', { method: 'POST', mapping: [{ path: '$.left', field: 'left' }] });
  const more = { ...ask, id: 'more', prompt: '{{left}} left. More?' };
  const runId = await flows.enrol(contactId, await aFlow(flows.db, flows.accountId, { blocks: [ask, order, more] }));
  const untilSent = (text: string) =>
    vi.waitFor(async () => expect((await flows.sentTo(contactId)).at(-1)).toBe(text), soon);
  await untilSent('Size?');
  await flows.says(sender, 'M');
  await shop.waitFor(1);
  await flows.says(sender, 'help');
  await untilSent('With what?');
  answer.resolve();
  await vi.waitFor(async () => expect((await flows.run(runId)).waiting).toBe('foreground'), soon);
  await flows.says(sender, 'nothing');
  await untilSent('3 left. More?');
  expect(shop.requests).toHaveLength(1);
});

test('a request under way when a process stops is finished and recorded, and is not made again', async () => {
  const answer = Promise.withResolvers<void>();
  shop.respondWith(async () => {
    await answer.promise;
    return 200;
  });
  const { runId, contactId } = await flows.enrolled([
    call('order'),
    { id: 'tell', type: 'send', messages: [{ text: 'done' }] },
  ]);
  await shop.waitFor(1);
  const stopped = live.stopWorkers();
  answer.resolve();
  await stopped;
  expect(await flows.db`select state from requests where run_id = ${runId}`).toMatchObject([{ state: 'answered' }]);
  expect(await flows.sentTo(contactId)).toEqual(['done']);
  await live.startWorkers();
  await workflowOf(runId).result();
  expect(shop.requests).toHaveLength(1);
});

test("an account whose service hangs takes its share of the slots, and another one's requests stay in their tasks", async () => {
  const hanging = await startReceiver({ respond: { type: 'hang' } });
  onTestFinished(() => hanging.close());
  const slow = await aFlow(flows.db, flows.accountId, {
    reentry: 'allow',
    blocks: [call('slow', { method: 'GET', url: hanging.url('/'), timeout_ms: 10_000, next: { timeout: null } })],
  });
  const { accountId } = await anAccount(flows, { email: 'other@example.com' });
  const other = await withFlows({ ...live.world, accountId });
  const { id: contactId } = await flows.transact((tx) => createContact(tx, accountId, {}));
  const quick = await aFlow(flows.db, accountId, { blocks: [call('quick', { method: 'GET' })] });
  const { id: slowContact } = await flows.transact((tx) => createContact(tx, flows.accountId, {}));
  const before = await countPlaced();
  for (let count = 0; count < 30; count += 1) await flows.enrol(slowContact, slow);
  await hanging.waitFor(30);
  const placed = await countPlaced();
  expect(placed.activity - before.activity).toBeGreaterThanOrEqual(20);
  expect(placed.here - before.here).toBeLessThanOrEqual(10);
  const run = await other.enrol(contactId, quick);
  await vi.waitUntil(async () => (await other.run(run)).status === 'completed', soon);
  expect(await workOf(run)).toMatchObject({ here: 1, ordinary: 0 });
});

test('a process that stops ends the request under way, and leaves those that follow to its successor', async () => {
  const answer = Promise.withResolvers<void>();
  shop.respondWith(async () => {
    await answer.promise;
    return 200;
  });
  const items = JSON.stringify(Array.from({ length: 12 }, (_, index) => index));
  const { runId } = await flows.enrolled([call('each', { for_each: { items }, url: shop.url('/{{item}}') })]);
  await shop.waitFor(1);
  live.world.localRequests.close();
  const stopped = live.stopWorkers();
  answer.resolve();
  await stopped;
  const made = await flows.db`select state from requests where run_id = ${runId}`;
  expect(made.length).toBeLessThan(4);
  expect(made.every(({ state }) => state === 'answered')).toBe(true);
  await live.startWorkers();
  await workflowOf(runId).result();
  expect(shop.requests).toHaveLength(12);
});
