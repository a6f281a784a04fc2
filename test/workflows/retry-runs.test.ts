import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { changeFlow } from '../../src/shared/flows/manage.ts';
import { changeRetry, getRetry, prepareRetry, startRetry, type AskedRetry } from '../../src/shared/retries/manage.ts';
import { retryRun } from '../../src/shared/runs/life/retry.ts';
import { listMoves, listSteps } from '../../src/shared/runs/queries.ts';
import { withFlows } from '../helpers/flow-world.ts';
import { aFlow, anotherVersion, type FlowBlocks } from '../helpers/live-flows.ts';
import { useLiveWorld } from '../helpers/live-world.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { shownOf } from '../helpers/temporal.ts';
import { makeRetryOverdue } from '../helpers/states/retries.ts';
import { loseOutcome } from '../helpers/states/runs.ts';

const live = await useLiveWorld();
const flows = await withFlows(live.world);
const { db, accountId, transact } = flows;

let shop: Receiver;
beforeEach(async () => {
  shop = await startReceiver();
  onTestFinished(() => shop.close());
});

const soon = { timeout: 60_000, interval: 20 };

const stock = (path: string, more: object = {}) => ({
  id: 'stock',
  type: 'external_request',
  method: 'POST',
  url: shop.url(path),
  body: '{"run": "{{run.id}}"}',
  attempts: 1,
  ...more,
});

/** The blocks of a flow whose service answers 500 below `/broken`. */
const blocks = (path: string, more: object = {}): FlowBlocks => [
  stock(path, more),
  { id: 'tell', type: 'send', messages: [{ text: 'in stock' }] },
];

const fixed = () =>
  shop.respondWith(({ path }) => (path.startsWith('/broken') ? 500 : { type: 'respond', body: '{}' }));

/** A flow of these blocks, and runs of it by contacts of their own, which have all failed. */
const failed = async (count: number, of: FlowBlocks = blocks('/broken')) => {
  const flowId = await aFlow(db, accountId, { blocks: of });
  const runs: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const { contactId } = await flows.says(newUuid(), 'hello');
    runs.push(await flows.enrol(contactId, flowId));
  }
  if (count > 0) await untilAll(runs, 'failed');
  return { flowId, runs };
};

const untilAll = (runs: readonly string[], status: string) =>
  vi.waitFor(async () => {
    const rows = await db<{ status: string }[]>`select status from runs where id = any(${[...runs]})`;
    expect(new Set(rows.map((row) => row.status))).toEqual(new Set([status]));
  }, soon);

const start = async (asked: Partial<AskedRetry> & { flowId: string }) => {
  const prepared = await prepareRetry(db, {
    accountId,
    blockId: 'stock',
    reasons: null,
    fromVersions: null,
    runIds: null,
    pace: 200,
    ...asked,
  });
  const retry = await transact((tx) => startRetry(tx, prepared));
  await live.world.dispatcher.drain();
  return retry;
};

const workflowOf = (id: string, resumes = 0) =>
  live.temporal.client.workflow.getHandle(`retry/${showId('retry', id)}${resumes > 0 ? `/resume/${resumes}` : ''}`);

const read = (id: string) => getRetry(db, accountId, id);

const keysAt = (path: string) =>
  shop.requests.flatMap((request) => (request.path === path ? [String(request.headers['idempotency-key'])] : []));

