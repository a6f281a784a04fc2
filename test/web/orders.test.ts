import { expect, test } from 'vitest';
import { parseJson } from '../../src/shared/platform/json/parse-json.ts';
import { aContact, anOrder } from '../helpers/builders.ts';
import { setRole } from '../helpers/states/accounts.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const within = { timeout: 30_000 };

const markup = '<img src=x onerror="document.title=\'taken\'">';

type Order = { id: string; status: string };

const anAccount = async () => {
  const account = await api.createAccount();
  const call = async <Body>(method: string, path: string, body?: unknown): Promise<Body> =>
    (await api.request<Body>(method, `/v1${path}`, { key: account.apiKey, ...(body !== undefined && { body }) })).body;
  const contact = async (fields: object) => (await call<{ id: string }>('POST', '/contacts', aContact(fields))).id;
  const order = (contactId: string, fields: object) => call<Order>('POST', '/orders', anOrder(contactId, fields));
  return { ...account, call, contact, order };
};

test('orders are found by contact, status and external id, which the url holds, and a new one appears by itself', async () => {
  const { session, contact, order } = await anAccount();
  const ada = await contact({ first_name: 'Ada' });
  const grace = await contact({ first_name: 'Grace', last_name: 'Hopper' });
  await order(ada, { number: '#1', external_id: 'shop/1' });
  await order(grace, { number: '#2', status: 'shipped' });
  const page = await web.open('/orders', { session });
  const numbers = () => page.getByRole('table', { name: 'Orders' }).getByRole('link', { name: /^#/ }).allTextContents();
  await expect.poll(numbers, within).toEqual(['#2', '#1']);
  await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await order(ada, { number: '#3' });
  await expect.poll(numbers, within).toEqual(['#3', '#2', '#1']);

  await page.getByRole('combobox', { name: 'Contact' }).fill('Hop');
  await page.getByRole('option', { name: 'Grace Hopper' }).click();
  await expect.poll(numbers, within).toEqual(['#2']);
  await page.reload();
  await expect.poll(numbers, within).toEqual(['#2']);
  expect(new URL(page.url()).searchParams.get('contact_id')).toBe(grace);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(numbers, within).toEqual(['#3', '#2', '#1']);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.reload();
  await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
  await page.getByRole('link', { name: 'Ada Lovelace' }).first().waitFor();
  expect(asked.filter((path) => path.startsWith('/dashboard/api/contacts'))).toEqual(['/dashboard/api/contacts']);
  await page.getByRole('searchbox', { name: 'Status' }).fill('Shipped');
  await expect.poll(numbers, within).toEqual(['#2']);
  await page.goto(`${api.url}/orders?external_id=shop/1`);
  await expect.poll(numbers, within).toEqual(['#1']);
  await page.getByRole('searchbox', { name: 'Status' }).fill('on hold');
  await page.getByRole('alert').getByText('must be one word').waitFor();
  await page.goto(`${api.url}/orders?status=gone`);
  await page.getByRole('heading', { name: 'No orders found' }).waitFor();
});

test('an editor gives an order another status, which its history tells; what the shop wrote is text', async () => {
  const { session, call, userId, contact, order } = await anAccount();
  await setRole(api.db, userId, 'editor');
  const { id } = await order(await contact({ first_name: markup, last_name: null }), {
    number: markup,
    currency: 'JPY',
    total: 12_300,
    items: [{ name: markup, sku: 'SH-7', quantity: 2, unit_price: 6_150 }, { name: 'Gift wrap' }],
    metadata: { note: markup },
  });
  const page = await web.open(`/orders/${id}`, { session, colorScheme: 'dark' });
  await page.getByRole('heading', { name: `Order ${markup}`, level: 1 }).waitFor();
  await page.getByRole('link', { name: markup }).waitFor();
  await page.getByRole('row', { name: /SH-7 2 .*6,150/ }).waitFor();
  await page.getByRole('row', { name: 'Gift wrap 1' }).waitFor();
  await page.getByText(/12,300/).waitFor();

  await page.getByRole('button', { name: 'Change status' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Status').fill('on hold');
  await dialog.getByRole('button', { name: 'Change status' }).click();
  await dialog.getByText(/^must be one word/).waitFor();
  await dialog.getByLabel('Status').fill('Shipped');
  await dialog.getByRole('button', { name: 'Change status' }).click();
  await dialog.waitFor({ state: 'detached' });
  const statuses = () => page.getByRole('table', { name: 'Status history' }).getByRole('rowheader').allTextContents();
  await expect.poll(statuses, within).toEqual(['shipped', 'placed']);
  expect((await call<Order>('GET', `/orders/${id}`)).status).toBe('shipped');
  expect(await page.title()).toContain(markup);
  expect(await page.locator('img[src=x]').count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
});

test('a long number of an order, and of a field, keeps its digits on a page', async () => {
  const { session, contact, order } = await anAccount();
  const id = '1234567890123456789';
  const metadata = { erp: parseJson(id) };
  const ada = await contact({ first_name: 'Ada', custom_fields: { tree: { root: parseJson(id) } } });
  const page = await web.open(`/orders/${(await order(ada, { metadata })).id}`, { session });
  await page.getByText(`"erp": ${id}`).waitFor();
  await page.goto(`${api.url}/contacts/${ada}`);
  const tree = page.getByText('"root":');
  await expect.poll(() => tree.textContent(), within).toContain(`"root": ${id}`);
});

test('an agent reads orders and is offered no change; a list without any says how the first is placed', async () => {
  const { session, userId, contact, order } = await anAccount();
  await setRole(api.db, userId, 'agent');
  const page = await web.open('/orders', { session });
  await page.getByRole('group', { name: 'Request as curl' }).getByText('/v1/orders').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const { id } = await order(await contact({}), {});
  await page.getByRole('link', { name: '#1042' }).click();
  await page.waitForURL(`**/orders/${id}`);
  await page.getByRole('row', { name: /Shirt, blue/ }).waitFor();
  expect(await page.getByRole('button', { name: 'Change status' }).count()).toBe(0);
});

test('the statuses of orders differ in color, in light and dark', async () => {
  const { session, contact, order } = await anAccount();
  const ada = await contact({ first_name: 'Ada' });
  const statuses = ['placed', 'paid', 'shipped', 'cancelled'];
  for (const [place, status] of statuses.entries()) await order(ada, { number: `#${place}`, status });
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await web.open('/orders', { session, colorScheme });
    await page.getByRole('cell', { name: 'shipped' }).waitFor();
    const colors = await page.evaluate<string[]>(
      "[...document.querySelectorAll('td .status')].map((status) => getComputedStyle(status).backgroundColor)",
    );
    expect(new Set(colors).size).toBe(statuses.length);
    expect(await findBarriers(page)).toEqual([]);
  }
});
