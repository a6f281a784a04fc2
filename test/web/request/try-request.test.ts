import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { flowCalls } from '../../helpers/flows.ts';
import { startReceiver } from '../../helpers/receiver.ts';
import { setRole } from '../../helpers/states/accounts.ts';
import { findBarriers } from '../helpers/axe.ts';
import { useWeb } from '../helpers/web.ts';
import { goToTab, openEditor } from './open-editor.ts';

const { api, web } = await useWeb();

const markup = '<img src=x onerror=alert(1)>';

const aShop = async (answer: unknown, headers: Record<string, string> = {}) => {
  const shop = await startReceiver({
    respond: { type: 'respond', body: typeof answer === 'string' ? answer : JSON.stringify(answer), headers },
  });
  onTestFinished(() => shop.close());
  return shop;
};

const treeOf = (page: Page): Locator => page.getByRole('tree', { name: 'Values of the response' });

test('what stands in the editor is tried with a contact, unsaved, and a clicked value becomes a mapping', async () => {
  const account = await api.createAccount();
  const { call } = flowCalls(api, account);
  const shop = await aShop({ order: { status: markup, total: 12.5, [markup]: 1 } }, { 'x-note': markup });
  await call('POST', '/custom-fields', { key: 'size', name: 'Size', type: 'text' });
  await call('POST', '/custom-fields', { key: 'order_total', name: 'Total', type: 'number' });
  await call('POST', '/contacts', { first_name: 'Ada', custom_fields: { size: 'L' } });
  const { page, stored } = await openEditor({ api, web }, account, {
    method: 'POST',
    url: shop.url('/stock'),
    body: '{"who": "{{first_name}}", "size": "{{size}}", "n": {{params.n}}}',
  });
  const panel = page.locator('.panel');
  await panel.getByRole('textbox', { name: 'URL', exact: true }).fill(shop.url('/orders'));
  await goToTab(page, 'Test');
  await panel.getByLabel('Contact').click();
  await page.getByRole('option', { name: 'Ada' }).click();
  await expect.poll(() => panel.getByLabel('first_name (Text)').inputValue()).toBe('Ada');
  expect(await panel.getByLabel('size (Text)').inputValue()).toBe('L');
  await panel.getByLabel('size (Text)').fill('XL');
  await panel.getByLabel('params.n').fill('7');
  await panel.getByRole('button', { name: 'Send request' }).click();
  await treeOf(page).getByText(`"${markup}"`).waitFor();
  expect(shop.requests[0]?.rawBody.toString()).toBe('{"who": "Ada", "size": "XL", "n": 7}');
  const sent = panel.getByRole('group', { name: 'Request as sent' });
  await sent.getByText(`POST ${shop.url('/orders')}`).waitFor();
  await sent.getByText('{"who": "Ada", "size": "XL", "n": 7}').waitFor();
  expect(await findBarriers(page)).toEqual([]);

  await treeOf(page).getByText('total').click();
  const dialog = page.getByRole('dialog', { name: 'Map value to field' });
  await dialog.getByText('$.order.total = 12.5').waitFor();
  await dialog.getByRole('button', { name: 'Add mapping' }).click();
  await treeOf(page).getByText('→ order_total').waitFor();
  await treeOf(page).getByText(`"${markup}"`).click();
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create field' }).click();
  await treeOf(page).getByText('→ order_status').waitFor();
  await treeOf(page).getByText(`${markup}: `).click();
  await dialog.getByText(`$.order['${markup}'] = 1`).waitFor();
  expect(await dialog.getByLabel('Key').inputValue()).toBe('order_img_src_x_onerror_alert_1');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await panel.getByText(/^\d+ headers$/).click();
  await panel.getByRole('button', { name: 'Map $headers.x-note' }).click();
  await dialog.getByRole('combobox', { name: 'Field' }).click();
  await page.getByRole('option', { name: 'last_name' }).click();
  await dialog.getByRole('button', { name: 'Add mapping' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await findBarriers(page)).toEqual([]);
  await expect.poll(stored).toMatchObject({
    mapping: [
      { path: '$.order.total', field: 'order_total' },
      { path: '$.order.status', field: 'order_status' },
      { path: '$headers.x-note', field: 'last_name' },
    ],
  });
});

test('problems of a test are told in words, at their field: wrong JSON, a refused address, a half-finished block', async () => {
  const account = await api.createAccount();
  const { page } = await openEditor({ api, web }, account, {
    method: 'POST',
    url: 'http://169.254.169.254/latest',
    body: '{\n"n": {{first_name}}x}',
  });
  const panel = page.locator('.panel');
  const sendRequest = async () => {
    await goToTab(page, 'Test');
    await panel.getByRole('button', { name: 'Send request' }).click();
  };
  await sendRequest();
  await panel.getByText('Nothing was sent').waitFor();
  await panel.getByText(/^Line 2, character \d+: /).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Open body' }).click();
  await panel.getByRole('textbox', { name: 'Body', exact: true }).fill('{"n": {{first_name}}}');
  await sendRequest();
  await panel.getByText('the address is not allowed').waitFor();
  await goToTab(page, 'Request');
  await panel.getByLabel('Timeout in seconds').fill('500');
  await sendRequest();
  await panel.getByText('This block cannot be sent yet').waitFor();
  await panel.getByText(/^timeout_ms: /).waitFor();
});

test('an answer of nearly 1 MiB and one that is nested deeply are shown without delay, and can be mapped by keyboard', async () => {
  const account = await api.createAccount();
  const items = Array.from({ length: 12_000 }, (_, number) => ({ number, text: 'x'.repeat(60) }));
  const shop = await aShop({ first: 'a', items });
  const { page } = await openEditor({ api, web }, account, { url: shop.url('/') });
  const panel = page.locator('.panel');
  await goToTab(page, 'Test');
  await panel.getByRole('button', { name: 'Send request' }).click();
  const tree = treeOf(page);
  await tree.getByText('[12000]').waitFor();
  expect(await tree.getByRole('treeitem').count()).toBe(3);
  await tree.getByRole('treeitem').first().focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'End', 'Enter', 'End']) await page.keyboard.press(key);
  await tree.getByText('Show more (11900 left)').waitFor();
  for (const key of ['Home', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  const dialog = page.getByRole('dialog', { name: 'Map value to field' });
  await dialog.getByText('$.first = "a"').waitFor();
  await dialog.locator(':focus').waitFor();
  await page.keyboard.press('Enter');
  await tree.getByText('→ first').waitFor();
  expect(await findBarriers(page)).toEqual([]);

  shop.respondWith({ type: 'respond', body: `${'['.repeat(20_000)}1${']'.repeat(20_000)}` });
  await panel.getByRole('button', { name: 'Send request' }).click();
  await expect.poll(() => tree.getByRole('treeitem').count()).toBe(40);
  await tree.getByRole('treeitem').last().click();
  await panel.getByText('This value lies too deep for a path.').waitFor();
});

test('a response without JSON is shown as text, and an error is mapped by the error mapping', async () => {
  const account = await api.createAccount();
  const shop = await aShop(`<html>${markup}`);
  const { page, stored } = await openEditor({ api, web }, account, { url: shop.url('/') });
  const panel = page.locator('.panel');
  await goToTab(page, 'Test');
  await panel.getByRole('button', { name: 'Send request' }).click();
  await panel.getByRole('group', { name: 'Text of the response' }).getByText(markup).waitFor();
  shop.respondWith({ type: 'respond', status: 404, body: '{"error": "gone"}' });
  await panel.getByRole('button', { name: 'Send request' }).click();
  await treeOf(page).getByText('"gone"').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create field' }).click();
  await treeOf(page).getByText('→ error').waitFor();
  await expect.poll(stored).toMatchObject({ error_mapping: [{ path: '$.error', field: 'error' }] });
});

test('an agent is offered no builder, and so no test of a request', async () => {
  const account = await api.createAccount();
  const { page } = await openEditor({ api, web }, account);
  await setRole(api.db, account.userId, 'agent');
  await page.reload();
  await page.getByRole('tab', { name: 'Drawing' }).waitFor();
  expect(await page.getByRole('tab', { name: 'Builder' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Send request' }).count()).toBe(0);
});
