import { expect, test } from 'vitest';
import { retryRuns } from '../../../src/shared/runs/in-bulk.ts';
import { startFlowWorld } from '../../helpers/flow-world.ts';
import { aFlow } from '../../helpers/live-flows.ts';

test('failed runs are retried in bulk so that those that fail again come after the others', async () => {
  const world = await startFlowWorld();
  const { accountId, db } = world;
  const jump = { id: 'jump', type: 'delay', until: '{{params.when|default:"never"}}' };
  const flowId = await aFlow(db, accountId, { blocks: [jump] });
  const runs: string[] = [];
  for (const name of ['ada', 'bea', 'cleo']) {
    const { contactId } = await world.says(name, 'Hello');
    runs.push(await world.enrol(contactId, flowId));
  }
  for (const run of runs) expect(await world.look(run)).toMatchObject({ type: 'over' });

  const retry = async () => {
    const { changed, more } = await retryRuns({ ...world, sql: db, atOnce: 2 }, { accountId, flowId, blockId: 'jump' });
    const open = await db<{ id: string }[]>`select id from runs where ended_at is null order by id`;
    for (const { id } of open) await world.look(id);
    return { changed, more, retried: open.map(({ id }) => runs.indexOf(id)) };
  };
  expect(await retry()).toEqual({ changed: 2, more: true, retried: [0, 1] });
  expect(await retry()).toEqual({ changed: 2, more: true, retried: [0, 2] });
  for (const run of runs) expect(await world.run(run)).toMatchObject({ status: 'failed', reason: 'invalid_date' });
});