test('failed runs of a block go on on a newer version, each once with a key of its own, and say where they came from', async () => {
  fixed();
  const { flowId, runs } = await failed(5);
  const version = await anotherVersion(db, { accountId, flowId, blocks: blocks('/fixed') });
  expect(version).toBe(2);
  const { id, total } = await start({ flowId });
  expect(total).toBe(5);
  expect(await workflowOf(id).result()).toBe('finished');
  expect(await read(id)).toMatchObject({ version: 2, status: 'finished', retried: 5, refused: 0 });
  await untilAll(runs, 'completed');
  expect(keysAt('/fixed').toSorted()).toEqual(runs.map((run) => `${showId('run', run)}:stock:2`).toSorted());
  for (const run of runs) {
    expect(await flows.run(run)).toMatchObject({ flowVersion: 2, status: 'completed' });
    expect(await listMoves(db, run)).toMatchObject([{ step: 2, fromVersion: 1, toVersion: 2 }]);
    const steps = await listSteps(db, run, { limit: 10 });
    expect(steps.map(({ blockId, visit, port }) => [blockId, visit, port])).toEqual([
      ['tell', 1, 'default'],
      ['stock', 2, 'success'],
      ['stock', 1, 'error'],
    ]);
  }
});

test("an operator reads in Temporal's UI what is retried, on which version, and how far it is", async () => {
  fixed();
  const { flowId } = await failed(2);
  await anotherVersion(db, { accountId, flowId, blocks: blocks('/fixed') });
  const { id } = await start({ flowId });
  await workflowOf(id).result();
  const shown = await shownOf(live.temporal.client, workflowOf(id).workflowId);
  expect(shown.details).toBe('**finished**: 2 of 2 runs retried.');
  expect(shown.summaries).toContain(
    `retry of 2 runs of ${showId('flow', flowId)} at stock, on version 2, 200 a second`,
  );
});

test('only runs of the chosen reasons and versions go on, and of an unknown outcome only where it is named', async () => {
  shop.respondWith(({ path }) => (path === '/fixed' ? 200 : path === '/broken' ? 500 : 404));
  const { flowId, runs } = await failed(2);
  await anotherVersion(db, { accountId, flowId, blocks: blocks('/missing') });
  const { contactId } = await flows.says(newUuid(), 'hello');
  const other = await flows.enrol(contactId, flowId);
  await untilAll([other], 'failed');
  await anotherVersion(db, { accountId, flowId, blocks: blocks('/fixed') });
  const by = async (filter: Partial<AskedRetry>) => {
    const { id } = await start({ flowId, ...filter });
    await workflowOf(id).result();
    return read(id);
  };
  expect(await by({ reasons: ['outcome_unknown'] })).toMatchObject({ total: 0, retried: 0 });
  expect(await by({ reasons: ['status_404'], fromVersions: [1] })).toMatchObject({ total: 0, retried: 0 });
  expect(await by({ reasons: ['status_404'] })).toMatchObject({ total: 1, retried: 1 });
  await untilAll([other], 'completed');
  expect(await by({ runIds: [runs[1] ?? ''] })).toMatchObject({ total: 1, retried: 1 });
  await untilAll(runs.slice(1), 'completed');
  expect((await flows.run(runs[0] ?? '')).status).toBe('failed');
});

test('a run whose request may have been carried out keeps its key, and goes on only where that is asked for', async () => {
  fixed();
  const { flowId, runs } = await failed(1);
  const [run = ''] = runs;
  await loseOutcome(db, run);
  await anotherVersion(db, { accountId, flowId, blocks: blocks('/fixed') });
  const all = await start({ flowId });
  expect(await workflowOf(all.id).result()).toBe('finished');
  expect(await read(all.id)).toMatchObject({ total: 0, retried: 0 });
  await expect(transact((tx) => retryRun(tx, { accountId, runId: run }))).rejects.toThrow(/may have been carried out/);
  await start({ flowId, reasons: ['outcome_unknown'] });
  await untilAll([run], 'completed');
  expect(keysAt('/fixed')).toEqual([`${showId('run', run)}:stock:1`]);
});

