import { expect, test } from 'vitest';
import { anInboundMessage } from '../helpers/builders.ts';
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
  const search = page.getByPlaceholder('Page name, or the start of a name, e-mail or phone');
  const found = page.getByRole('dialog').getByRole('button');
  await found.filter({ hasText: 'Contacts' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const words = await found.allTextContents();
  expect(words.filter((text) => /^(API keys|Webhooks|Credentials|Account)/.test(text))).toEqual([]);
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
  await expect.poll(() => found.and(page.locator('[data-selected]')).count()).toBe(1);
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

test('each place that the specification names is reached from, and stands below, the settings', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/settings', { session });
  for (const [place, path, trail] of [
    ['API', '/settings/api', ['Settings']],
    ['Webhooks', '/settings/webhooks', ['Settings']],
    ['Delivery', '/settings/logs/delivery', ['Settings', 'Logs']],
  ] as const) {
    await page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(`^${place} `) })
      .click();
    await page.locator('.above').waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
    expect(await page.locator('.above').getByRole('link').allTextContents()).toEqual(trail);
    await page.locator('.above').getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  }
  expect(await findBarriers(page)).toEqual([]);
});

test('the line of the page that is shown is in sight, also on a low screen', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/', { session, viewport: { width: 1280, height: 400 } });
  await page.goto(`${api.url}/profile`);
  const line = page.getByRole('navigation').getByRole('link', { name: 'Profile', exact: true });
  await line.waitFor();
  const bottom = async (): Promise<number> => {
    const box = await line.boundingBox();
    return (box?.y ?? 10_000) + (box?.height ?? 0);
  };
  await expect.poll(bottom).toBeLessThanOrEqual(400);
});

test('a group that was closed stays closed with the next visit', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/', { session });
  const group = page.getByRole('button', { name: 'Developers' });
  const webhooks = page.getByRole('navigation').getByRole('link', { name: 'Webhooks' });
  await webhooks.waitFor();
  await group.click();
  expect(await webhooks.isVisible()).toBe(false);
  await page.reload();
  await group.waitFor();
  expect(await group.getAttribute('aria-expanded')).toBe('false');
  expect(await webhooks.isVisible()).toBe(false);
});

test('the navigation counts unread conversations and waiting contacts, as they change', async () => {
  const { session, apiKey: key } = await api.createAccount();
  const channel = await api.request<{ id: string }>('POST', '/v1/channels', {
    key,
    body: { type: 'api', name: 'Shop' },
  });
  const page = await web.open('/contacts', { session });
  const inbox = page.getByRole('navigation').getByRole('link', { name: /^Inbox/ });
  await inbox.waitFor();
  expect(await inbox.innerText()).toBe('Inbox');
  await api.request('POST', `/v1/channels/${channel.body.id}/inbound`, { key, body: anInboundMessage() });
  await page.getByRole('link', { name: 'Inbox , 1 unread conversation' }).waitFor();
  const { body } = await api.request<{ data: { contact_id: string }[] }>('GET', '/v1/conversations', { key });
  const handover = { contact_id: body.data[0]?.contact_id, reason: 'Help' };
  await api.request('POST', '/v1/handovers', { key, body: handover });
  const handovers = page.getByRole('link', { name: 'Handovers , 1 contact is waiting' });
  await handovers.waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await handovers.click();
  await expect.poll(() => new URL(page.url()).search).toBe('?state=handover');
  await expect.poll(() => handovers.getAttribute('aria-current')).toBe('page');
  expect(await inbox.getAttribute('aria-current')).toBe(null);
});

test('on a narrow screen the navigation opens from its button, leads to a page, and closes', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/', { session, viewport: { width: 360, height: 740 } });
  const open = page.getByRole('banner').getByRole('button', { name: 'Navigation' });
  const contacts = page.getByRole('navigation').getByRole('link', { name: 'Contacts' });
  await open.waitFor();
  expect(await contacts.count()).toBe(0);
  await open.click();
  await contacts.waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await contacts.click();
  await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
  await expect.poll(() => contacts.count()).toBe(0);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
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
