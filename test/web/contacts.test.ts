import { expect, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { aContact, anInboundMessage, anOrder } from '../helpers/builders.ts';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';
import { aColleague, setRole } from '../helpers/states/accounts.ts';
import { allWaitAtAsk } from '../helpers/states/runs.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

type Contact = {
  id: string;
  last_name: string | null;
  tags: string[];
  custom_fields: Record<string, unknown>;
  automation_paused_until: string | null;
};

const anAccount = async () => {
  const account = await api.createAccount();
  const call = async <Body>(method: string, path: string, body?: unknown): Promise<Body> =>
    (await api.request<Body>(method, `/v1${path}`, { key: account.apiKey, ...(body !== undefined && { body }) })).body;
  return { ...account, call };
};

test('what is known of a contact stays within its frame', async () => {
  const { session, call } = await anAccount();
  const { id } = await call<Contact>('POST', '/contacts', aContact());
  const page = await web.open(`/contacts/${id}`, { session, locale: 'en-US' });
  const frame = page.getByRole('region', { name: 'Contact', exact: true });
  const rightOf = async (within: string): Promise<number> => {
    const box = await frame.locator(within).first().boundingBox();
    return (box?.x ?? 0) + (box?.width ?? 0);
  };
  await frame.locator('time').first().waitFor();
  expect(await rightOf('time')).toBeLessThanOrEqual(await rightOf('.facts'));
});

test('contacts are found by search, tag and condition, which the url holds, and one is created', async () => {
  const { session, call } = await anAccount();
  const ada = await call<Contact>('POST', '/contacts', aContact({ custom_fields: { orders: 3 } }));
  await call('POST', '/contacts', aContact({ first_name: 'Grace', last_name: 'Hopper', custom_fields: { orders: 7 } }));
  await call('PUT', `/contacts/${ada.id}/tags/vip`);
  const page = await web.open('/contacts', { session });
  await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
  const names = () => page.getByRole('table').getByRole('link').allTextContents();
  await expect.poll(names, { timeout: 10_000 }).toEqual(['Grace Hopper', 'Ada Lovelace']);
  expect(await findBarriers(page)).toEqual([]);

  await page.getByRole('searchbox', { name: 'Search' }).fill('hop');
  await expect.poll(names, { timeout: 10_000 }).toEqual(['Grace Hopper']);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('button', { name: 'Add condition' }).click();
  await page.getByRole('combobox', { name: 'Custom field' }).click();
  await page.getByRole('option', { name: 'orders' }).click();
  await page.getByRole('combobox', { name: 'Comparison' }).click();
  await page.getByRole('option', { name: 'is less than' }).click();
  await page.getByRole('spinbutton', { name: 'Value' }).fill('5');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect.poll(names, { timeout: 10_000 }).toEqual(['Ada Lovelace']);
  expect(new URL(page.url()).searchParams.getAll('field')).toEqual(['orders:lt:5']);
  await page.goto(`${api.url}/contacts?tag=vip&field=orders:gt:5`);
  await page.getByRole('heading', { name: 'No contacts found' }).waitFor();
  await page.getByRole('button', { name: 'Remove condition orders is more than 5' }).click();
  await expect.poll(names, { timeout: 10_000 }).toEqual(['Ada Lovelace']);

  await page.getByRole('button', { name: 'Create contact' }).click();
  const dialog = page.getByRole('dialog');
  const heightOf = async (label: string) => (await dialog.getByLabel(label).boundingBox())?.y;
  expect(await heightOf('E-mail')).toBe(await heightOf('Phone'));
  await dialog.getByLabel('First name').fill('<img src=x onerror=alert(1)>');
  await dialog.getByLabel('Phone').fill('0151');
  await dialog.getByRole('button', { name: 'Create contact' }).click();
  await dialog.getByText(/^must be in international form/).waitFor();
  await dialog.getByLabel('Phone').fill('+4915112345679');
  await dialog.getByRole('button', { name: 'Create contact' }).click();
  await page.getByRole('heading', { name: '<img src=x onerror=alert(1)>', level: 1 }).waitFor();
});

test('conditions say times in the user’s zone and yes or no in words, and a keyboard makes them and takes them away', async () => {
  const { session, call } = await anAccount();
  await call('POST', '/custom-fields', { key: 'seen_at', name: 'Seen', type: 'datetime' });
  await call('POST', '/custom-fields', { key: 'member', name: 'Member', type: 'boolean' });
  const page = await web.open('/contacts', { session, timezoneId: 'America/New_York' });
  const addCondition = page.getByRole('button', { name: 'Add condition' });
  await addCondition.click();
  await page.getByRole('combobox', { name: 'Custom field' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Custom field' }).waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Add condition');

  await addCondition.click();
  await page.getByRole('combobox', { name: 'Custom field' }).click();
  await page.getByRole('option', { name: 'Seen' }).click();
  await page.getByRole('combobox', { name: 'Comparison' }).click();
  await page.getByRole('option', { name: 'is at least' }).click();
  await page.getByLabel('Value').fill('2026-03-01T10:00:00');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect
    .poll(() => new URL(page.url()).searchParams.getAll('field'))
    .toEqual(['seen_at:gte:2026-03-01T15:00:00.000Z']);
  await page
    .getByText(/^Seen is at least/)
    .getByText(/^Mar 1, 2026, 10:00:00\sAM$/)
    .waitFor();

  await page.goto(`${api.url}/contacts?field=member:eq:true&field=seen_at:lt:2026-03-01T15:00:00.000Z`);
  await page.getByText('Member is Yes').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const remove = page.getByRole('button', { name: 'Remove condition Member is Yes' });
  expect(await remove.evaluate((button: { tabIndex: number }) => button.tabIndex)).toBe(0);
  await remove.press('Enter');
  await remove.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Remove condition Seen is less than Mar 1, 2026, 10:00:00\sAM$/ }).waitFor();
});

