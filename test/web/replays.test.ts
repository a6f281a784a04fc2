import { afterAll, expect, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { aDelivery } from '../helpers/deliveries.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { aColleague } from '../helpers/states/accounts.ts';
import { findBarriers } from './helpers/axe.ts';
import { useLiveWeb } from './helpers/live-web.ts';

const { live, web } = await useLiveWeb();
const receiver = await startReceiver();
afterAll(() => receiver.close());

const { world } = live;
const { db, accountId } = world;
const sessionOf = async (role: 'agent' | 'editor') => createSession(db, await aColleague(db, accountId, role));

test('a bulk replay says first how many it would send, is paused, resumed and cancelled, and what it began arrives', async () => {
  const webhookId = await world.aWebhook({ url: receiver.url('/hook') });
  const lost = 40;
  for (let n = 0; n < lost; n += 1) await aDelivery(db, { accountId, webhookId, status: 'failed' });
  const session = await sessionOf('editor');
  const page = await web.open('/settings/logs/delivery', { session });
  await page.getByRole('button', { name: 'Replay in bulk' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(`${lost} deliveries would be sent. Starting them takes about 2 seconds.`).waitFor();
  await dialog.getByLabel('Deliveries started per second').fill('1');
  await dialog.getByText('Starting them takes about 40 seconds.').waitFor();
  expect(await findBarriers(page)).toEqual([]);

  await dialog.getByRole('button', { name: 'Start replay' }).click();
  await page.getByText('Running', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Running', { exact: true }).waitFor();
  await receiver.waitFor(2);
  await page.getByText(new RegExp(`^[1-9]\\d* of ${lost}$`)).waitFor();
  await page.getByRole('button', { name: 'Cancel replay' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel replay' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('Cancelled', { exact: true }).first().waitFor();
  await page.getByRole('link', { name: 'Show matching deliveries' }).waitFor();
  expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);

  await page.getByRole('main').getByRole('link', { name: 'Replays' }).click();
  await page.getByRole('table', { name: 'Replays' }).getByText('Cancelled', { exact: true }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(receiver.requests.length).toBeLessThan(lost);
});

test('a filter that a replay does not have is told, so that nobody sends more than the log shows', async () => {
  const page = await web.open('/settings/logs/delivery?event=new_contact', { session: await sessionOf('editor') });
  await page.getByRole('button', { name: 'Replay in bulk' }).click();
  const told = page.getByRole('dialog').getByText('Replays use only the filters webhook, status and time.');
  await expect.poll(() => told.count(), { timeout: 30_000 }).toBe(1);
});

test('a url with a time that is none, and with a webhook that is gone, is replayed by what is left of it', async () => {
  const gone = showId('webhook', newUuid());
  const path = `/settings/logs/delivery?since=yesterday&webhook_id=${gone}`;
  const page = await web.open(path, { session: await sessionOf('editor') });
  await page.getByRole('heading', { name: 'No matching deliveries' }).waitFor();
  await page.getByRole('button', { name: 'Replay in bulk' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('definition').getByText('Deleted webhook').waitFor();
  await dialog.getByText('From', { exact: true }).waitFor({ state: 'detached' });
  expect(await findBarriers(page)).toEqual([]);
});

test('an agent sees replays, and may not start one', async () => {
  const page = await web.open('/settings/logs/replays', { session: await sessionOf('agent'), colorScheme: 'dark' });
  await page.getByRole('link', { name: 'Open delivery log' }).or(page.getByRole('table')).first().waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.goto(`${live.api.url}/settings/logs/delivery`);
  await page.getByRole('heading', { name: 'Delivery log' }).waitFor();
  expect(await page.getByRole('button', { name: 'Replay in bulk' }).count()).toBe(0);
});
