import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { readId } from '../../src/shared/ids.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { aContact } from '../helpers/builders.ts';
import { aDelivery } from '../helpers/deliveries.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const within = { timeout: 30_000 };
const log = '/settings/logs/delivery?status=all';
const rowsOf = (page: Page) => page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr');
const goTo = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('navigation').getByRole('link', { name }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
};

/** An account with a delivery about each of these contacts, who are called so. */
const aLogOf = async (names: readonly string[]) => {
  const account = await api.createAccount();
  const { accountId, apiKey: key } = account;
  for (const name of names) {
    const body = aContact({ first_name: name, last_name: null });
    const { body: contact } = await api.request<{ id: string }>('POST', '/v1/contacts', { key, body });
    const webhookId = await insertWebhook(api.deps, { accountId, url: `https://shop.example/${name}` });
    await aDelivery(api.db, { accountId, webhookId, status: 'failed', contactId: readId('contact', contact.id) });
  }
  return account;
};

test('a link of a row shows its page without loading the dashboard anew, and with Ctrl held in another tab', async () => {
  const { session } = await aLogOf(['Ada']);
  const page = await web.open(log, { session });
  await page.evaluate("globalThis.isLoadedOnce = 'so'");
  const link = rowsOf(page).getByRole('link', { name: 'new_message' });
  const [other] = await Promise.all([page.context().waitForEvent('page'), link.click({ modifiers: ['Control'] })]);
  await other.waitForURL('**/settings/logs/delivery/dlv_*');
  expect(new URL(page.url()).pathname).toBe('/settings/logs/delivery');

  await link.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/settings/logs/delivery/dlv_*');
  await page.goBack();
  await rowsOf(page).getByRole('link', { name: 'Ada' }).click();
  await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor();
  expect(await page.evaluate('globalThis.isLoadedOnce')).toBe('so');
});

test('the contacts of a list are asked for at once, and again only when one is changed or somebody else signs in', async () => {
  const { session, email, password } = await aLogOf(['Ada', 'Grace', 'Mary']);
  const page = await web.open('/settings/logs/replays', { session });
  const asked: number[] = [];
  page.on('request', (request) => {
    const ids = new URL(request.url()).searchParams.getAll('id');
    if (request.url().includes('/dashboard/api/contacts?id=')) asked.push(ids.length);
  });
  const readNames = () => rowsOf(page).locator('a[href^="/contacts/"]').allTextContents();
  await goTo(page, 'Delivery log');
  await expect.poll(readNames, within).toEqual(['Mary', 'Grace', 'Ada']);
  expect(asked).toEqual([3]);

  await rowsOf(page).getByRole('link', { name: 'Grace' }).click();
  await page.getByRole('button', { name: 'Edit contact' }).click();
  await page.getByRole('dialog').getByLabel('First name').fill('Hedy');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Hedy' }).waitFor();
  await goTo(page, 'Delivery log');
  await expect.poll(readNames, within).toEqual(['Mary', 'Hedy', 'Ada']);
  expect(asked).toEqual([3, 1]);

  await page.getByRole('button', { name: 'You' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect.poll(readNames, within).toEqual(['Mary', 'Hedy', 'Ada']);
  expect(asked).toEqual([3, 1, 3]);
});

test('what filters offer is made when somebody comes near them, and the first arrow key is at what is chosen', async () => {
  const { session } = await aLogOf(['Ada', 'Grace']);
  const page = await web.open(`${log}&test=true`, { session });
  await page.getByRole('heading', { name: 'No matching deliveries' }).waitFor();
  const lists = page.locator('[role=listbox]');
  expect(await lists.count()).toBe(0);
  const tests = page.getByRole('combobox', { name: 'Test events' });
  await tests.focus();
  await page.keyboard.press('ArrowDown');
  const active = await tests.getAttribute('aria-activedescendant');
  expect(await page.locator(`[id="${active}"]`).getAttribute('aria-selected')).toBe('true');
});

test('the focus stays at the list when its last page has come, and in the filters when they are cleared', async () => {
  const { session, apiKey: key } = await api.createAccount();
  for (let made = 0; made < 52; made += 1)
    await api.request('POST', '/v1/contacts', { key, body: { first_name: `Guest ${made}` } });
  const page = await web.open('/contacts?search=Guest', { session });
  const holdsFocus = (selector: string) =>
    page.evaluate(`document.activeElement.closest(${JSON.stringify(selector)}) !== null`);
  const more = page.getByRole('button', { name: 'Load more' });
  await more.focus();
  await page.keyboard.press('Enter');
  await more.waitFor({ state: 'detached' });
  await expect.poll(() => holdsFocus('main')).toBe(true);
  const clear = page.getByRole('button', { name: 'Clear filters' });
  await clear.focus();
  await page.keyboard.press('Enter');
  await clear.waitFor({ state: 'detached' });
  await expect.poll(() => holdsFocus('[role=search]')).toBe(true);
});

test('filters that are cleared while somebody still types stay cleared', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/contacts?search=Ada', { session, alone: true });
  const clear = page.getByRole('button', { name: 'Clear filters' });
  await clear.waitFor();
  await page.clock.install();
  await page.getByRole('searchbox').fill('Adam');
  await clear.click();
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('');
  await page.clock.runFor(1_000);
  expect(new URL(page.url()).search).toBe('');
  expect(await clear.count()).toBe(0);
});

test('the times of a list are no stops of the keyboard', async () => {
  const { session, apiKey: key } = await api.createAccount();
  const { body } = await api.request<{ id: string }>('POST', '/v1/contacts', { key, body: aContact() });
  const page = await web.open('/contacts', { session });
  const stops = (within: string) =>
    page.evaluate<number[]>(`[...document.querySelectorAll('${within} time')].map(({ tabIndex }) => tabIndex)`);
  await page.locator('tbody time').first().waitFor();
  expect(new Set(await stops('tbody'))).toEqual(new Set([-1]));
  await page.goto(`${api.url}/contacts/${body.id}`);
  await page.locator('dl time').first().waitFor();
  expect(new Set(await stops('dl'))).toEqual(new Set([0]));
});
