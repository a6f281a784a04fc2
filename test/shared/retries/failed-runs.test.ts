import { afterAll, beforeAll, expect, test } from 'vitest';
import { countFailed, listFailed, type FailedFilter } from '../../../src/shared/retries/failed-runs.ts';
import { listRuns } from '../../../src/shared/runs/queries.ts';
import type { Sql } from '../../../src/shared/platform/db/connect.ts';
import { newUuid } from '../../../src/shared/ids.ts';
import { rowsTouched } from '../../helpers/database.ts';
import { startFlowWorld, type FlowWorld } from '../../helpers/flow-world.ts';
import { aFlow } from '../../helpers/live-flows.ts';
import { haveManyFailed } from '../../helpers/states/runs.ts';

let world: FlowWorld;
let filter: FailedFilter;
beforeAll(async () => {
  world = await startFlowWorld();
  const { db, accountId } = world;
  await world.says('sender', 'hello');
  const blocks = ['stock', 'price'].map((id) => ({ id, type: 'send', messages: [{ text: id }] }));
  const flowId = await aFlow(db, accountId, { blocks });
  const other = await aFlow(db, accountId, { blocks });
  for (const count of [5_000, 5_000]) {
    await haveManyFailed(db, { flowId: other, blockId: 'stock', count });
    await haveManyFailed(db, { flowId, blockId: 'price', count });
    await haveManyFailed(db, { flowId, blockId: 'stock', count: 15 });
  }
  for (const flow of [other, flowId]) await haveManyFailed(db, { flowId: flow, blockId: 'price', count: 5_000 });
  filter = { accountId, flowId, blockId: 'stock', reasons: null, fromVersions: null, runIds: null, before: null };
});
afterAll(() => world.stop());

/** PostgreSQL plans a statement for its values five times. Then it may keep a plan for all values. */
const times = 7;

const touched = async (work: (sql: Sql) => Promise<unknown>): Promise<number> => {
  for (let time = 1; time < times; time += 1) await work(world.db);
  return rowsTouched(world.db, 'runs', work);
};

test('counting the failed runs of a block reads no failed runs of other blocks and flows', async () => {
  expect(await countFailed(world.db, filter)).toBe(30);
  expect(await touched((sql) => countFailed(sql, filter))).toBeLessThan(100);
});

test('a batch of failed runs of a block reads no failed runs of other blocks and flows', async () => {
  const [first] = await listFailed(world.db, filter, { after: null, limit: 1 });
  const after = first?.id ?? '';
  expect(await listFailed(world.db, filter, { after, limit: 20 })).toHaveLength(20);
  expect(await touched((sql) => listFailed(sql, filter, { after, limit: 20 }))).toBeLessThan(100);
});

test('a list of the runs that failed at a block reads no failed runs of other blocks and flows', async () => {
  const { accountId, flowId } = filter;
  const asked = {
    filter: { flow_id: flowId, block_id: 'stock', status: 'failed' },
    page: { limit: 11, before: newUuid() },
  } as const;
  expect(await listRuns(world.db, accountId, asked)).toHaveLength(11);
  expect(await touched((sql) => listRuns(sql, accountId, asked))).toBeLessThan(100);
});
