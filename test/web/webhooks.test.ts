import type { Locator } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';
import { showId } from '../../src/shared/ids.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { aDelivery, failAttempts } from '../helpers/deliveries.ts';
import { startReceiver, type Receiver, type Script } from '../helpers/receiver.ts';
import { setRole } from '../helpers/states/accounts.ts';
import { disableWebhook } from '../helpers/states/webhooks.ts';

const { api, web } = await useWeb();

const returningIt: Script = ({ rawBody }) => ({ type: 'respond', body: rawBody });

const aReceiver = async (respond: Script): Promise<Receiver> => {
  const receiver = await startReceiver({ respond });
  onTestFinished(() => receiver.close());
  return receiver;
};

test('a newcomer adds a webhook, sees what the endpoint answered to the challenge, and verifies again until it consents', async () => {
  const { session } = await api.createAccount();
  const receiver = await aReceiver({ type: 'respond', status: 500, body: '<img src=x onerror=alert(1)> out of order' });
  const page = await web.open('/settings/webhooks', { session, colorScheme: 'dark' });
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  await page.getByRole('button', { name: 'Register by API instead' }).click();
  await page.getByText(`curl -X POST ${api.url}/v1/webhooks`).waitFor();
  expect(await findBarriers(page)).toEqual([]);

  await page.getByRole('button', { name: 'Add webhook' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add webhook' });
  await dialog.getByLabel('URL').fill('http://example.com/plain');
  await dialog.getByRole('switch', { name: 'All events' }).click();
  await dialog.getByRole('button', { name: 'Save and verify' }).click();
  await dialog.getByText('must have at least 1 item').waitFor();
  expect(await dialog.getByRole('checkbox', { name: /conversation_closed/ }).count()).toBe(0);
  await dialog.getByRole('checkbox', { name: /new_message/ }).check();
  await dialog.getByRole('button', { name: 'Save and verify' }).click();
  await expect.poll(() => dialog.getByLabel('URL').getAttribute('aria-invalid')).toBe('true');
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByLabel('URL').fill(receiver.url('/hook'));
  await dialog.getByRole('button', { name: 'Save and verify' }).click();

  const outcome = dialog.getByRole('status');
  await outcome.getByText('Endpoint not verified').waitFor();
  await outcome.getByText('The endpoint responded 500 instead of 200.').waitFor();
  await outcome.getByText('<img src=x onerror=alert(1)> out of order').waitFor();
  await outcome.getByText('127.0.0.1').first().waitFor();
  expect(await findBarriers(page)).toEqual([]);

  receiver.respondWith(returningIt);
  await dialog.getByRole('button', { name: 'Verify again' }).click();
  await outcome.getByText('Endpoint verified.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row', { name: receiver.url('/hook') });
  await row.getByText('Active').waitFor();
  await row.getByText('new_message').waitFor();
  expect(receiver.requests).toHaveLength(2);
});

test('the list tells both variants, which are disabled, why, since when, and what is kept for them', async () => {
  const { session, accountId } = await api.createAccount();
  const failing = await insertWebhook(api.deps, { accountId, url: 'https://a.example/failing' });
  await disableWebhook(api.db, failing);
  for (let made = 0; made < 3; made += 1) await aDelivery(api.db, { accountId, webhookId: failing, status: 'parked' });
  await insertWebhook(api.deps, { accountId, url: 'https://b.example/well', variant: 'dashboard' });
  const page = await web.open('/settings/webhooks', { session });
  const disabled = page.getByRole('row', { name: /failing/ });
  await disabled.getByText('Disabled').waitFor();
  await disabled.getByText('since').waitFor();
  await disabled.getByText('By API').waitFor();
  await disabled.getByRole('cell', { name: '3', exact: true }).waitFor();
  await page.getByRole('row', { name: /well/ }).getByText('By dashboard').waitFor();
  // A phone shows the first two columns.
  expect(await page.getByRole('columnheader').nth(1).textContent()).toBe('Status');
  expect(await findBarriers(page)).toEqual([]);
});

test('a webhook whose attempts fail says so before it is disabled, with its success rate of a day', async () => {
  const { session, accountId } = await api.createAccount();
  const webhookId = await insertWebhook(api.deps, { accountId, url: 'https://a.example/hook' });
  for (let made = 0; made < 2; made += 1) await aDelivery(api.db, { accountId, webhookId, status: 'delivered' });
  const retried = await aDelivery(api.db, { accountId, webhookId, status: 'pending' });
  await failAttempts(api.db, retried, { times: 2 });
  const page = await web.open('/settings/webhooks', { session });
  const row = page.getByRole('row', { name: /a\.example/ });
  await row.getByText('Failing').waitFor();
  await row.getByText('50.0%').waitFor();
  await row.getByRole('link').click();
  await page.getByText('This webhook is failing').waitFor();
  const day = page.getByRole('region', { name: 'Last 24 hours' });
  await day.getByText('4 attempts, 2 failed').waitFor();
  const last = page.getByRole('region', { name: 'Last deliveries' }).getByRole('row').nth(1);
  await last.getByText('500').waitFor();
  expect(await findBarriers(page)).toEqual([]);
});

test('a plan without webhooks says so, and offers none', async () => {
  const { session } = await api.createAccount({ plan: 'free' });
  const page = await web.open('/settings/webhooks', { session });
  await page.getByText('Your plan includes no webhooks').waitFor();
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  expect(await page.getByRole('button', { name: 'Add webhook' }).count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
});

test('agents are told that webhooks are not for them; editors add them', async () => {
  const { session, userId } = await api.createAccount();
  await setRole(api.db, userId, 'agent');
  const page = await web.open('/settings/webhooks', { session });
  await page.getByRole('heading', { name: 'You need the Editor role for this page' }).waitFor();
  await setRole(api.db, userId, 'editor');
  await page.reload();
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  expect(await page.getByRole('button', { name: 'Add webhook' }).count()).toBe(2);
});

test('a changed address takes force when it has passed its challenge, and a deleted webhook is gone', async () => {
  const { session, accountId } = await api.createAccount();
  const [before, next] = [await aReceiver(returningIt), await aReceiver(404)];
  const id = await insertWebhook(api.deps, { accountId, url: before.url('/before'), variant: 'dashboard' });
  const page = await web.open(`/settings/webhooks/${showId('webhook', id)}`, { session });
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit' });
  await dialog.getByLabel('URL').fill(next.url('/next'));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('New URL not verified').waitFor();
  await dialog.getByText('The endpoint responded 404 instead of 200.').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText(`Events still go to ${before.url('/before')}`).waitFor();
  await page.getByRole('status').getByText('Sent').waitFor();
  expect(await findBarriers(page)).toEqual([]);

  next.respondWith(returningIt);
  await page.getByRole('button', { name: 'Verify again' }).click();
  await page.getByText('Events still go to').waitFor({ state: 'hidden' });
  await page.getByRole('definition').getByText(next.url('/next')).waitFor();

  await page.getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: `Delete the webhook to 127.0.0.1:${next.port}/next?` });
  await question.getByText('are cancelled').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await question.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
});

test('a long address of a webhook stays within its column', async () => {
  const { session, accountId } = await api.createAccount();
  await insertWebhook(api.deps, { accountId, url: `https://a.example/${'long'.repeat(30)}` });
  const page = await web.open('/settings/webhooks', { session });
  const rightOf = async (place: Locator): Promise<number> => {
    const box = await place.boundingBox();
    return (box?.x ?? Infinity) + (box?.width ?? 0);
  };
  const cell = page.getByRole('row', { name: /a\.example/ }).getByRole('rowheader');
  const link = cell.getByRole('link');
  await link.waitFor();
  expect(await rightOf(link)).toBeLessThanOrEqual(await rightOf(cell));
});
