import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

/** The list of tags of an account that has these, and none that is loaded meanwhile. */
const aListOf = async (names: readonly string[]): Promise<Page> => {
  const { session, apiKey: key } = await api.createAccount();
  for (const name of names) await api.request('POST', '/v1/tags', { key, body: { name } });
  return web.open('/settings/tags', { session });
};

const deleteOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ hasText: name }).getByRole('button', { name: 'Delete' });

test('what is asked about is done once, however often its button is clicked', async () => {
  const page = await aListOf(['vip', 'gold']);
  let deletes = 0;
  page.on('request', (request) => {
    if (request.method() === 'DELETE') deletes += 1;
  });
  await deleteOf(page, 'vip').click();
  const button = page.getByRole('dialog').getByRole('button', { name: 'Delete' });
  // Both before anything can be drawn, as while the dialog fades out.
  await button.evaluate((element: { click: () => void }) => {
    element.click();
    element.click();
  });
  await deleteOf(page, 'vip').waitFor({ state: 'detached' });
  expect(deletes).toBe(1);
  // Another question is another one.
  await deleteOf(page, 'gold').click();
  await button.click();
  await deleteOf(page, 'gold').waitFor({ state: 'detached' });
  expect(deletes).toBe(2);
});

test('a question goes with the page that has asked it', async () => {
  const page = await aListOf(['vip']);
  await deleteOf(page, 'vip').waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Contacts' }).click();
  await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
  await page.goBack();
  await deleteOf(page, 'vip').click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await page.goForward();
  await page.getByRole('heading', { level: 1, name: 'Contacts', includeHidden: true }).waitFor();
  await expect.poll(() => dialog.count()).toBe(0);
});

test('the focus stays in the page when what had it is deleted', async () => {
  const page = await aListOf(['vip', 'gold']);
  await deleteOf(page, 'vip').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).focus();
  await page.keyboard.press('Enter');
  await deleteOf(page, 'vip').waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
});
