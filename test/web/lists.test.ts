import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { readId, showId } from '../../src/shared/ids.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { aContact, anInboundMessage } from '../helpers/builders.ts';
import { aDelivery } from '../helpers/deliveries.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { aColleague, setRole } from '../helpers/states/accounts.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const say = { id: 'hello', type: 'send', messages: [{ text: 'Hello' }] };

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
  await rowsOf(page).getByRole('link', { name: 'Ada', exact: true }).click();
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

  await rowsOf(page).getByRole('link', { name: 'Grace', exact: true }).click();
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

/** An account with so many contacts, who are called Guest and their number. */
const guests = async (count: number) => {
  const account = await api.createAccount();
  for (let made = 1; made <= count; made += 1)
    await api.request('POST', '/v1/contacts', {
      key: account.apiKey,
      body: { first_name: `Guest ${made}`, email: `guest-${made}@example.com` },
    });
  return account;
};

const contactRows = (page: Page) => page.getByRole('table', { name: 'Contacts' }).locator('tbody tr');

test('a click on a row opens its page, and marking its text does not', async () => {
  const { session } = await guests(1);
  const page = await web.open('/contacts', { session });
  const email = contactRows(page).getByText('guest-1@example.com');
  const box = await email.boundingBox();
  if (!box) throw new Error('The row is not shown');
  await page.mouse.move(box.x + 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 60, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  expect(await page.evaluate('getSelection().toString()')).not.toBe('');
  expect(new URL(page.url()).pathname).toBe('/contacts');
  await page.getByRole('heading', { level: 1 }).click();
  await email.click();
  await page.getByRole('heading', { level: 1, name: 'Guest 1' }).waitFor();
});

test('a middle click on a row, and one with Ctrl held, open its page in another tab', async () => {
  const { session } = await guests(1);
  const page = await web.open('/contacts', { session });
  const email = contactRows(page).getByText('guest-1@example.com');
  const clicks = [() => email.click({ button: 'middle' }), () => email.click({ modifiers: ['Control'] })];
  for (const click of clicks) {
    const [other] = await Promise.all([page.context().waitForEvent('page'), click()]);
    await other.getByRole('heading', { level: 1, name: 'Guest 1' }).waitFor();
    await other.close();
  }
  expect(new URL(page.url()).pathname).toBe('/contacts');
});

test('a row has one stop of the keyboard; arrows and j and k go on from it, and Enter opens it', async () => {
  const { session } = await guests(3);
  const page = await web.open('/contacts', { session });
  await expect.poll(() => contactRows(page).count()).toBe(3);
  expect(await contactRows(page).evaluateAll((rows) => rows.map((row) => Reflect.get(row, 'tabIndex')))).toEqual([
    0, -1, -1,
  ]);
  await contactRows(page).first().focus();
  const focused = () => page.evaluate("document.activeElement.querySelector('a').textContent");
  for (const [key, name] of [
    ['ArrowDown', 'Guest 2'],
    ['j', 'Guest 1'],
    ['j', 'Guest 1'],
    ['k', 'Guest 2'],
    ['Home', 'Guest 3'],
    ['End', 'Guest 1'],
    ['ArrowUp', 'Guest 2'],
  ] as const) {
    await page.keyboard.press(key);
    expect(await focused()).toBe(name);
  }
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Guest 2' }).waitFor();
});

test('on a phone a row is a card of two lines, and nothing is cut off', async () => {
  const { session } = await guests(2);
  const page = await web.open('/contacts', { session, viewport: { width: 360, height: 740 } });
  const row = contactRows(page).first();
  await row.waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  const tops = await row.locator('> [data-card=title], > [data-card=aside]').evaluateAll(topsOf);
  const belows = await row.locator('> [data-card=line]:visible, > [data-card=end]').evaluateAll(topsOf);
  expect(Math.max(...tops)).toBeLessThan(Math.min(...belows));
  expect(await row.getByText('guest-2@example.com').isVisible()).toBe(true);
  expect(await findBarriers(page)).toEqual([]);
  await row.click();
  await page.getByRole('heading', { level: 1, name: 'Guest 2' }).waitFor();
});

test('on a phone the actions of a row stand below its two lines, under no heading', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/settings/api', { session, viewport: { width: 360, height: 740 } });
  const row = page.getByRole('table', { name: 'API keys' }).getByRole('row').last();
  const actions = row.locator('> [data-card=foot]');
  await actions.getByRole('button').waitFor();
  expect(await actions.getAttribute('data-heading')).toBeNull();
  const lines = await row.locator('> :not([data-card=foot], [data-card=hidden])').evaluateAll(topsOf);
  expect(Math.max(...lines)).toBeLessThan(Math.min(...(await actions.evaluateAll(topsOf))));
});

