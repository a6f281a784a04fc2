import { afterAll, beforeAll, expect, test } from 'vitest';
import { listFlows } from '../../../src/shared/flows/queries.ts';
import { cancelRun } from '../../../src/shared/runs/cancel.ts';
import { countOpenRuns } from '../../../src/shared/runs/counts.ts';
import { startFlowWorld, type FlowWorld } from '../../helpers/flow-world.ts';
import { aFlow } from '../../helpers/live-flows.ts';
import { haveManyWaiting } from '../../helpers/states/runs.ts';

let world: FlowWorld;
beforeAll(async () => {
  world = await startFlowWorld();
});
afterAll(() => world.stop());

const askThenWait = [
  { id: 'ask_size', type: 'ask', prompt: 'Which size?', next: { invalid: null, timeout: null } },
  { id: 'a_day', type: 'delay', for: 'P1D' },
];

test('open runs are counted by the block that they are at and by status; those of other flows and those that have ended are not', async () => {
  const { db, accountId, says, enrol, look, transact } = world;
  const flowId = await aFlow(db, accountId, { blocks: askThenWait });
  const enter = async (sender: string, looks: boolean, flow = flowId) => {
    const { contactId } = await says(sender, 'hello');
    const runId = await enrol(contactId, flow);
    if (looks) await look(runId);
    return runId;
  };
  await enter('new', false);
  await enter('asked', true);
  await enter('asked too', true);
  const answered = await enter('answered', true);
  await says('answered', 'L');
  await look(answered);
  const cancelled = await enter('gone', true);
  await transact((tx) => cancelRun(tx, { accountId, runId: cancelled, reason: 'cancelled' }));
  await enter('elsewhere', true, await aFlow(db, accountId, { blocks: askThenWait }));

  expect([...(await countOpenRuns(db, flowId))]).toEqual([
    { blockId: null, running: 1, waiting: 0 },
    { blockId: 'a_day', running: 0, waiting: 1 },
    { blockId: 'ask_size', running: 0, waiting: 2 },
  ]);
  const flows = await listFlows(db, accountId, { limit: 10 });
  expect(flows.map(({ openRunCount }) => openRunCount)).toEqual([1, 4]);
});

test('of more runs than can be told no more are read than are counted', async () => {
  const { db, accountId, says } = world;
  await says('many', 'hello');
  const flowId = await aFlow(db, accountId, { blocks: askThenWait });
  await haveManyWaiting(db, { flowId, blockId: 'a_day', count: 30_000 });
  await haveManyWaiting(db, { flowId, blockId: 'ask_size', count: 5 });
  await db.begin(async (sql) => {
    expect([...(await countOpenRuns(sql, flowId))]).toEqual([
      { blockId: 'a_day', running: 0, waiting: 10_001 },
      { blockId: 'ask_size', running: 0, waiting: 5 },
    ]);
    const [read] = await sql<{ entries: number }[]>`
      select (pg_stat_get_xact_tuples_returned('runs'::regclass) + sum(pg_stat_get_xact_tuples_returned(indexrelid)))::int as entries
      from pg_index where indrelid = 'runs'::regclass`;
    expect(read?.entries).toBeLessThan(10_100);
  });
  const [flow] = await listFlows(db, accountId, { limit: 1 });
  expect(flow?.openRunCount).toBe(1_001);
});
