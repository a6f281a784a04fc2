import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import { cancelRun } from '../../src/shared/runs/life/cancel.ts';
import { startDeliveryWorld } from '../helpers/delivery-world.ts';
import { withFlows, type FlowWorld } from '../helpers/flow-world.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { runWorkers, startSuggesting, type RunningWorkers } from '../helpers/temporal.ts';

/** The server asks a workflow to continue as new after so few events that a run does so whenever it goes on. */
let temporal: Awaited<ReturnType<typeof startSuggesting>>;
let flows: FlowWorld;
let shop: Receiver;
let workers: RunningWorkers;
beforeAll(async () => {
  const [server, world, receiver] = await Promise.all([
    startSuggesting(4),
    startDeliveryWorld({ eager: false }),
    startReceiver({ respond: { type: 'hang' } }),
  ]);
  world.useClient(server.client);
  [temporal, shop, flows] = [server, receiver, await withFlows(world)];
  workers = await runWorkers(temporal, world.activities);
});
afterAll(async () => {
  await workers.stop();
  await Promise.all([flows.stop(), shop.close(), temporal.teardown()]);
});

const soon = { timeout: 60_000, interval: 20 };
const ask = { id: 'size', type: 'ask', prompt: 'Size?' };
const call = () => ({ id: 'stock', type: 'external_request', method: 'GET', url: shop.url('/'), timeout_ms: 60_000 });
const workflowOf = (runId: string) => temporal.client.workflow.getHandle(`run/${showId('run', runId)}`);

const inUi = { how: "in Temporal's UI", cancel: (runId: string) => workflowOf(runId).cancel() };
const inRow = {
  how: 'in its row',
  cancel: (runId: string) => flows.transact((tx) => cancelRun(tx, { runId, reason: 'cancelled' })),
};

test.each([
  { ...inUi, where: 'that waits', waiting: 'reply', block: () => ask },
  { ...inUi, where: 'in mid-call', waiting: 'call', block: call },
  { ...inRow, where: 'that waits', waiting: 'reply', block: () => ask },
])('a run $where that is to continue as new and is cancelled $how is cancelled', async ({ cancel, waiting, block }) => {
  const { runId, sender } = await flows.enrolled([{ ...ask, id: 'first' }, block()]);
  await vi.waitFor(async () => expect((await flows.run(runId)).blockId).toBe('first'), soon);
  const { runId: first } = await workflowOf(runId).describe();
  await flows.says(sender, 'M');
  await vi.waitFor(async () => {
    expect(await flows.run(runId)).toMatchObject({ blockId: block().id, waiting });
    // Else nothing would be tested: the server does ask.
    expect((await workflowOf(runId).describe()).runId).not.toBe(first);
  }, soon);
  await cancel(runId);
  expect(await workflowOf(runId).result()).toMatchObject({ status: 'cancelled' });
  expect(await flows.run(runId)).toMatchObject({ status: 'cancelled' });
  expect(await flows.db`select from runs where id = ${runId} and sweep_at is not null`).toEqual([]);
});