const topsOf = (cells: readonly { getBoundingClientRect: () => { top: number } }[]): number[] =>
  cells.map((cell) => cell.getBoundingClientRect().top);

test('the card of a contact shows e-mail address, else phone number, else status in line two', async () => {
  const { session, apiKey: key } = await api.createAccount();
  const create = (body: object) => api.request('POST', '/v1/contacts', { key, body });
  await create({ first_name: 'Ada', phone: '+4915112345678' });
  await create({ first_name: 'Grace', phone: '+4915112345679', email: 'grace@example.com' });
  await create({ first_name: 'Mary' });
  const page = await web.open('/contacts', { session, viewport: { width: 360, height: 740 } });
  const row = (name: string) => contactRows(page).filter({ hasText: name });
  await row('Ada').getByText('+4915112345678').waitFor();
  expect(await row('Grace').getByText('grace@example.com').isVisible()).toBe(true);
  expect(await row('Grace').getByText('+4915112345679').isVisible()).toBe(false);
  const leftOf = async (part: string) => (await row('Mary').locator(part).boundingBox())?.x;
  expect(await leftOf('[data-card=end]')).toBe(await leftOf('[data-card=title]'));
});

test('on a tablet no list scrolls sideways', async () => {
  const { session, apiKey: key } = await guests(1);
  const { body } = await api.request<{ id: string }>('POST', '/v1/channels', {
    key,
    body: { type: 'api', name: 'Shop' },
  });
  await api.request('POST', `/v1/channels/${body.id}/inbound`, { key, body: anInboundMessage() });
  const page = await web.open('/contacts', { session, viewport: { width: 768, height: 1024 } });
  for (const [path, list] of [
    ['/contacts', 'Contacts'],
    ['/conversations', 'Conversations'],
    ['/settings/logs/events', 'Events'],
    ['/settings/users', 'Users'],
  ] as const) {
    await page.goto(`${api.url}${path}`);
    await page.getByRole('table', { name: list }).locator('tbody tr').first().waitFor();
    const [shown, all] = await page.locator('.list-scroll').first().evaluate(widthsOf);
    expect([path, all]).toEqual([path, shown]);
  }
});

const widthsOf = ({ clientWidth, scrollWidth }: { clientWidth: number; scrollWidth: number }): [number, number] => [
  clientWidth,
  scrollWidth,
];

test('a list says how many rows it has, also of those that are not loaded', async () => {
  const { session } = await guests(52);
  const page = await web.open('/contacts', { session });
  await page.getByText('52 contacts', { exact: true }).waitFor();
  expect(await contactRows(page).count()).toBe(50);
  await page.getByRole('searchbox').fill('Guest 7');
  await page.getByText('1 contact', { exact: true }).waitFor();
});

const bar = (page: Page) => page.getByRole('group', { name: 'Actions for the selected rows' });

test('selected contacts are tagged together; Shift selects a range, x a row, and Escape none', async () => {
  const { session, apiKey: key } = await guests(4);
  const page = await web.open('/contacts', { session });
  const box = (name: string) => contactRows(page).getByRole('checkbox', { name: `Select ${name}` });
  await box('Guest 4').click();
  await box('Guest 2').click({ modifiers: ['Shift'] });
  await bar(page).getByText('3 selected').waitFor();
  await contactRows(page).nth(1).focus();
  await page.keyboard.press('x');
  await bar(page).getByText('2 selected').waitFor();
  await page.getByRole('status').getByText('2 selected').waitFor({ state: 'attached' });
  expect(await findBarriers(page)).toEqual([]);
  await bar(page).getByRole('button', { name: 'Tag', exact: true }).click();
  await page.getByRole('dialog').locator('input').fill('vip');
  await page.getByRole('dialog').getByRole('button', { name: 'Tag', exact: true }).click();
  await page.getByText('2 contacts tagged “vip”').waitFor();
  await bar(page).waitFor({ state: 'detached' });
  const { body } = await api.request<{ data: { first_name: string }[] }>('GET', '/v1/contacts?tag=vip', { key });
  expect(body.data.map(({ first_name: name }) => name)).toEqual(['Guest 4', 'Guest 2']);
  await box('Guest 1').click();
  await page.keyboard.press('Escape');
  await bar(page).waitFor({ state: 'detached' });
});

