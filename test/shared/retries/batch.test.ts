import { afterAll, beforeAll, expect, test } from 'vitest';
import { findRetryRoom } from '../../../src/shared/retries/batch.ts';
import { insertRetry } from '../../../src/shared/retries/queries.ts';
import { rowsTouched } from '../../helpers/database.ts';
import { startFlowWorld, type FlowWorld } from '../../helpers/flow-world.ts';
import { aFlow } from '../../helpers/live-flows.ts';
import { haveManyWaiting } from '../../helpers/states/runs.ts';

let world: FlowWorld;
beforeAll(async () => {
  world = await startFlowWorld();
});
afterAll(() => world.stop());

test('a retry at a block where very many contacts wait reads a part of them to know its room', async () => {
  const { db, accountId } = world;
  await world.says('sender', 'hello');
  const blocks = [{ id: 'ask', type: 'ask', prompt: 'Which size?', next: { invalid: null, timeout: null } }];
  const flowId = await aFlow(db, accountId, { blocks });
  await haveManyWaiting(db, { flowId, blockId: 'ask', count: 12_000 });
  const all = { reasons: null, fromVersions: null, runIds: null };
  const retry = await insertRetry(db, { accountId, flowId, blockId: 'ask', version: 1, pace: 20, total: 1, ...all });
  let found: Awaited<ReturnType<typeof findRetryRoom>>;
  const touched = await rowsTouched(db, 'runs', async (sql) => {
    found = await findRetryRoom(sql, retry?.id ?? '');
  });
  expect(found).toEqual({ pace: 20, room: 500 });
  expect(touched).toBeLessThan(6_000);
});
