import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

/** The page of a contact that has the tag vip. */
const aTaggedContact = async (): Promise<{ page: Page; tags: () => Promise<string[]> }> => {
  const { session, apiKey: key } = await api.createAccount();
  const { body } = await api.request<{ id: string }>('POST', '/v1/contacts', { key, body: { first_name: 'Ada' } });
  await api.request('PUT', `/v1/contacts/${body.id}/tags/vip`, { key });
  const page = await web.open(`/contacts/${body.id}`, { session });
  const tags = async () => (await api.request<{ tags: string[] }>('GET', `/v1/contacts/${body.id}`, { key })).body.tags;
  return { page, tags };
};

test('a tag that was removed is told of, and put back by Undo', async () => {
  const { page, tags } = await aTaggedContact();
  const remove = page.getByRole('button', { name: 'Remove tag vip' });
  await remove.click();
  const notice = page.getByRole('alert').filter({ hasText: 'Tag “vip” removed' });
  await notice.waitFor();
  expect(await tags()).toEqual([]);
  expect(await remove.count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
  await notice.getByRole('button', { name: 'Undo' }).click();
  await remove.waitFor();
  expect(await tags()).toEqual(['vip']);
  await notice.waitFor({ state: 'detached' });
});

test('a removal is shown before it is answered, and taken back where it is refused', async () => {
  const { page, tags } = await aTaggedContact();
  const remove = page.getByRole('button', { name: 'Remove tag vip' });
  let refuse = (): void => {};
  const asked = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  await page.route('**/tags/vip', async (route) => {
    await asked;
    await route.fulfill({ status: 503, json: {} });
  });
  await remove.click();
  await remove.waitFor({ state: 'detached' });
  refuse();
  await remove.waitFor();
  await page.getByRole('alert').getByText('Something went wrong on the server').waitFor();
  expect(await tags()).toEqual(['vip']);
  // Browsers complain of a server's fault.
  web.complaints(page);
});
