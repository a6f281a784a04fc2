import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const anAccount = async () => {
  const account = await api.createAccount();
  const create = (name: string) =>
    api.request('POST', '/v1/contacts', { key: account.apiKey, body: { first_name: name } });
  await create('Ada');
  return { ...account, create };
};

test('lists and charts say when they were read, with Refresh, while the stream is cut', async () => {
  const { session, create } = await anAccount();
  const held: Route[] = [];
  const page = await web.open('/sign-in');
  await page.route('**/dashboard/api/stream', (route) => void held.push(route));
  await page.context().addCookies([{ name: 'parley_session', value: session, url: api.url }]);
  await page.goto(`${api.url}/contacts`);
  const refresh = page.getByRole('button', { name: 'Refresh' });
  await page.getByRole('link', { name: 'Ada' }).waitFor();
  expect(await refresh.count()).toBe(0);
  await expect.poll(() => held.length).toBe(1);
  // It ends at once, and the browser asks for it again.
  await held.shift()?.fulfill({ contentType: 'text/event-stream', body: 'retry: 100\n\n' });
  await refresh.waitFor();
  await page.getByText(/^Updated (now|.+ ago)/).waitFor();
  await page.getByRole('status').filter({ hasText: 'Updated' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await create('Grace');
  await refresh.click();
  await page.getByRole('link', { name: 'Grace' }).waitFor();
  expect(await refresh.count()).toBe(1);

  await page.getByRole('link', { name: 'Grace' }).click();
  await page.getByRole('heading', { level: 1, name: 'Grace' }).waitFor();
  await page.locator('.page-head').getByRole('button', { name: 'Refresh' }).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('region', { name: 'Over time' }).getByRole('button', { name: 'Refresh' }).waitFor();
  await expect.poll(() => refresh.count()).toBe(2);
  await expect.poll(() => held.length).toBe(1);
  await held.shift()?.continue();
  await expect.poll(() => refresh.count()).toBe(0);
});

test('a list that could not be read again keeps its rows, says so, and is read by Refresh', async () => {
  const { session, create } = await anAccount();
  const page = await web.open('/contacts', { session });
  await page.getByRole('link', { name: 'Ada' }).waitFor();
  const list = /\/dashboard\/api\/contacts\?/;
  await page.route(list, (route) => route.fulfill({ status: 422, json: { error: { code: 'x', message: 'No.' } } }));
  await create('Grace');
  await page.getByText(/^Could not be refreshed. Updated/).waitFor();
  await page.getByRole('status').filter({ hasText: 'Could not be refreshed.' }).waitFor();
  expect(await page.getByRole('link', { name: 'Ada' }).isVisible()).toBe(true);
  expect(await findBarriers(page)).toEqual([]);
  await page.unroute(list);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByRole('link', { name: 'Grace' }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Refresh' }).count()).toBe(0);
});
