import { expect, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { showId } from '../../src/shared/ids.ts';
import { cancelRun } from '../../src/shared/runs/life/cancel.ts';
import { startApi } from '../helpers/api.ts';
import { startFlowWorld } from '../helpers/flow-world.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { aColleague } from '../helpers/states/accounts.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWebOf } from './helpers/web.ts';

const world = await startFlowWorld();
const api = await startApi({ world });
const web = await useWebOf(api, async () => {
  await api.stop();
  await world.stop();
});
const session = await createSession(world.db, await aColleague(world.db, world.accountId, 'editor'));

const blocks = [
  { id: 'ask', type: 'ask', prompt: 'Which size?', timeout: 'PT1H', next: { answered: 'day', timeout: null } },
  { id: 'day', type: 'delay', for: 'P1D' },
];

test('blocks show how runs went through them when that is switched on, and lead to those that are there', async () => {
  const { db, accountId, says, enrol, advance, transact } = world;
  const flowId = await aFlow(db, accountId, { blocks });
  const runs: string[] = [];
  for (const sender of ['one', 'two', 'three', 'four']) {
    const { contactId } = await says(sender, 'hello');
    runs.push(await enrol(contactId, flowId));
    await advance(runs.at(-1) ?? '');
  }
  await says('one', 'L');
  await advance(runs[0] ?? '');
  await transact((tx) => cancelRun(tx, { accountId, runId: runs[1] ?? '', reason: 'cancelled' }));
  const page = await web.open(`/flows/${showId('flow', flowId)}?tab=builder`, { session });
  const ask = page.locator('.drawn-block').filter({ hasText: 'Which size?' });
  await ask.waitFor();
  expect(await page.locator('.block-numbers').count()).toBe(0);
  await page.getByRole('button', { name: 'Show numbers' }).click();
  const numbers = ask.locator('.block-numbers');
  await numbers.getByText('4 entered').waitFor();
  await numbers.getByText('1 cancelled').waitFor();
  expect(await numbers.getAttribute('title')).toBe('4 entered = 1 went on + 1 cancelled + 2 here now');
  const portOf = (name: string) => ask.locator('.port-row').filter({ hasText: name }).locator('.port-count');
  expect([await portOf('answered').textContent(), await portOf('timeout').textContent()]).toEqual(['1', '0']);
  expect(await findBarriers(page)).toEqual([]);
  await numbers.getByRole('link', { name: '2 here' }).click();
  await page.waitForURL('**/flows/*?tab=runs&block=ask');
});
