import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { showId } from '../../../src/shared/ids.ts';
import { cancelRun } from '../../../src/shared/runs/life/cancel.ts';
import { startDeliveryWorld } from '../../helpers/delivery-world.ts';
import { withFlows, type FlowWorld } from '../../helpers/flow-world.ts';
import type { FlowBlocks } from '../../helpers/live-flows.ts';
import { startReceiver, type Receiver } from '../../helpers/receiver.ts';
import { makeRunOverdue } from '../../helpers/states/runs.ts';
import { runWorkers, startSuggesting, type RunningWorkers, type TemporalServer } from '../../helpers/temporal.ts';
import { saveHistory } from './save.ts';
import { servers } from './servers.ts';
import { walkUnreleased } from './unreleased.ts';

// Not a test: the recorder of runs of flows; see record.ts.

const ask = { id: 'size', type: 'ask', prompt: 'Size?' };

describe.each(servers)('runs $name', ({ isLive, start }) => {
  let temporal: TemporalServer & { stop: () => Promise<void> };
  let flows: FlowWorld;
  let third: Receiver;
  let workers: RunningWorkers;

  beforeAll(async () => {
    const [server, world, receiver] = await Promise.all([
      start(),
      startDeliveryWorld({ eager: isLive }),
      startReceiver(),
    ]);
    temporal = server;
    third = receiver;
    world.useClient(temporal.client);
    flows = await withFlows(world);
    workers = await runWorkers(temporal, world.activities);
  });

  afterAll(async () => {
    await workers.stop();
    await Promise.all([flows.stop(), third.close(), temporal.stop()]);
  });

  const enrolled = async (blocks: FlowBlocks) => {
    const run = await flows.enrolled(blocks);
    await flows.dispatcher.drain();
    return { ...run, workflowId: `run/${showId('run', run.runId)}` };
  };

  const untilWaiting = (runId: string, waiting: string) =>
    vi.waitUntil(async () => (await flows.run(runId)).waiting === waiting, { timeout: 60_000 });

  const save = (workflowId: string, name: string) => saveHistory(temporal.client, workflowId, name);

  if (isLive) {
    test('asked, answered', async () => {
      const { sender, runId, workflowId } = await enrolled([ask]);
      await untilWaiting(runId, 'reply');
      await flows.says(sender, 'M');
      await save(workflowId, 'run-flow.answered');
    });

    test('more blocks than one look enters', async () => {
      const send = (index: number) => ({ id: `send-${index}`, type: 'send', messages: [{ text: `${index}` }] });
      const { workflowId } = await enrolled(Array.from({ length: 25 }, (_, index) => send(index)));
      await save(workflowId, 'run-flow.long');
    });

    test('cancelled in its row, cancelled in the UI, and lost', async () => {
      const inRow = await enrolled([ask]);
      await untilWaiting(inRow.runId, 'reply');
      await flows.transact((tx) => cancelRun(tx, { runId: inRow.runId, reason: 'cancelled' }));
      await save(inRow.workflowId, 'run-flow.cancelled');
      const inUi = await enrolled([ask]);
      await untilWaiting(inUi.runId, 'reply');
      await temporal.client.workflow.getHandle(inUi.workflowId).cancel();
      await save(inUi.workflowId, 'run-flow.cancelled-in-ui');
      const lost = await enrolled([ask]);
      await untilWaiting(lost.runId, 'reply');
      await temporal.client.workflow.getHandle(lost.workflowId).terminate();
      await makeRunOverdue(flows.db, lost.runId);
      await flows.sweep();
      await flows.says(lost.sender, 'M');
      await save(`${lost.workflowId}/resume/1`, 'run-flow.resumed');
    }, 60_000);

    test('a failed run', async () => {
      const { workflowId } = await enrolled([
        { id: 'call', type: 'external_request', method: 'GET', url: third.url('/') },
      ]);
      third.respondWith(404);
      await save(workflowId, 'run-flow.failed');
    });

    test('what no release had before', async () => {
      const ended = await walkUnreleased({ flows, client: temporal.client, third });
      for (const [name, workflowId] of ended) await save(workflowId, name);
    }, 120_000);

    test('a call that is tried again', async () => {
      third.respondWith([503, 200]);
      const { workflowId } = await enrolled([
        { id: 'call', type: 'external_request', method: 'GET', url: third.url('/') },
      ]);
      await save(workflowId, 'run-flow.called');
    });
  } else {
    test('a delay, and an ask that nobody answers', async () => {
      const pause = { id: 'pause', type: 'delay', for: 'P3D' };
      const { workflowId } = await enrolled([pause, { ...ask, next: { timeout: null } }]);
      await save(workflowId, 'run-flow.timed-out');
    });
  }
});

test('a run that continues as new', async () => {
  const temporal = await startSuggesting(15);
  onTestFinished(() => temporal.teardown());
  const world = await startDeliveryWorld({ eager: false });
  world.useClient(temporal.client);
  const flows = await withFlows(world);
  const workers = await runWorkers(temporal, world.activities);
  onTestFinished(async () => {
    await workers.stop();
    await flows.stop();
  });
  const asks = ['one', 'two', 'three', 'four'].map((id) => ({ ...ask, id }));
  const { sender, runId } = await flows.enrolled(asks);
  const workflowId = `run/${showId('run', runId)}`;
  await flows.dispatcher.drain();
  const { runId: first } = await temporal.client.workflow.getHandle(workflowId).describe();
  for (const { id } of asks) {
    const asked = async () => {
      const run = await flows.run(runId);
      return run.blockId === id && run.waiting === 'reply';
    };
    await vi.waitUntil(asked, { timeout: 15_000 });
    await flows.says(sender, 'M');
  }
  await saveHistory(temporal.client, workflowId, 'run-flow.continues-as-new', first);
  await saveHistory(temporal.client, workflowId, 'run-flow.continued');
  const { searchAttributes, runId: last } = await temporal.client.workflow.getHandle(workflowId).describe();
  expect(last).not.toBe(first);
  expect(searchAttributes).toMatchObject({ AccountId: [showId('account', world.accountId)] });
}, 90_000);
