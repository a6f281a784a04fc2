import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findBarriers } from '../helpers/axe.ts';
import { anInboxAccount, rows } from '../helpers/inbox.ts';
import { useLiveWeb } from '../helpers/live-web.ts';

const { live, web } = await useLiveWeb();
const { api } = live;

const names = (page: Page) => page.locator('.inbox-name').allTextContents();
const table = (page: Page) => page.getByRole('table', { name: 'Conversations' }).locator('tbody th');
const tabs = (page: Page) => page.getByRole('navigation', { name: 'Views' });

/** Four conversations, of which two wait for an agent, Alan's longer, and his and Grace's contacts have a tag. */
const anAccount = async () => {
  const account = await anInboxAccount(api);
  const { call, write } = account;
  const people = ['Ada', 'Grace', 'Alan', 'Edsger'];
  const written = new Map<string, Awaited<ReturnType<typeof write>>>();
  for (const name of people)
    written.set(name, await write({ external_id: name, first_name: name, last_name: null }, `I am ${name}`));
  const of = (name: string) => written.get(name) ?? expect.fail(`${name} has not written`);
  for (const name of ['Alan', 'Grace'])
    await call('POST', '/handovers', { conversation_id: of(name).conversation_id, reason: 'Help' });
  for (const name of ['Alan', 'Grace', 'Edsger']) await call('PUT', `/contacts/${of(name).contact_id}/tags/vip`);
  const keep = (query: string, name = 'Kept') =>
    api.request('POST', '/dashboard/api/views', {
      session: account.session,
      headers: { origin: api.url },
      body: { list: 'conversations', name, query },
    });
  return { ...account, of, keep };
};

const saveAs = async (page: Page, name: string, isShared = false): Promise<void> => {
  await page.getByRole('button', { name: 'Save view' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  if (isShared) await dialog.getByLabel('Share with everyone').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
};

/** Opens a view that stands behind the menu of the inbox. */
const openSaved = async (page: Page, name: string): Promise<void> => {
  await page.locator('.inbox-list-head button[aria-haspopup="menu"]').last().click();
  await page.getByRole('menuitem', { name }).click();
};

test('a view saved from the inbox has the same rows there, after a reload, and in All conversations', async () => {
  const { session } = await anAccount();
  const page = await web.open('/inbox?view=waiting&tag=vip', { session });
  await expect.poll(() => names(page)).toEqual(['Alan', 'Grace']);
  await saveAs(page, 'Important ones');
  await page.getByRole('button', { name: 'Important ones', exact: true }).waitFor();
  expect(await names(page)).toEqual(['Alan', 'Grace']);
  expect(await findBarriers(page)).toEqual([]);
  await page.reload();
  await expect.poll(() => names(page)).toEqual(['Alan', 'Grace']);
  // Its tag is its own, and does not stay.
  await page.getByRole('link', { name: 'All 4' }).click();
  await expect.poll(async () => (await names(page)).length).toBe(4);
  await openSaved(page, 'Important ones');
  await expect.poll(() => names(page)).toEqual(['Alan', 'Grace']);

  await page.goto(`${api.url}/conversations`);
  await tabs(page).getByRole('button', { name: 'Important ones' }).click();
  await expect.poll(() => table(page).allTextContents()).toEqual(['Alan', 'Grace']);
  await page.getByText('2 conversations', { exact: true }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Handled by' }).inputValue()).toBe('Waiting for an agent');
  expect(await page.getByRole('combobox', { name: 'Tag' }).inputValue()).toBe('vip');
  expect(await page.getByRole('columnheader', { name: 'Waiting since' }).getAttribute('aria-sort')).toBe('ascending');
  expect(await findBarriers(page)).toEqual([]);
});

test('a view saved in All conversations opens in the inbox with its rows in its order', async () => {
  const { session, call, of } = await anAccount();
  await call('POST', `/conversations/${of('Edsger').conversation_id}/close`);
  const page = await web.open('/conversations?tag=vip&order=opened', { session });
  await expect.poll(() => table(page).allTextContents()).toEqual(['Alan', 'Grace', 'Edsger']);
  await saveAs(page, 'Open first');
  await tabs(page).getByRole('button', { name: 'Open first', exact: true }).waitFor();
  await page.goto(`${api.url}/inbox`);
  await openSaved(page, 'Open first');
  await expect.poll(() => names(page)).toEqual(['Alan', 'Grace', 'Edsger']);
  // What is filtered beside it may be saved with it.
  await page.getByRole('searchbox').fill('gra');
  await expect.poll(() => names(page)).toEqual(['Grace']);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('button', { name: 'Save changes' }).waitFor({ state: 'detached' });
  await page.goto(`${api.url}/conversations`);
  await tabs(page).getByRole('button', { name: 'Open first', exact: true }).click();
  await expect.poll(() => table(page).allTextContents()).toEqual(['Grace']);
  expect(await page.getByRole('searchbox').inputValue()).toBe('gra');
});

test('a shared view of one’s own conversations shows each user theirs, and counts stay those of the views', async () => {
  const { session, colleague, call, me, of } = await anAccount();
  await call('PATCH', `/conversations/${of('Ada').conversation_id}`, { assigned_to: me });
  const page = await web.open('/inbox?view=mine', { session });
  await expect.poll(() => names(page)).toEqual(['Ada']);
  await saveAs(page, 'My desk', true);
  await page.getByRole('button', { name: 'My desk', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Mine 1' }).waitFor();
  await page.getByRole('link', { name: 'Waiting 2' }).waitFor();

  const other = await web.open('/inbox', { session: colleague, alone: true });
  await expect.poll(() => rows(other).count()).toBe(4);
  await openSaved(other, 'My desk');
  await other.getByText('No conversations found').waitFor();
  await other.getByRole('link', { name: 'Mine 0' }).waitFor();
  // Only owners change what is shared.
  expect(await other.getByRole('button', { name: 'Change view My desk' }).count()).toBe(0);

  await page.getByRole('button', { name: 'Change view My desk' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(/view=open$/);
  await expect.poll(() => rows(page).count()).toBe(4);
});

test('a stored view with filters that are unknown by now opens without them, in both lists', async () => {
  const { session, keep } = await anAccount();
  await keep('tag=vip&status=paused&channel=shop&assigned_to=%00&owner=robot&order=newest&columns=a', 'Old');
  const page = await web.open('/inbox', { session });
  await rows(page).first().waitFor();
  await openSaved(page, 'Old');
  await expect.poll(() => names(page)).toEqual(['Edsger', 'Alan', 'Grace']);
  expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0);
  await page.goto(`${api.url}/conversations`);
  await tabs(page).getByRole('button', { name: 'Old' }).click();
  await expect.poll(() => table(page).allTextContents()).toEqual(['Edsger', 'Alan', 'Grace']);
  await page.getByText('3 conversations', { exact: true }).waitFor();
});

test('a view is saved by keyboard on a phone, and the focus is back where it was', async () => {
  const { session } = await anAccount();
  const page = await web.open('/inbox?tag=vip', { session, viewport: { width: 360, height: 780 } });
  await expect.poll(() => rows(page).count()).toBe(3);
  await page.getByRole('button', { name: 'Save view' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Save view' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe('Save view');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Save view' }).waitFor();
  await page.keyboard.type('A very long name of a view, as long as one may be written');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^A very long name/ }).waitFor();
  await expect.poll(() => rows(page).count()).toBe(3);
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  expect(await findBarriers(page)).toEqual([]);
});