test('what is refused in bulk says why and stays selected, and agents are offered only what they may do', async () => {
  const { session, userId, accountId, apiKey: key } = await guests(2);
  const flow = showId('flow', await aFlow(api.db, accountId, { blocks: [say] }));
  const { body } = await api.request<{ data: { id: string }[] }>('GET', '/v1/contacts', { key });
  await api.request('POST', `/v1/contacts/${body.data[0]?.id}/flows`, { key, body: { flow_id: flow } });
  const page = await web.open('/contacts', { session });
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
  await bar(page).getByRole('button', { name: 'Enroll' }).click();
  await page.getByRole('combobox', { name: 'Flow' }).click();
  await page.getByRole('option', { name: 'Welcome' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Enroll' }).click();
  await page.getByText('1 contact enrolled').waitFor();
  await page.getByText(/1 refused: The contact is already in this flow/).waitFor();
  await bar(page).getByText('1 selected').waitFor();
  await setRole(api.db, userId, 'agent');
  await page.reload();
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
  await bar(page).getByRole('button', { name: 'Tag', exact: true }).waitFor();
  expect(await bar(page).getByRole('button', { name: 'Enroll' }).count()).toBe(0);
  await page.goto(`${api.url}/runs`);
  await page.getByRole('table', { name: 'Runs' }).waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(0);
});

test('selected runs are cancelled after asking, and selected deliveries are sent again', async () => {
  const account = await aLogOf(['Ada', 'Grace']);
  const { session, accountId, apiKey: key } = account;
  const flow = showId('flow', await aFlow(api.db, accountId, { blocks: [say] }));
  const { body } = await api.request<{ data: { id: string }[] }>('GET', '/v1/contacts', { key });
  for (const { id } of body.data)
    await api.request('POST', `/v1/contacts/${id}/flows`, { key, body: { flow_id: flow } });
  const page = await web.open('/runs', { session });
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
  await bar(page).getByRole('button', { name: 'Cancel runs' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel runs' }).click();
  await page.getByText('2 runs cancelled').waitFor();
  await page.goto(`${api.url}${log}`);
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
  await bar(page).getByRole('button', { name: 'Replay' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
  await page.getByText('2 deliveries are being sent again').waitFor();
  const { data } = (await api.request<{ data: { round: number }[] }>('GET', '/v1/deliveries', { key })).body;
  expect(data.filter(({ round }) => round === 2)).toHaveLength(2);
});

test('a user chooses columns of a list, and another browser of the user shows the same', async () => {
  const { session } = await guests(1);
  const page = await web.open('/contacts', { session });
  const headings = (of: Page) =>
    of.getByRole('table', { name: 'Contacts' }).getByRole('columnheader').allTextContents();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('dialog').getByLabel('Phone').click();
  await expect.poll(() => headings(page)).not.toContain('Phone');
  expect(await findBarriers(page)).toEqual([]);
  await expect
    .poll(async () => (await api.request('GET', '/dashboard/api/list-columns/contacts', { session })).body)
    .toEqual({ columns: ['email', 'tags', 'status', 'created', 'changed'] });
  const other = await web.open('/contacts', { session });
  await contactRows(other).first().waitFor();
  await expect.poll(() => headings(other)).not.toContain('Phone');
});

test('a view keeps the filters of a list as a tab, which an owner shares with the account', async () => {
  const { session, accountId } = await guests(2);
  const page = await web.open('/contacts?search=Guest+2', { session });
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('The second');
  await page.getByRole('dialog').getByLabel('Share with everyone').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  const views = (of: Page) => of.getByRole('navigation', { name: 'Views' });
  await views(page).getByRole('button', { name: 'The second', exact: false }).first().waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await views(page).getByRole('button', { name: 'All' }).click();
  await expect.poll(() => contactRows(page).count()).toBe(2);

  const agent = await createSession(api.db, await aColleague(api.db, accountId, 'agent'));
  const other = await web.open('/contacts', { session: agent });
  await views(other)
    .getByRole('button', { name: /^The second/ })
    .click();
  await expect.poll(() => contactRows(other).count()).toBe(1);
  expect(new URL(other.url()).searchParams.get('search')).toBe('Guest 2');
  expect(await views(other).getByRole('button', { name: 'Change the view The second' }).count()).toBe(0);
});

test('a heading sorts by each order of the API, by keyboard, and the address keeps it', async () => {
  const { session, apiKey: key } = await guests(3);
  const { body } = await api.request<{ data: { id: string }[] }>('GET', '/v1/contacts', { key });
  await api.request('PATCH', `/v1/contacts/${body.data[1]?.id}`, { key, body: { last_name: 'King' } });
  const page = await web.open('/contacts', { session });
  const names = () => contactRows(page).locator('th').allTextContents();
  const heading = (name: string) => page.getByRole('columnheader', { name });
  const sortOf = (name: string) => heading(name).getAttribute('aria-sort');
  await expect.poll(names).toEqual(['Guest 3', 'Guest 2 King', 'Guest 1']);
  expect([await sortOf('Created'), await sortOf('Changed')]).toEqual(['descending', null]);
  await heading('Changed').getByRole('button').focus();
  await page.keyboard.press('Enter');
  await expect.poll(names).toEqual(['Guest 2 King', 'Guest 3', 'Guest 1']);
  expect([await sortOf('Created'), await sortOf('Changed')]).toEqual([null, 'descending']);
  expect(new URL(page.url()).search).toBe('?order=changed');
  expect(await findBarriers(page)).toEqual([]);
  await page.reload();
  await expect.poll(names).toEqual(['Guest 2 King', 'Guest 3', 'Guest 1']);
  // Contacts with a tag are not listed by their changes.
  await page.goto(`${api.url}/contacts?order=changed&tag=vip`);
  await page.getByRole('heading', { name: 'No contacts found' }).waitFor();
});

test('conversations are sorted by their latest message, or open ones first', async () => {
  const { session, apiKey: key } = await api.createAccount();
  const call = async <Body>(method: string, path: string, body: object) =>
    (await api.request<Body>(method, `/v1${path}`, { key, body })).body;
  const { id } = await call<{ id: string }>('POST', '/channels', { type: 'api', name: 'Shop' });
  const write = (name: string) => {
    const sender = { external_id: name, first_name: name, last_name: null };
    return call<{ message: { id: string } }>('POST', `/channels/${id}/inbound`, anInboundMessage({ sender }));
  };
  await write('Ada');
  const { message } = await write('Grace');
  const { body } = await api.request<{ conversation_id: string }>('GET', `/v1/messages/${message.id}`, { key });
  await call('POST', `/conversations/${body.conversation_id}/close`, {});
  const page = await web.open('/conversations', { session });
  const table = page.getByRole('table', { name: 'Conversations' });
  const names = () => table.locator('tbody th').allTextContents();
  const heading = (name: string) => table.getByRole('columnheader', { name });
  await expect.poll(names).toEqual(['Grace', 'Ada']);
  await heading('Status').getByRole('button').click();
  await expect.poll(names).toEqual(['Ada', 'Grace']);
  expect(await heading('Status').getAttribute('aria-sort')).toBe('ascending');
  expect(new URL(page.url()).search).toBe('?order=opened');
});

test('a view that is open is given the filters that the list has now, which may be undone', async () => {
  const { session } = await guests(2);
  const view = { list: 'contacts', name: 'The second', query: 'search=Guest+2' };
  await api.request('POST', '/dashboard/api/views', { session, headers: { origin: api.url }, body: view });
  const kept = async () => {
    const { body } = await api.request<{ data: { query: string }[] }>('GET', '/dashboard/api/views?list=contacts', {
      session,
    });
    return body.data.map(({ query }) => query);
  };
  const page = await web.open('/contacts', { session });
  const views = page.getByRole('navigation', { name: 'Views' });
  const tab = views.getByRole('button', { name: 'The second', exact: true });
  const saveChanges = views.getByRole('button', { name: 'Save changes' });
  await tab.click();
  await expect.poll(() => contactRows(page).count()).toBe(1);
  expect(await saveChanges.count()).toBe(0);
  await page.getByRole('searchbox').fill('Guest 1');
  await saveChanges.waitFor();
  expect(await tab.getAttribute('aria-current')).toBe('true');
  await views.getByRole('button', { name: 'Save view' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await saveChanges.click();
  const told = page.getByRole('alert').filter({ hasText: 'View “The second” changed' });
  await told.waitFor();
  expect(await kept()).toEqual(['search=Guest+1']);
  await saveChanges.waitFor({ state: 'detached' });
  await told.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(kept).toEqual(['search=Guest+2']);
  await saveChanges.waitFor();
  await views.getByRole('button', { name: 'All' }).click();
  await saveChanges.waitFor({ state: 'detached' });
});
