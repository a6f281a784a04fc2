import { expect, test } from 'vitest';
import { setRole } from '../helpers/states/accounts.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

test('Ctrl+K finds a page by its name and goes there, and has none that the role may not open', async () => {
  const { session, userId } = await api.createAccount();
  await setRole(api.db, userId, 'agent');
  const page = await web.open('/', { session });
  await page.getByRole('button', { name: 'Find a page or a contact (Ctrl+K)' }).waitFor();
  await page.keyboard.press('Control+K');
  const search = page.getByPlaceholder('A page, or how a name, e-mail or phone begins');
  const found = page.getByRole('dialog').getByRole('button');
  await found.filter({ hasText: 'Contacts' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const words = await found.allTextContents();
  expect(words.filter((text) => /^(API|Webhooks|Credentials|Account)/.test(text))).toEqual([]);
  await search.fill('no page of that name');
  await page.getByText('Nothing found').waitFor();
  await search.fill('Delivery log');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Delivery log', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/settings/logs/delivery');
});

test('Ctrl+K finds contacts by how their name or e-mail begins, of the own account alone', async () => {
  const { session, apiKey: key } = await api.createAccount();
  const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'countess@example.com' };
  const [other, another] = [await api.createAccount(), { first_name: 'Ada', last_name: 'Other' }];
  await api.request('POST', '/v1/contacts', { key: other.apiKey, body: another });
  for (const body of [ada, { first_name: 'Grace' }]) await api.request('POST', '/v1/contacts', { key, body });
  const page = await web.open('/', { session });
  await page.getByRole('button', { name: 'Find a page or a contact (Ctrl+K)' }).click();
  const search = page.getByRole('dialog').getByRole('searchbox');
  const found = page.getByRole('dialog').getByRole('button');
  for (const text of ['ada', 'countess@']) {
    await search.fill(text);
    await expect.poll(() => found.allTextContents()).toEqual(['Ada Lovelacecountess@example.com']);
  }
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  expect(await found.and(page.locator('[data-selected]')).count()).toBe(1);
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Ada Lovelace', level: 1 }).waitFor();
  await page.keyboard.press('Control+K');
  await search.fill('grace');
  await found.getByText('Grace').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Grace', level: 1 }).waitFor();
});

test('the navigation marks the page that is shown, also below its list, and no other', async () => {
  const { session } = await api.createAccount();
  const current = async (path: string): Promise<string[]> => {
    const page = await web.open(path, { session });
    const links = page.getByRole('navigation', { name: 'Navigation' }).getByRole('link');
    await links.first().waitFor();
    const marked = links.and(page.locator('[aria-current=page]'));
    return marked.allTextContents();
  };
  expect(await current('/')).toEqual(['Overview']);
  expect(await current('/contacts')).toEqual(['Contacts']);
  expect(await current('/contacts/contact_01jd6z3qf5e8pb2zv0w8c4x1kn')).toEqual(['Contacts']);
  expect(await current('/contacts-and-more')).toEqual([]);
});

test('the delivery log stands among the logs of the settings, in sight on a screen of 800 px; on a lower one the page that is shown is in sight', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/', { session, viewport: { width: 1280, height: 800 } });
  const navigation = page.getByRole('navigation', { name: 'Navigation' });
  const bottomOf = async (name: string): Promise<number> => {
    const box = await navigation.getByRole('link', { name, exact: true }).boundingBox();
    return (box?.y ?? 10_000) + (box?.height ?? 0);
  };
  await navigation.getByText('Settings · Logs', { exact: true }).waitFor();
  expect(await bottomOf('Delivery log')).toBeLessThan(800);
  await page.setViewportSize({ width: 1280, height: 400 });
  await page.goto(`${api.url}/settings/account`);
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  await expect.poll(() => bottomOf('Account')).toBeLessThanOrEqual(400);
});

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

test('a page whose code does not come because nobody answers says so in its place, and comes when it is asked for again', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/', { session });
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await page.route('**', (route) => route.abort());
  const contacts = page.getByRole('navigation').getByRole('link', { name: 'Contacts' });
  await contacts.click();
  const broken = page.getByRole('heading', { name: 'Something went wrong' });
  await broken.waitFor();
  const again = page.getByRole('button', { name: 'Reload' });
  await again.click();
  await page.getByText('The server does not answer').first().waitFor();
  expect(await contacts.isVisible()).toBe(true);
  expect(await broken.isVisible()).toBe(true);
  await page.unroute('**');
  await again.click();
  await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
  // Browsers complain of what does not come.
  web.complaints(page);
});

/** By then a page is scrolled to where its scripts, and the browser, want it to be. */
const threeFrames = `new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))))`;

test('Back is at the place of the list that was left, and a page that is gone to is at its beginning', async () => {
  const { session, apiKey: key } = await api.createAccount();
  for (let made = 0; made < 40; made += 1)
    await api.request('POST', '/v1/contacts', { key, body: { first_name: `Guest ${made}` } });
  const page = await web.open('/contacts', { session });
  const first = page.getByRole('link', { name: 'Guest 0', exact: true });
  const placeOf = async (): Promise<number> => Number(await page.evaluate('scrollY'));
  await first.scrollIntoViewIfNeeded();
  const place = await placeOf();
  expect(place).toBeGreaterThan(200);
  await first.click();
  await page.getByRole('heading', { name: 'Guest 0', level: 1 }).waitFor();
  await expect.poll(placeOf).toBe(0);
  await page.goBack();
  await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
  await page.evaluate(threeFrames);
  expect(await placeOf()).toBe(place);
});
