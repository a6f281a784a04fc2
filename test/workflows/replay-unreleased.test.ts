import { Worker } from '@temporalio/worker';
import { expect, inject, onTestFinished, test } from 'vitest';
import { withFlows } from '../helpers/flow-world.ts';
import { useLiveWorld } from '../helpers/live-world.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { walkUnreleased } from './histories/unreleased.ts';

const live = await useLiveWorld();

test('bulk retries and what runs do that no release had yet replay from the histories that they have just made', async () => {
  const third = await startReceiver();
  onTestFinished(() => third.close());
  const { client } = live.temporal;
  const ended = await walkUnreleased({ flows: await withFlows(live.world), client, third });
  expect(ended.size).toBe(6);
  const options = { workflowBundle: { codePath: inject('workflowBundle') } };
  for (const [name, workflowId] of ended) {
    const history = await client.workflow.getHandle(workflowId).fetchHistory();
    await expect(Worker.runReplayHistory(options, history, name)).resolves.toBeUndefined();
  }
}, 120_000);
