import { expect, test } from 'vitest';
import { insertWebhook } from '../helpers/accounts.ts';
import { aContact, anInboundMessage, anOrder } from '../helpers/builders.ts';
import { setRole } from '../helpers/states/accounts.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const within = { timeout: 30_000 };

const markup = '<img src=x onerror="document.title=\'taken\'">';

const anAccount = async () => {
  const account = await api.createAccount();
  const call = async <Body>(method: string, path: string, body?: unknown): Promise<Body> =>
    (await api.request<Body>(method, `/v1${path}`, { key: account.apiKey, ...(body !== undefined && { body }) })).body;
  return { ...account, call };
};

test('events are told in words as they happen; one shows its payload, what it is about, and its deliveries', async () => {
  const { session, call, accountId } = await anAccount();
  await insertWebhook(api.deps, { accountId, url: 'https://shop.example/hook' });
  const page = await web.open('/settings/logs/events', { session });
  await page.getByRole('heading', { name: 'No events yet' }).waitFor();
  expect(await page.getByRole('link', { name: 'Open channels' }).getAttribute('href')).toBe('/settings/channels');

  const contact = await call<{ id: string }>('POST', '/contacts', aContact({ last_name: 'Hopper' }));
  const order = await call<{ id: string }>('POST', '/orders', anOrder(contact.id, { number: markup }));
  await call('PATCH', `/orders/${order.id}`, { status: 'shipped' });
  const names = () => page.getByRole('table', { name: 'Events' }).getByRole('rowheader').allTextContents();
  await expect.poll(names, within).toEqual(['order_status_changed', 'order_placed', 'new_contact']);
  await page.getByText(`The order ${markup} went from placed to shipped`).waitFor();
  await page.getByRole('link', { name: 'Ada Hopper' }).first().waitFor();
  expect(await findBarriers(page)).toEqual([]);

  await page.getByRole('combobox', { name: 'Event' }).click();
  await page.getByRole('option', { name: 'order_placed' }).click();
  await expect.poll(names, within).toEqual(['order_placed']);
  expect(new URL(page.url()).searchParams.get('event')).toBe('order_placed');
  await page.reload();
  await expect.poll(names, within).toEqual(['order_placed']);
  await page.goto(`${api.url}/settings/logs/events?until=2020-01-01`);
  await page.getByRole('heading', { name: 'No matching events' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();

  await page.getByRole('link', { name: 'order_status_changed' }).click();
  await page.getByRole('region', { name: 'Payload' }).getByText('"to": "shipped"').first().waitFor();
  expect(await page.getByRole('link', { name: `Order ${markup}` }).getAttribute('href')).toBe(`/orders/${order.id}`);
  const deliveries = page.getByRole('table', { name: 'Deliveries' });
  await deliveries.getByText('shop.example/hook').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(await page.locator('img[src=x]').count()).toBe(0);

  const path = new URL(page.url()).pathname;
  await deliveries.getByRole('link', { name: 'order_status_changed' }).click();
  await page.waitForURL('**/settings/logs/delivery/**');
  await page.getByRole('main').getByRole('link', { name: 'order_status_changed' }).click();
  await page.waitForURL(`**${path}`);
  await page.getByRole('link', { name: 'Open delivery log' }).click();
  await page.waitForURL(`**/settings/logs/delivery?status=all&event_id=${path.split('/').at(-1)}`);
  const rows = page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr');
  await expect.poll(() => rows.count(), within).toBe(1);

  const channel = await call<{ id: string }>('POST', '/channels', { type: 'api', name: 'Shop' });
  await call('POST', `/channels/${channel.id}/inbound`, anInboundMessage({ text: markup }));
  const { data } = await call<{ data: { id: string }[] }>('GET', '/conversations');
  await call('POST', `/conversations/${data[0]?.id}/close`);
  await page.goto(`${api.url}/settings/logs/events`);
  await page.getByText(`Wrote: ${markup}`).waitFor();
  await page.getByRole('link', { name: 'conversation_closed' }).click();
  await page.getByRole('link', { name: 'Conversation', exact: true }).click();
  await page.waitForURL(`**/inbox/${data[0]?.id}`);
});

test('an agent sees what happened without what it told, and an event that no webhook got says so', async () => {
  const { session, call, userId } = await anAccount();
  await setRole(api.db, userId, 'agent');
  const { id } = await call<{ id: string }>('POST', '/contacts', aContact());
  await call('PUT', `/contacts/${id}/tags/secret-plan`);
  const page = await web.open('/settings/logs/events', { session, colorScheme: 'dark' });
  await page.getByRole('row', { name: /tag_applied Got a tag Ada Lovelace/ }).waitFor();
  await page.getByRole('link', { name: 'tag_applied' }).click();
  await page.getByText('Only editors and owners see payloads.').waitFor();
  await page.getByRole('heading', { name: 'No webhook was subscribed' }).waitFor();
  expect(await page.content()).not.toContain('secret-plan');
  expect(await findBarriers(page)).toEqual([]);
});
