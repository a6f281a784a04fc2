import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readId, showId } from '../../../src/shared/ids.ts';
import { deliveriesOf } from '../../helpers/items.ts';
import { runWorkers, startDevServer } from '../../helpers/temporal.ts';
import { fadedIn } from '../helpers/axe.ts';
import { startFurnishedAccount } from '../helpers/furnished/account.ts';
import { passTwoDays } from '../helpers/furnished/past-days.ts';
import { broughtTo } from '../helpers/furnished/setting.ts';
import { write } from '../helpers/furnished/talks.ts';
import { asWritten } from '../helpers/furnished/wording.ts';
import { followLoading } from '../helpers/settled.ts';
import { startWeb } from '../helpers/web.ts';

/** The pictures of the documents, of an account of a shop. */
const folder = fileURLToPath(new URL('../../../docs/images/', import.meta.url));

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

/** As many bytes as a picture of the documents may have. */
const most = 120_000;

/** Compressed as WebP, which only the browser's own protocol offers. Answers the bytes. */
const take = async (page: Page, name: string): Promise<number> => {
  await page.evaluate(fadedIn);
  const cdp = await page.context().newCDPSession(page);
  const { data } = await cdp.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
  const bytes = Buffer.from(data, 'base64');
  await writeFile(`${folder}${name}.webp`, bytes);
  return bytes.length;
};

const openAt = async (path: string, height: number): Promise<{ page: Page; settled: () => Promise<void> }> => {
  const page = await web.open('/sign-in', { session: sessions.owner, viewport: { width: 1280, height } });
  const { settled } = followLoading(page);
  await page.goto(`${api.url}${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled();
  return { page, settled };
};

test.for([
  ['dashboard-overview', '/', 940],
  ['dashboard-delivery-log', '/settings/logs/delivery?status=all', 860],
  ['dashboard-disabled-webhook', `/settings/webhooks/${values['webhooks']?.[1]}`, 860],
] as const)('%s', async ([name, path, height]) => {
  expect(await take((await openAt(path, height)).page, name)).toBeLessThan(most);
});

test('a run, with what the shop answered', async () => {
  const { page, settled } = await openAt(`/runs/${values['runs']?.[0]}`, 1060);
  await page.getByRole('button', { name: /Try 1/ }).click();
  await settled();
  expect(await take(page, 'dashboard-run')).toBeLessThan(most);
});

test('a delivery that is retried, here and in Temporal’s UI', { timeout: 240_000 }, async () => {
  // The third begins a minute and a half after the first.
  await expect.poll(async () => (await world.attempts(failing)).length, { timeout: 115_000, interval: 200 }).toBe(3);
  const id = showId('delivery', failing);
  expect(await take((await openAt(`/settings/logs/delivery/${id}`, 980)).page, 'dashboard-delivery')).toBeLessThan(
    most,
  );
  const page = await web.open('/sign-in', { viewport: { width: 1280, height: 1060 }, locale: 'en-US' });
  await page.goto(`${temporal.uiUrl}/namespaces/default/workflows/${encodeURIComponent(`delivery/${id}`)}`);
  await page.getByText('HTTP 500; retry 3 of 5').first().waitFor();
  expect(await take(page, 'delivery-workflow')).toBeLessThan(most);
  web.complaints();
});