test('a run is refused whose block has another type in the version, and a version without the block is no target', async () => {
  fixed();
  const { flowId, runs } = await failed(1);
  await anotherVersion(db, {
    accountId,
    flowId,
    blocks: [{ id: 'stock', type: 'send', messages: [{ text: 'gone' }] }],
  });
  const { id } = await start({ flowId });
  await workflowOf(id).result();
  expect(await read(id)).toMatchObject({ status: 'finished', retried: 0, refused: 1 });
  expect(await flows.run(runs[0] ?? '')).toMatchObject({ status: 'failed', flowVersion: 1 });
  expect(await listMoves(db, runs[0] ?? '')).toEqual([]);
  await anotherVersion(db, { accountId, flowId, blocks: [{ id: 'other', type: 'end' }] });
  await expect(start({ flowId })).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(start({ flowId, version: 9 })).rejects.toMatchObject({ code: 'not_found' });
});

test('a run is refused whose contact is in the flow again, and it stays as it was', async () => {
  fixed();
  const { flowId, runs } = await failed(1);
  const version = await anotherVersion(db, {
    accountId,
    flowId,
    blocks: [{ id: 'ask', type: 'ask', prompt: 'Which?' }, ...blocks('/fixed')],
  });
  const { contactId } = await flows.run(runs[0] ?? '');
  await flows.enrol(contactId, flowId);
  const { id } = await start({ flowId, version });
  await workflowOf(id).result();
  expect(await read(id)).toMatchObject({ retried: 0, refused: 1 });
  expect(await flows.run(runs[0] ?? '')).toMatchObject({ status: 'failed', flowVersion: 1 });
});

test('a failed child goes on with the run that started it, which waits for it again and completes', async () => {
  fixed();
  const { flowId } = await failed(0);
  const parentFlow = await aFlow(db, accountId, {
    blocks: [
      { id: 'check', type: 'start_flow', flow_id: showId('flow', flowId) },
      { id: 'thank', type: 'send', messages: [{ text: 'thanks' }] },
    ],
  });
  const { contactId } = await flows.says(newUuid(), 'hello');
  const parent = await flows.enrol(contactId, parentFlow);
  await untilAll([parent], 'failed');
  const child = await flows.childOf(parent);
  await anotherVersion(db, { accountId, flowId, blocks: blocks('/fixed') });
  const { id } = await start({ flowId });
  expect(await workflowOf(id).result()).toBe('finished');
  expect(await read(id)).toMatchObject({ retried: 1, refused: 0 });
  await untilAll([child, parent], 'completed');
  expect(await flows.sentTo(contactId)).toEqual(['in stock', 'thanks']);
  expect(keysAt('/fixed')).toEqual([`${showId('run', child)}:stock:2`]);
  expect(await flows.run(parent)).toMatchObject({ flowVersion: 1 });
  expect(await db`select from runs where parent_run_id = ${parent}`).toHaveLength(1);
});

test('a child whose parent has gone on without it is refused', async () => {
  fixed();
  const { flowId } = await failed(0);
  const parentFlow = await aFlow(db, accountId, {
    blocks: [{ id: 'check', type: 'start_flow', flow_id: showId('flow', flowId) }],
  });
  const { contactId } = await flows.says(newUuid(), 'hello');
  const parent = await flows.enrol(contactId, parentFlow);
  await untilAll([parent], 'failed');
  const child = await flows.childOf(parent);
  await transact((tx) => retryRun(tx, { accountId, runId: parent }));
  await vi.waitFor(async () => expect(await flows.run(parent)).toMatchObject({ status: 'failed', step: 2 }), soon);
  await expect(transact((tx) => retryRun(tx, { accountId, runId: child }))).rejects.toThrow(
    /does not wait for it any more/,
  );
});