test('a contact’s values are changed once its account’s fields are known, and why they are not is told', async () => {
  const { session, call } = await anAccount();
  await call('POST', '/custom-fields', { key: 'size', name: 'Size', type: 'text' });
  const { id } = await call<Contact>('POST', '/contacts', aContact({ custom_fields: { orders: 3 } }));
  const page = await web.open('/nowhere', { session });
  const answer = Promise.withResolvers<void>();
  await page.route('**/custom-fields?*', async (route) => {
    await answer.promise;
    await route.fulfill({ status: 409, json: { error: { code: 'conflict', message: 'Not now', request_id: '1' } } });
  });
  await page.goto(`${api.url}/contacts/${id}`);
  const fields = page.getByRole('region', { name: 'Custom fields' });
  const add = fields.getByRole('button', { name: 'Add value' });
  await add.waitFor();
  expect(await add.isDisabled()).toBe(true);
  expect(await fields.getByRole('button', { name: 'Change orders' }).isDisabled()).toBe(true);
  answer.resolve();
  await fields.getByRole('alert').getByText('Not now').waitFor();
  expect(await add.isDisabled()).toBe(true);
  await page.unroute('**/custom-fields?*');
  await fields.getByRole('button', { name: 'Try again' }).click();
  await add.click();
  await page.getByRole('dialog').getByRole('combobox', { name: 'Custom field' }).click();
  await page.getByRole('option', { name: 'Size' }).waitFor();
});

