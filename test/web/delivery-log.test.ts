import { expect, test } from 'vitest';
import { insertWebhook } from '../helpers/accounts.ts';
import { aDelivery } from '../helpers/deliveries.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const within = { timeout: 30_000 };

const statuses = ['pending', 'retrying', 'delivered', 'failed', 'dropped', 'parked', 'cancelled'] as const;

/** An account with two webhooks, and a delivery in each status to the first. */
const aFilledLog = async () => {
  const account = await api.createAccount();
  const { accountId } = account;
  const webhookId = await insertWebhook(api.deps, { accountId, url: 'https://shop.example/first' });
  const otherId = await insertWebhook(api.deps, { accountId, url: 'https://shop.example/second' });
  for (const status of statuses) await aDelivery(api.db, { accountId, webhookId, status });
  return { ...account, webhookId, otherId };
};

test('the log opens on what failed, was dropped or is being retried, and its url holds what was filtered by', async () => {
  const { session, accountId, otherId } = await aFilledLog();
  const failedId = await aDelivery(api.db, { accountId, webhookId: otherId, status: 'failed' });
  const page = await web.open('/settings/logs/delivery', { session });
  const rows = page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr');
  await expect.poll(() => rows.count(), within).toBe(4);
  await page.getByRole('combobox', { name: 'Webhook' }).click();
  await page.getByRole('option', { name: 'https://shop.example/second' }).click();
  await expect.poll(() => rows.count(), within).toBe(1);
  expect(new URL(page.url()).searchParams.get('webhook_id')).toBe(showId('webhook', otherId));
  await page.reload();
  await rows.first().getByRole('link', { name: 'new_message' }).click();
  await page.waitForURL(`**/settings/logs/delivery/${showId('delivery', failedId)}`);
  await page.goBack();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => rows.count(), within).toBe(4);

  await page.getByRole('button', { name: 'Quick ranges' }).click();
  await page.getByRole('menuitem', { name: 'Last hour' }).click();
  await page.getByRole('button', { name: 'Last hour' }).waitFor();
  await page.getByRole('columnheader', { name: 'Finished or next attempt' }).waitFor();
  expect(Date.parse(new URL(page.url()).searchParams.get('since') ?? '')).toBeLessThan(Date.now() - 3_599_000);
  await expect.poll(() => rows.count(), within).toBe(4);
});

test('each filter that the url names narrows the log: webhook, event, status, contact and time', async () => {
  const { session, accountId, webhookId, otherId } = await aFilledLog();
  const contactId = newUuid();
  await aDelivery(api.db, { accountId, webhookId, contactId, status: 'delivered' });
  const right = {
    webhook_id: showId('webhook', webhookId),
    event: 'new_message',
    status: 'delivered',
    contact_id: showId('contact', contactId),
    since: '2026-01-01T00:00:00.000Z',
    until: '2126-01-01T00:00:00.000Z',
  };
  const wrong = {
    webhook_id: showId('webhook', otherId),
    event: 'order_placed',
    status: 'dropped',
    contact_id: showId('contact', newUuid()),
    since: right.until,
    until: right.since,
  };
  const addressOf = (filters: object) => `/settings/logs/delivery?${new URLSearchParams({ ...filters }).toString()}`;
  const page = await web.open(addressOf(right), { session });
  const rows = page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr');
  await expect.poll(() => rows.count(), within).toBe(1);
  for (const [name, value] of Object.entries(wrong)) {
    await page.goto(`${api.url}${addressOf({ ...right, [name]: value })}`);
    await page.getByRole('heading', { name: 'No matching deliveries' }).waitFor();
    expect(new URL(page.url()).searchParams.get(name)).toBe(value);
  }
});

test('all statuses can be shown, each in words, and no barrier stands in light or dark', async () => {
  const { session } = await aFilledLog();
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await web.open('/settings/logs/delivery?status=all', { session, colorScheme });
    const table = page.getByRole('table', { name: 'Deliveries' });
    for (const status of statuses)
      await table.getByText(`${status[0]?.toUpperCase()}${status.slice(1)}`, { exact: true }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
  }
});

test('a contact that has no name leaves room for the last column', async () => {
  const { session, apiKey: key } = await aFilledLog();
  await api.request('POST', '/v1/contacts', { key, body: {} });
  const page = await web.open('/settings/logs/delivery?status=all', { session });
  const table = page.getByRole('table', { name: 'Deliveries' });
  await table.getByRole('link', { name: 'new_contact' }).first().waitFor();
  await table.getByRole('link', { name: /^con_/ }).first().waitFor();
  const box = await table.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(1280);
});

test('an empty log says what to do, and a filter that finds nothing is told apart from it', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/settings/logs/delivery', { session });
  await page.getByRole('heading', { name: 'No failed deliveries' }).waitFor();
  await page.getByRole('button', { name: 'Show all deliveries' }).click();
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor();
  expect(await page.getByRole('link', { name: 'Open webhooks' }).getAttribute('href')).toBe('/settings/webhooks');
  await page.goto(`${api.url}/settings/logs/delivery?event=new_contact`);
  await page.getByRole('heading', { name: 'No matching deliveries' }).waitFor();
});

test('times of the filter are of the zone of the browser, in winter and in summer', async () => {
  const { session } = await api.createAccount();
  const times = 'since=2026-01-15T10:00:00.000Z&until=2026-07-01T10:00:00.000Z';
  const page = await web.open(`/settings/logs/delivery?${times}`, { session, timezoneId: 'Europe/Berlin' });
  const [since, until] = [page.getByLabel('From', { exact: true }), page.getByLabel('Until', { exact: true })];
  expect([await since.inputValue(), await until.inputValue()]).toEqual(['2026-01-15T11:00', '2026-07-01T12:00']);
  await until.fill('2026-06-01T00:00');
  await expect.poll(() => new URL(page.url()).searchParams.get('until')).toBe('2026-05-31T22:00:00.000Z');
});

test('the year of a time is typed anew without the rest of it changing, and asked for when it is whole', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/settings/logs/delivery?since=2026-01-15T09:00:00.000Z', {
    session,
    timezoneId: 'Europe/Berlin',
  });
  const since = page.getByLabel('From');
  await expect.poll(() => since.inputValue()).toBe('2026-01-15T10:00');
  const asked: string[] = [];
  page.on('request', (request) => {
    const told = new URL(request.url()).searchParams.get('since');
    if (told !== null && request.url().includes('/dashboard/api/deliveries')) asked.push(told);
  });
  await since.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('2025');
  await expect.poll(() => new URL(page.url()).searchParams.get('since')).toBe('2025-01-15T09:00:00.000Z');
  await expect.poll(() => since.inputValue()).toBe('2025-01-15T10:00');
  // The list may have been asked for anew meanwhile, as it was and as it is.
  await expect.poll(() => asked.at(-1)).toBe('2025-01-15T09:00:00.000Z');
  expect(asked.filter((time) => !/^202[56]-01-15T09:00:00.000Z$/.test(time))).toEqual([]);
});

test('a filter that the API refuses is told with the reason', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/settings/logs/delivery?event_id=nonsense', { session });
  const told = page.getByRole('alert').getByRole('listitem');
  await expect.poll(() => told.allTextContents(), within).toEqual([expect.stringContaining('event_id')]);
});
