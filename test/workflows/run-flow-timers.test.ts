import { expect, test } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import type { FlowBlocks } from '../helpers/live-flows.ts';
import { withFlows } from '../helpers/flow-world.ts';
import { timersOf } from '../helpers/temporal.ts';
import { useLadderWorld } from '../helpers/ladder-world.ts';

const ladder = await useLadderWorld();
const flows = await withFlows(ladder.world);

const enrolled = async (blocks: FlowBlocks) => {
  const run = await flows.enrolled(blocks);
  const workflowId = `run/${showId('run', run.runId)}`;
  await flows.dispatcher.drain();
  const handle = ladder.env.client.workflow.getHandle(workflowId);
  return { ...run, workflowId, ended: () => handle.result() };
};

test('a delay of three days is one timer of three days', async () => {
  const { ended, workflowId, contactId } = await enrolled([
    { id: 'pause', type: 'delay', for: 'P3D' },
    { id: 'hello', type: 'send', messages: [{ text: 'Hello again' }] },
  ]);
  expect(await ended()).toEqual({ status: 'completed' });
  const [timer] = await timersOf(ladder.env.client, workflowId);
  expect(timer).toBeGreaterThan(3 * 86_400_000 - 5_000);
  expect(timer).toBeLessThanOrEqual(3 * 86_400_000);
  expect(await flows.sentTo(contactId)).toEqual(['Hello again']);
});

test('an ask that nobody answers leaves by its timeout', async () => {
  const { ended, runId, contactId } = await enrolled([
    { id: 'size', type: 'ask', prompt: 'Size?', timeout: 'PT1H', next: { timeout: 'late' } },
    { id: 'never', type: 'send', messages: [{ text: 'never' }], next: { default: null } },
    { id: 'late', type: 'send', messages: [{ text: 'Too late' }] },
  ]);
  expect(await ended()).toEqual({ status: 'completed' });
  expect(await flows.sentTo(contactId)).toEqual(['Size?', 'Too late']);
  expect(await flows.run(runId)).toMatchObject({ status: 'completed', blockId: 'late' });
});

test('two delays one after the other take the time of both', async () => {
  const { ended, workflowId } = await enrolled([
    { id: 'one', type: 'delay', for: 'P1D' },
    { id: 'two', type: 'delay', for: 'P2D' },
  ]);
  expect(await ended()).toEqual({ status: 'completed' });
  const timers = await timersOf(ladder.env.client, workflowId);
  expect(timers.map((ms) => Math.round(ms / 86_400_000))).toEqual([1, 2]);
});
