import { afterAll, beforeAll, expect, test } from 'vitest';
import { listFlows } from '../../../src/shared/flows/queries.ts';
import { cancelRun } from '../../../src/shared/runs/life/cancel.ts';
import { countOpenRuns } from '../../../src/shared/runs/counts.ts';
import { newUuid } from '../../../src/shared/ids.ts';
import { readStats } from '../../../src/shared/runs/stats.ts';
import { startFlowWorld, type FlowWorld } from '../../helpers/flow-world.ts';
import { aFlow } from '../../helpers/live-flows.ts';
import { haveManyRuns, haveManyWaiting, haveOneWaitingAtEach } from '../../helpers/states/runs.ts';

let world: FlowWorld;
beforeAll(async () => {
  world = await startFlowWorld();
});
afterAll(() => world.stop());

const askThenWait = [
  { id: 'ask_size', type: 'ask', prompt: 'Which size?', next: { invalid: null, timeout: null } },
  { id: 'a_day', type: 'delay', for: 'P1D' },
];

test('open runs of a flow are counted by block and by status; ended runs are not', async () => {
  const { db, accountId, says, enrol, advance, transact } = world;
  const flowId = await aFlow(db, accountId, { blocks: askThenWait });
  const enter = async (sender: string, advances: boolean, flow = flowId) => {
    const { contactId } = await says(sender, 'hello');
    const runId = await enrol(contactId, flow);
    if (advances) await advance(runId);
    return runId;
  };
  await enter('new', false);
  await enter('asked', true);
  await enter('asked too', true);
  const answered = await enter('answered', true);
  await says('answered', 'L');
  await advance(answered);
  const cancelled = await enter('gone', true);
  const cancelledLater = await enter('gone later', true);
  await says('gone later', 'M');
  await advance(cancelledLater);
  for (const runId of [cancelled, cancelledLater])
    await transact((tx) => cancelRun(tx, { accountId, runId, reason: 'cancelled' }));
  await enter('elsewhere', true, await aFlow(db, accountId, { blocks: askThenWait }));

  expect([...(await countOpenRuns(db, flowId))]).toEqual([
    { blockId: null, running: 1, waiting: 0 },
    { blockId: 'a_day', running: 0, waiting: 1 },
    { blockId: 'ask_size', running: 0, waiting: 2 },
  ]);
  const flows = await listFlows(db, accountId, { limit: 10 });
  expect(flows.map(({ openRunCount }) => openRunCount)).toEqual([1, 4]);
});

test('counting reads no more runs than it can show', async () => {
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

test('runs before their first block are counted up to the same cap, and 1,000 blocks are shown', async () => {
  const { db, accountId, says } = world;
  await says('lost', 'hello');
  const flowId = await aFlow(db, accountId, { blocks: askThenWait });
  await haveManyWaiting(db, { flowId, blockId: null, count: 10_002 });
  expect([...(await countOpenRuns(db, flowId))]).toEqual([{ blockId: null, running: 0, waiting: 10_001 }]);
  await haveOneWaitingAtEach(db, { flowId, blocks: 1_001 });
  const atBlocks = (await countOpenRuns(db, flowId)).filter(({ blockId }) => blockId !== null);
  expect(atBlocks).toHaveLength(1_000);
  expect(new Set(atBlocks.map(({ waiting }) => waiting))).toEqual(new Set([1]));
});

test('the statistics of a flow cover the latest 20,000 runs of its own account', async () => {
  const { db, accountId, says } = world;
  for (let sender = 0; sender < 10; sender += 1) await says(`often ${sender}`, 'hello');
  const flowId = await aFlow(db, accountId, { blocks: askThenWait });
  await haveManyRuns(db, flowId, 20_010);
  const since = new Date(Date.now() - 3_600_000);
  expect(await readStats(db, { accountId, flowId, since })).toMatchObject({ runs: 20_000 });
  expect(await readStats(db, { accountId: newUuid(), flowId, since })).toMatchObject({ runs: 0, blocks: [] });
});
