import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import { cancelRun } from '../../src/shared/runs/life/cancel.ts';
import { startFlowWorld } from '../helpers/flow-world.ts';

test('the log tells when a run starts and how it ends, with ids, and with nothing of contact or flow', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const world = await startFlowWorld({ log });
  onTestFinished(() => world.stop());
  const ask = { id: 'size', type: 'ask', prompt: 'Private prompt?', expects: 'number', retries: 0 };
  const enrolled = async () => {
    const { runId, ...rest } = await world.enrolled([ask]);
    await world.advance(runId);
    const { flowId } = await world.run(runId);
    const ids = {
      level: 30,
      run_id: showId('run', runId),
      account_id: showId('account', world.accountId),
      flow_id: showId('flow', flowId),
    };
    return { ...rest, runId, ids };
  };
  const completed = await enrolled();
  await world.says(completed.sender, '7');
  await world.advance(completed.runId);
  const failed = await enrolled();
  await world.says(failed.sender, 'private answer');
  await world.advance(failed.runId);
  const cancelled = await enrolled();
  await world.transact((tx) => cancelRun(tx, { runId: cancelled.runId, reason: 'cancelled' }));
  await world.advance(cancelled.runId);
  await world.advance(cancelled.runId);

  const took = { duration_ms: expect.any(Number) };
  expect(lines.filter(({ msg }) => String(msg).startsWith('run.'))).toEqual([
    { ...completed.ids, version: 1, msg: 'run.started' },
    { ...completed.ids, status: 'completed', reason: null, block_id: null, ...took, msg: 'run.ended' },
    { ...failed.ids, version: 1, msg: 'run.started' },
    { ...failed.ids, status: 'failed', reason: 'size: invalid', block_id: 'size', ...took, msg: 'run.ended' },
    { ...cancelled.ids, version: 1, msg: 'run.started' },
    { ...cancelled.ids, status: 'cancelled', reason: 'cancelled', block_id: 'size', ...took, msg: 'run.ended' },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/private/i);
});