test('an agent changes a contact: fields, tags, typed custom fields, and a pause; enrolling is not shown', async () => {
  const { session, call, userId } = await anAccount();
  await call('POST', '/custom-fields', { key: 'size', name: 'Size', type: 'text', options: ['S', 'M'] });
  const { id } = await call<Contact>('POST', '/contacts', aContact({ custom_fields: { orders: 3 } }));
  await setRole(api.db, userId, 'agent');
  const read = () => call<Contact>('GET', `/contacts/${id}`);
  const page = await web.open(`/contacts/${id}`, { session, colorScheme: 'dark' });
  await page.getByRole('button', { name: 'Edit contact' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Last name').fill('King');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Ada King' }).waitFor();

  const tags = page.getByRole('region', { name: 'Tags' });
  await tags.getByRole('combobox', { name: 'Add tag' }).or(tags.getByLabel('Add tag')).first().fill('a/b <b>');
  await tags.getByRole('button', { name: 'Add', exact: true }).click();
  const takeOff = tags.getByRole('button', { name: 'Remove tag a/b <b>' });
  await takeOff.waitFor();
  expect((await read()).tags).toEqual(['a/b <b>']);
  await takeOff.click();
  await tags.getByText('No tags yet.').waitFor();

  await page.getByRole('button', { name: 'Add value' }).click();
  await dialog.getByRole('combobox', { name: 'Custom field' }).click();
  await page.getByRole('option', { name: 'Size' }).click();
  await dialog.getByRole('combobox', { name: 'Value' }).click();
  await page.getByRole('option', { name: 'M', exact: true }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Change Size' }).waitFor();
  await page.getByRole('button', { name: 'Change orders' }).click();
  await dialog.getByRole('textbox', { name: 'Value' }).fill('4');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await read()).custom_fields).toEqual({ orders: 4, size: 'M' });
  await page.getByRole('button', { name: 'Change orders' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await read()).custom_fields).toEqual({ size: 'M' });

  const automation = page.getByRole('region', { name: 'Automation' });
  await automation.getByRole('button', { name: 'Pause automation' }).click();
  await page.getByRole('menuitem', { name: 'For a day' }).click();
  await automation.getByRole('button', { name: 'Resume automation' }).waitFor();
  expect((await read()).automation_paused_until).not.toBeNull();
  await automation.getByRole('button', { name: 'Resume automation' }).click();
  await automation.getByRole('button', { name: 'Pause automation' }).waitFor();
  expect(await automation.getByRole('button', { name: 'Enroll in flow' }).count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
});

