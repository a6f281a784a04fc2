import { afterAll, expect, test, vi } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { showId } from '../../src/shared/ids.ts';
import { withFlows } from '../helpers/flow-world.ts';
import { aFlow, anotherVersion } from '../helpers/live-flows.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { aColleague } from '../helpers/states/accounts.ts';
import { findBarriers } from './helpers/axe.ts';
import { useLiveWeb } from './helpers/live-web.ts';

const { live, web } = await useLiveWeb();
const shop = await startReceiver();
afterAll(() => shop.close());
shop.respondWith(({ path }) => (path === '/broken' ? 404 : { type: 'respond', body: '{}' }));

const flows = await withFlows(live.world);
const { db, accountId } = flows;
const sessionOf = async (role: 'agent' | 'editor') => createSession(db, await aColleague(db, accountId, role));

const blocks = (path: string) => [
  { id: 'stock', type: 'external_request', method: 'POST', url: shop.url(path), body: '{"size": "{{params.size}}"}' },
];

/** A flow whose block has failed for so many contacts, and its next version, which is fixed. */
const aFixedFlow = async (count: number) => {
  const flowId = await aFlow(db, accountId, { blocks: blocks('/broken') });
  const runs: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const { contactId } = await flows.says(`guest-${flowId}-${number}`, 'hello');
    runs.push(await flows.enrol(contactId, flowId, { size: `L-${number}` }));
  }
  for (const run of runs)
    await vi.waitFor(async () => expect((await flows.run(run)).status).toBe('failed'), { timeout: 60_000 });
  await anotherVersion(db, { accountId, flowId, blocks: blocks('/fixed') });
  return { flow: showId('flow', flowId), runs };
};

test('failed runs stand on the page of their flow by block and reason, and go on from there after a look at their requests', async () => {
  const { flow, runs } = await aFixedFlow(3);
  const page = await web.open(`/flows/${flow}?tab=runs`, { session: await sessionOf('editor') });
  const failed = page.getByRole('region', { name: 'Failed runs' });
  await failed.getByText('Failed at stock: 3 runs, the other service responded 404').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const before = shop.requests.length;
  await failed.getByRole('button', { name: 'Retry runs that failed at stock' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('3 runs would go on.').waitFor();
  await dialog.getByRole('group', { name: 'Body' }).first().getByText('{"size": "L-0"}').waitFor();
  expect(await dialog.getByText(`POST ${shop.url('/fixed')}`).count()).toBe(3);
  expect(await findBarriers(page)).toEqual([]);
  expect(shop.requests).toHaveLength(before);

  await dialog.getByRole('button', { name: 'Retry 3 runs' }).click();
  await page.getByRole('heading', { name: 'Retry from stock' }).waitFor();
  await page.getByText('Finished', { exact: true }).first().waitFor();
  await page.getByText('3 of 3').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('main').getByRole('link', { name: 'Retries' }).click();
  await page.getByRole('table', { name: 'Retries' }).getByText('Finished', { exact: true }).waitFor();
  await page.goto(`${live.api.url}/runs/${showId('run', runs[0] ?? '')}`);
  await page.getByText('Details', { exact: true }).first().click();
  await page.getByText('From version 1 to 2, at step 2,').waitFor();
});

test('an agent sees which runs failed, and no button', async () => {
  const { flow } = await aFixedFlow(1);
  const page = await web.open(`/flows/${flow}?tab=runs`, { session: await sessionOf('agent') });
  await page
    .getByRole('region', { name: 'Failed runs' })
    .getByText('Failed at stock: 1 run, the other service responded 404')
    .waitFor();
  expect(await page.getByRole('button', { name: 'Retry runs' }).count()).toBe(0);
});
