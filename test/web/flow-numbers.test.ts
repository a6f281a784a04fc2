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

test('the port at the head of a block shows how often it was taken, and failed leads to what failed at the block', async () => {
  const { db, accountId, says, enrol, advance } = world;
  const flowId = await aFlow(db, accountId, {
    blocks: [
      { id: 'greet', type: 'add_tag', tag: 'greeted', next: { default: 'stock' } },
      { id: 'stock', type: 'external_request', method: 'GET', url: 'https://127.0.0.1:9/', attempts: 1 },
    ],
  });
  const { contactId } = await says('five', 'hello');
  const runId = await enrol(contactId, flowId);
  await advance(runId);
  const { step } = await world.run(runId);
  await world.activities.callThirdParty({ runId: showId('run', runId), resumes: 0 }, step);
  const page = await web.open(`/flows/${showId('flow', flowId)}?tab=builder`, { session });
  await page.getByRole('button', { name: 'Show numbers' }).click();
  const greet = page.locator('.drawn-block').filter({ hasText: 'greeted' });
  const atHead = greet.locator('.port-count');
  await atHead.waitFor();
  expect(await atHead.getAttribute('data-is-at-head')).toBe('true');
  expect(await atHead.textContent()).toBe('1');
  await page.locator('.drawn-block').getByRole('link', { name: '1 failed' }).click();
  await page.waitForURL('**/flows/*?tab=runs&block=stock&status=failed');
  await page.getByRole('table').getByText('Failed').waitFor();
});