test('a bulk retry goes at its pace, pauses, resumes where it was, and takes no run twice', async () => {
  fixed();
  const { flowId, runs } = await failed(8);
  await anotherVersion(db, { accountId, flowId, blocks: blocks('/fixed') });
  const { id } = await start({ flowId, pace: 4 });
  await vi.waitFor(async () => expect((await read(id)).retried).toBeGreaterThan(1), soon);
  await transact((tx) => changeRetry(tx, accountId, { id, action: 'pause' }));
  expect(await workflowOf(id).result()).toBe('paused');
  const paused = await read(id);
  expect(paused.status).toBe('paused');
  expect(paused.retried).toBeLessThan(8);
  await transact((tx) => changeRetry(tx, accountId, { id, action: 'resume' }));
  await live.world.dispatcher.drain();
  expect(await workflowOf(id, 1).result()).toBe('finished');
  await untilAll(runs, 'completed');
  expect(await read(id)).toMatchObject({ retried: 8, refused: 0, status: 'finished' });
  expect(keysAt('/fixed').toSorted()).toEqual(runs.map((run) => `${showId('run', run)}:stock:2`).toSorted());
});

test.for(['pause', 'cancel'] as const)("the signal %s ends a bulk retry, also from Temporal's UI", async (signal) => {
  fixed();
  const { flowId, runs } = await failed(8);
  await anotherVersion(db, { accountId, flowId, blocks: blocks('/fixed') });
  const { id } = await start({ flowId, pace: 1 });
  await vi.waitFor(async () => expect((await read(id)).retried).toBeGreaterThan(0), soon);
  if (signal === 'pause') await workflowOf(id).signal('pause');
  else await workflowOf(id).cancel();
  const status = { pause: 'paused', cancel: 'cancelled' }[signal];
  expect(await workflowOf(id).result()).toBe(status);
  expect((await read(id)).status).toBe(status);
  expect(await db`select from runs where id = any(${runs}) and status = 'failed'`).not.toHaveLength(0);
});

test('a bulk retry stops when its flow is paused, and goes on once both are resumed', async () => {
  fixed();
  const { flowId, runs } = await failed(6);
  await anotherVersion(db, { accountId, flowId, blocks: blocks('/fixed') });
  const { id } = await start({ flowId, pace: 2 });
  await vi.waitFor(async () => expect((await read(id)).retried).toBeGreaterThan(0), soon);
  await transact((tx) => changeFlow(tx, { accountId, id: flowId }, 'pause'));
  expect(await workflowOf(id).result()).toBe('paused');
  expect(await read(id)).toMatchObject({ status: 'paused', stopReason: 'flow_paused' });
  await expect(transact((tx) => changeRetry(tx, accountId, { id, action: 'resume' }))).rejects.toThrow('paused');
  await transact((tx) => changeFlow(tx, { accountId, id: flowId }, 'resume'));
  await transact((tx) => changeRetry(tx, accountId, { id, action: 'resume' }));
  await live.world.dispatcher.drain();
  expect(await workflowOf(id, 1).result()).toBe('finished');
  await untilAll(runs, 'completed');
});

test('a run that fails again is left alone by the bulk retry that took it', async () => {
  shop.respondWith(() => 500);
  const { flowId, runs } = await failed(2);
  await anotherVersion(db, { accountId, flowId, blocks: blocks('/still-broken') });
  const { id } = await start({ flowId });
  expect(await workflowOf(id).result()).toBe('finished');
  await vi.waitFor(() => expect(keysAt('/still-broken')).toHaveLength(2), soon);
  await untilAll(runs, 'failed');
  expect(await read(id)).toMatchObject({ retried: 2 });
  expect(keysAt('/still-broken')).toHaveLength(2);
});

test('a bulk retry whose workflow is lost is carried on by the next one, and takes no run twice', async () => {
  fixed();
  const { flowId, runs } = await failed(8);
  await anotherVersion(db, { accountId, flowId, blocks: blocks('/fixed') });
  const { id } = await start({ flowId, pace: 2 });
  await vi.waitFor(async () => expect((await read(id)).retried).toBeGreaterThan(0), soon);
  await workflowOf(id).terminate();
  await makeRetryOverdue(db, id);
  await live.world.sweep();
  expect(await workflowOf(id, 1).result()).toBe('finished');
  await untilAll(runs, 'completed');
  expect(keysAt('/fixed').toSorted()).toEqual(runs.map((run) => `${showId('run', run)}:stock:2`).toSorted());
});
