import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readId, showId } from '../../../src/shared/ids.ts';
import { deliveriesOf } from '../../helpers/items.ts';
import { runWorkers, startDevServer } from '../../helpers/temporal.ts';
import { startFurnishedAccount } from '../helpers/furnished/account.ts';
import { passTwoDays } from '../helpers/furnished/past-days.ts';
import { broughtTo, call, callAsOwner } from '../helpers/furnished/setting.ts';
import { write } from '../helpers/furnished/talks.ts';
import { asWritten } from '../helpers/furnished/wording.ts';
import { followLoading } from '../helpers/settled.ts';
import { startWeb } from '../helpers/web.ts';
import { mostBytes, take } from './take.ts';

/** The pictures of the documents, of an account of a shop. */
const [{ api, setting, webhooks, sessions, values, stop }, temporal] = await Promise.all([
  startFurnishedAccount(asWritten),
  startDevServer(),
]);
const { world, account } = setting;
const web = await startWeb(api);
world.useClient(temporal.client);
const workers = await runWorkers(temporal, world.activities);
afterAll(async () => {
  await web.stop();
  await workers.stop();
  await stop();
  await temporal.stop();
});

let failing = '';
beforeAll(async () => {
  await callAsOwner(setting, 'PATCH', '/profile', { name: 'Ada Lovelace' });
  await call(setting, 'POST', `/flows/${values['flows']?.[0]}/versions/2/restore`);
  const [flowId] = values['flows'] ?? [];
  await passTwoDays(world.db, {
    accountId: account.accountId,
    webhookId: webhooks.well,
    flowId: readId('flow', flowId ?? ''),
  });
  const say = () => write(setting, { external_id: 'visitor-2' }, 'Is anybody there?');
  [failing = ''] = await broughtTo(setting, webhooks.failing, say);
  for (const row of deliveriesOf(world.dispatched)) if (row.id === failing) await world.outbox.send(row);
});

type Opened = { page: Page; settled: () => Promise<void> };

const openAt = async (path: string, height: number, colorScheme: 'light' | 'dark' = 'light'): Promise<Opened> => {
  const page = await web.open('/sign-in', { session: sessions.owner, viewport: { width: 1280, height }, colorScheme });
  const { settled } = followLoading(page);
  await page.goto(`${api.url}${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled();
  return { page, settled };
};

test.for([
  ['dashboard-overview', '/', 940],
  ['dashboard-inbox', '/inbox', 720],
  ['dashboard-conversation', `/inbox/${values['inbox']?.[0]}`, 860],
  ['dashboard-flow', `/flows/${values['flows']?.[0]}`, 960],
  ['dashboard-delivery-log', '/settings/logs/delivery?status=all', 860],
  ['dashboard-disabled-webhook', `/settings/webhooks/${values['webhooks']?.[1]}`, 860],
] as const)('%s', async ([name, path, height]) => {
  expect(await take((await openAt(path, height)).page, name)).toBeLessThan(mostBytes);
});

test('dashboard-overview-dark', async () => {
  expect(await take((await openAt('/', 940, 'dark')).page, 'dashboard-overview-dark')).toBeLessThan(mostBytes);
});

test('a run: its path, and what the shop responded', async () => {
  const { page, settled } = await openAt(`/runs/${values['runs']?.[0]}`, 1060);
  await page.getByRole('button', { name: /Attempt 1/ }).click();
  await settled();
  expect(await take(page, 'dashboard-run')).toBeLessThan(mostBytes);
});

test('a delivery that is retried, here and in Temporal’s UI', { timeout: 240_000 }, async () => {
  // The third begins a minute and a half after the first.
  await expect.poll(async () => (await world.attempts(failing)).length, { timeout: 115_000, interval: 200 }).toBe(3);
  const id = showId('delivery', failing);
  expect(await take((await openAt(`/settings/logs/delivery/${id}`, 980)).page, 'dashboard-delivery')).toBeLessThan(
    mostBytes,
  );
  const page = await web.open('/sign-in', { viewport: { width: 1280, height: 1060 }, locale: 'en-US' });
  await page.goto(`${temporal.uiUrl}/namespaces/default/workflows/${encodeURIComponent(`delivery/${id}`)}`);
  await page.getByText('HTTP 500; retry 3 of 5').first().waitFor();
  expect(await take(page, 'delivery-workflow')).toBeLessThan(mostBytes);
  web.complaints();
});
