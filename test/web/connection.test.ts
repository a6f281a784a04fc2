import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { findBarriers } from './helpers/axe.ts';
import { measureFeedback } from './helpers/feedback.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

test('a page whose code does not come is loaded again once, and then says that it broke', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/', { session });
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  const code = '**/assets/contacts-*.js';
  await page.route(code, (route) => route.abort());
  await page.goto(`${api.url}/contacts`);
  await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(loads).toBe(2);
  await page.unroute(code);
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
  // Browsers complain of code that does not come.
  web.complaints(page);
});

test('a page whose code cannot come says so, and opens by itself when the server answers', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/', { session });
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await page.route('**', (route) => route.abort());
  const contacts = page.getByRole('navigation').getByRole('link', { name: 'Contacts' });
  await contacts.click();
  await page.getByRole('heading', { name: 'No connection', level: 1 }).waitFor();
  await page.getByRole('status').getByText('The server does not respond. Trying again …').waitFor();
  expect(await page.getByText('Something went wrong').count()).toBe(0);
  expect(await contacts.isVisible()).toBe(true);
  expect(await findBarriers(page)).toEqual([]);
  await page.unroute('**');
  await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
  // Browsers complain of what does not come.
  web.complaints(page);
});

test('a page that is offline says so once, keeps what it shows, and goes on when it is online', async () => {
  const { session, apiKey: key } = await api.createAccount();
  const page = await web.open('/contacts', { session, alone: true });
  await page.getByText('No contacts yet').waitFor();
  await page.context().setOffline(true);
  const banner = page.getByText('You are offline.');
  await banner.waitFor();
  expect(await banner.count()).toBe(1);
  expect(await page.getByText('No contacts yet').isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: 'Refresh' }).count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
  await api.request('POST', '/v1/contacts', { key, body: { first_name: 'Grace' } });
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Grace' }).waitFor();
  await banner.waitFor({ state: 'detached' });
  web.complaints(page);
});

test('a bar shows that a page is on its way, while its code and then its first data come', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/', { session });
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  const bar = page.locator('.progress');
  await bar.waitFor({ state: 'detached' });
  const held: (() => void)[] = [];
  const hold = (route: Route) => new Promise<void>((go) => held.push(go)).then(() => route.continue());
  const letGo = () => held.splice(0).forEach((go) => go());
  await page.route('**/assets/orders-*.js', hold);
  await page.route('**/dashboard/api/orders?**', hold);
  await page.getByRole('navigation').getByRole('link', { name: 'Orders' }).click();
  await bar.waitFor();
  // The page that is left stays until then.
  expect(await page.getByRole('heading', { name: 'Overview', level: 1 }).count()).toBe(1);
  letGo();
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
  await expect.poll(() => held.length).toBe(1);
  expect(await bar.count()).toBe(1);
  letGo();
  await bar.waitFor({ state: 'detached' });
});

/** At 60 frames a second that is 50 ms; `bench:web` measures these. */
const mostFrames = 3;

test('the bar is there within three frames of a click, whatever the page that was clicked waits for', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/settings', { session });
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  const seen = await measureFeedback(page, ['/contacts', '/flows', '/orders', '/settings/webhooks', '/settings/api']);
  const [, , median] = seen.toSorted((one, other) => one.frames - other.frames);
  expect(median?.frames).toBeLessThanOrEqual(mostFrames);
});
