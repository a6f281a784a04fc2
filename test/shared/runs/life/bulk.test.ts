import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { cancelRuns, retryRuns } from '../../../../src/shared/runs/life/bulk.ts';
import type { Sql } from '../../../../src/shared/platform/db/connect.ts';
import { startFlowWorld, type FlowWorld } from '../../../helpers/flow-world.ts';
import { aFlow } from '../../../helpers/live-flows.ts';

let world: FlowWorld;
beforeAll(async () => {
  world = await startFlowWorld();
});
afterAll(() => world.stop());

const read = <Result>(select: (sql: Sql) => Promise<Result>): Promise<Result> => select(world.db);

test('cancelling in bulk takes open runs of the flow alone, some at a time, the oldest first', async () => {
  const { accountId, db } = world;
  const ask = { id: 'one', type: 'ask', prompt: 'Which?' };
  const [flowId, otherId] = [
    await aFlow(db, accountId, { blocks: [ask] }),
    await aFlow(db, accountId, { blocks: [ask] }),
  ];
  const runs: string[] = [];
  for (const name of ['dora', 'emmy', 'fay']) {
    const { contactId } = await world.says(name, 'Hello');
    runs.push(await world.enrol(contactId, flowId), await world.enrol(contactId, otherId));
  }
  const cancel = () => cancelRuns({ ...world, read, atOnce: 2 }, { accountId, flowId });
  const statuses = async () => Promise.all(runs.map(async (run) => (await world.run(run)).status));
  const open = 'running';
  expect(await cancel()).toEqual({ changed: 2, refused: 0, more: true });
  expect(await statuses()).toEqual(['cancelled', open, 'cancelled', open, open, open]);
  expect(await cancel()).toEqual({ changed: 1, refused: 0, more: false });
  expect(await statuses()).toEqual(['cancelled', open, 'cancelled', open, 'cancelled', open]);
});

test.for([
  ['cancels', cancelRuns],
  ['retries', retryRuns],
] as const)('a request that %s runs ends after twenty seconds, and says that there are others', async ([, change]) => {
  const { accountId, db } = world;
  const jump = { id: 'jump', type: 'delay', until: '{{params.when|default:"never"}}' };
  const flowId = await aFlow(db, accountId, { blocks: [jump] });
  for (const name of ['hal', 'ida', 'joe']) {
    const { contactId } = await world.says(`${name} ${change.name}`, 'Hello');
    const run = await world.enrol(contactId, flowId);
    if (change === retryRuns) await world.advance(run);
  }
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const transact: FlowWorld['transact'] = async (work) => {
    const result = await world.transact(work);
    vi.advanceTimersByTime(15_000);
    return result;
  };
  const once = () => change({ read, transact }, { accountId, flowId });
  expect(await once()).toEqual({ changed: 2, refused: 0, more: true });
  expect(await once()).toEqual({ changed: 1, refused: 0, more: false });
});

test('retrying in bulk leaves out runs of other blocks, and those replaced by another run', async () => {
  const { accountId, db } = world;
  const jump = { id: 'jump', type: 'delay', until: '{{params.when|default:"never"}}' };
  const flowId = await aFlow(db, accountId, { blocks: [jump] });
  const { contactId } = await world.says('gail', 'Hello');
  const run = await world.enrol(contactId, flowId);
  await world.advance(run);
  const deps = { ...world, read };
  expect(await retryRuns(deps, { accountId, flowId, blockId: 'other' })).toMatchObject({ changed: 0 });
  const again = await world.enrol(contactId, flowId);
  expect(await retryRuns(deps, { accountId, flowId })).toEqual({ changed: 0, refused: 0, more: false });
  await world.advance(again);
  expect(await retryRuns(deps, { accountId, flowId })).toEqual({ changed: 1, refused: 1, more: false });
});

test('retrying in bulk puts runs that fail again behind the others', async () => {
  const { accountId, db } = world;
  const jump = { id: 'jump', type: 'delay', until: '{{params.when|default:"never"}}' };
  const flowId = await aFlow(db, accountId, { blocks: [jump] });
  const runs: string[] = [];
  for (const name of ['ada', 'bea', 'cleo']) {
    const { contactId } = await world.says(name, 'Hello');
    runs.push(await world.enrol(contactId, flowId));
  }
  for (const run of runs) expect(await world.advance(run)).toMatchObject({ type: 'over' });

  const retry = async () => {
    const { changed, more } = await retryRuns({ ...world, read, atOnce: 2 }, { accountId, flowId, blockId: 'jump' });
    const open = await db<
      { id: string }[]
    >`select id from runs where flow_id = ${flowId} and ended_at is null order by id`;
    for (const { id } of open) await world.advance(id);
    return { changed, more, retried: open.map(({ id }) => runs.indexOf(id)) };
  };
  expect(await retry()).toEqual({ changed: 2, more: true, retried: [0, 1] });
  expect(await retry()).toEqual({ changed: 2, more: true, retried: [0, 2] });
  for (const run of runs) expect(await world.run(run)).toMatchObject({ status: 'failed', reason: 'invalid_date' });
});