test('an editor enrols a contact; its run, order and timeline are told in words', async () => {
  const account = await anAccount();
  const { session, call } = account;
  const { id } = await call<Contact>('POST', '/contacts', aContact());
  const order = await call<{ id: string }>('POST', '/orders', anOrder(id));
  await call('PATCH', `/orders/${order.id}`, { status: 'shipped' });
  await flowCalls(api, account).createLive(aFlowDefinition(), 'Ask the size');
  const page = await web.open(`/contacts/${id}`, { session });
  await page.getByRole('button', { name: 'Enroll in flow' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Flow' }).click();
  await page.getByRole('option', { name: 'Ask the size' }).click();
  await dialog.getByLabel('Params').fill('[1]');
  await dialog.getByRole('button', { name: 'Enroll in flow' }).click();
  await dialog.getByLabel('Params').and(dialog.locator('[aria-invalid=true]')).waitFor();
  await dialog.getByLabel('Params').fill('{"sku": "T-100"}');
  await dialog.getByRole('button', { name: 'Enroll in flow' }).click();
  await page.waitForURL(/\/runs\/run_/);
  const runs = await call<{ data: { params: object }[] }>('GET', `/runs?contact_id=${id}`);
  expect(runs.data).toMatchObject([{ params: { sku: 'T-100' } }]);

  await allWaitAtAsk(api.db, { accountId: account.accountId, blockId: 'hello' });
  await page.goto(`${api.url}/contacts/${id}?tab=runs`);
  const row = page.getByRole('row', { name: /Ask the size/ });
  expect(await row.textContent()).toMatch(/Waiting.*for a reply.*at “hello”.*since .*\(times out /);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByText('Entered the flow Ask the size').waitFor();
  await page.getByText('The order #1042 went from placed to shipped').waitFor();
  await page.getByText('Placed the order #1042').waitFor();
  expect(await findBarriers(page)).toEqual([]);
});

test('how long ago something was is told of now, also after a page that tells no times', async () => {
  const { session, call } = await anAccount();
  await call('POST', '/contacts', aContact());
  const page = await web.open('/nowhere/at/all', { session, alone: true });
  await page.clock.install();
  await page.reload();
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.clock.fastForward('02:00:00');
  await page.getByRole('link', { name: 'Contacts' }).click();
  const ago = page.getByRole('cell', { name: /ago$/ }).first();
  await ago.waitFor();
  expect(await ago.textContent()).toBe('2 hours ago');
});

test('one sentence says whether automation is on, and what keeps it off, and it is true', async () => {
  const { session, apiKey: key } = await api.createAccount();
  const post = <Body extends object>(path: string, body: object) => api.request<Body>('POST', path, { key, body });
  const { body: channel } = await post<{ id: string }>('/v1/channels', { type: 'api', name: 'Shop on the web' });
  const { body: received } = await post<{ contact_id: string }>(
    `/v1/channels/${channel.id}/inbound`,
    anInboundMessage(),
  );
  const id = received.contact_id;
  const { body: handover } = await post<{ id: string }>('/v1/handovers', { contact_id: id, reason: 'Help' });
  const page = await web.open(`/contacts/${id}`, { session });
  await page.getByText('Automation is paused until the handover is resolved.').waitFor();
  expect(await page.getByText('Automation is on.').count()).toBe(0);
  await page.getByText('Shop on the web').waitFor();
  await post(`/v1/handovers/${handover.id}/resolve`, {});
  await page.getByText('Automation is on.').waitFor();
  await api.request('PATCH', `/v1/contacts/${id}`, { key, body: { status: 'unsubscribed' } });
  await page.getByText('Automation is off: the contact is unsubscribed.').waitFor();
  expect(await page.getByText('Automation is on.').count()).toBe(0);
});

test('an agent writes to a contact, unsubscribes, blocks and unblocks it, and is asked before messages are lost', async () => {
  const { session, apiKey: key, accountId } = await api.createAccount();
  const agent = await createSession(api.db, await aColleague(api.db, accountId, 'agent'));
  const { body: channel } = await api.request<{ id: string }>('POST', '/v1/channels', {
    key,
    body: { type: 'api', name: 'Shop' },
  });
  const { body: received } = await api.request<{ contact_id: string }>('POST', `/v1/channels/${channel.id}/inbound`, {
    key,
    body: anInboundMessage(),
  });
  const path = `/contacts/${received.contact_id}`;
  const status = async () =>
    (await api.request<{ status: string }>('GET', `/dashboard/api${path}`, { session })).body.status;
  const page = await web.open(path, { session: agent });
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Send message' }).click();
  await dialog.getByLabel('Message').fill('Hello from an agent');
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Message queued').waitFor();
  await page.getByText('Hello from an agent').waitFor();

  const choose = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await choose('Block');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await status()).toBe('active');
  await choose('Unsubscribe');
  await dialog.getByText('Queued messages are not sent.').waitFor();
  await dialog.getByRole('button', { name: 'Unsubscribe' }).click();
  await page.getByText('Automation is off: the contact is unsubscribed.').waitFor();
  expect(await page.getByRole('button', { name: 'Send message' }).count()).toBe(0);
  await choose('Subscribe again');
  await dialog.getByRole('button', { name: 'Subscribe again' }).click();
  await page.getByText('Automation is on.').waitFor();
  await choose('Block');
  await dialog.getByRole('button', { name: 'Block' }).click();
  await page.getByText('Automation is off: the contact is blocked.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await choose('Unblock');
  await page.getByText('Automation is on.').waitFor();
  expect(await status()).toBe('active');
});
