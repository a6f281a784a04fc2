import { expect, test } from 'vitest';
import { findBarriers } from '../helpers/axe.ts';
import { useWeb } from '../helpers/web.ts';
import { goToTab, openEditor } from './open-editor.ts';

const { api, web } = await useWeb();

test('the editor of an External Request writes every part of the block, and reads it again', async () => {
  const account = await api.createAccount();
  const { page, stored } = await openEditor({ api, web }, account);
  const side = page.locator('.panel');
  await side.getByRole('combobox', { name: 'Method' }).click();
  await page.getByRole('option', { name: 'POST' }).click();
  await side.getByRole('textbox', { name: 'URL', exact: true }).fill('https://shop.example.com/stock');
  const headers = side.getByRole('region', { name: 'Headers' });
  await headers.getByLabel('New name').pressSequentially('X-Trace');
  await headers.getByRole('textbox', { name: 'Value of X-Trace', exact: true }).fill('{{run.id}}');
  const query = side.getByRole('region', { name: 'Query parameters' });
  await query.getByLabel('New name').pressSequentially('12');
  await query.getByLabel('New name').press('Tab');
  await query.getByRole('textbox', { name: 'Value of 12', exact: true }).fill('x');
  await query.getByLabel('New name').pressSequentially('12');
  await query.getByText('This name is in use already.').waitFor();
  await query.getByLabel('New name').press('Tab');
  await side.getByLabel('Timeout in seconds').fill('12.5');
  await side.getByLabel('Follow redirects').check();
  await side.getByLabel('Repeat for each item of a list').check();
  await side.getByRole('textbox', { name: 'List', exact: true }).fill('{{params.orders}}');
  expect(await findBarriers(page)).toEqual([]);

  await goToTab(page, 'Body');
  await side.getByRole('radiogroup', { name: 'Body type' }).getByText('JSON').click();
  await side.getByRole('textbox', { name: 'Body', exact: true }).fill('{"size": {{size}x}}');
  await side.getByText(/^Line 1, character \d+: /).waitFor();
  await side.getByRole('textbox', { name: 'Body', exact: true }).fill('{\n"size": {{size}},}');
  await side.getByText(/^Line 2, character 18: /).waitFor();
  await side.getByRole('textbox', { name: 'Body', exact: true }).fill('{"size":1}');
  await side.locator('.json-name').getByText('"size"').waitFor();
  await side.getByRole('button', { name: 'Format JSON' }).click();
  expect(await findBarriers(page)).toEqual([]);

  await goToTab(page, 'Mapping');
  await side.getByRole('button', { name: 'Add mapping' }).first().click();
  const row = side.getByRole('group', { name: 'Mapping 1' });
  await row.getByLabel('Path').fill('$.order.paidAt');
  await row.getByRole('combobox', { name: 'Field' }).click();
  await page.getByRole('option', { name: /order_paid_at/ }).click();
  await row.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Date and time' }).click();
  await row.getByRole('button', { name: 'Create field' }).click();
  await row.getByRole('combobox', { name: 'Read time as' }).click();
  await page.getByRole('option', { name: 'Seconds since 1970', exact: true }).click();
  expect(await findBarriers(page)).toEqual([]);

  await goToTab(page, 'Errors');
  await side.getByText('Rules decide').click();
  const rule = side.getByRole('group', { name: 'Rule 1' });
  await rule.getByLabel('Path').fill('$.ok');
  await rule.getByRole('combobox', { name: 'Comparison' }).click();
  await page.getByRole('option', { name: 'is', exact: true }).click();
  await rule.getByLabel('Value').fill('true');
  await side.getByLabel('Attempts').fill('2');
  await side.getByRole('textbox', { name: 'First wait' }).fill('5');
  await side.getByLabel('Retried statuses').first().fill('503');
  await side.getByLabel('Retried statuses').first().press('Enter');
  expect(await findBarriers(page)).toEqual([]);
  await goToTab(page, 'Request');
  expect(await side.getByLabel('Timeout in seconds').inputValue()).toBe('12.5');
  await expect.poll(stored).toMatchObject({
    method: 'POST',
    url: 'https://shop.example.com/stock',
    headers: { 'X-Trace': '{{run.id}}' },
    query: { 12: 'x' },
    timeout_ms: 12_500,
    follow_redirects: true,
    for_each: { items: '{{params.orders}}' },
    body_type: 'json',
    body: '{\n  "size": 1\n}',
    mapping: [{ path: '$.order.paidAt', field: 'order_paid_at', read_as: 'epoch_seconds' }],
    success_when: { rules: [{ path: '$.ok', op: 'is', value: true }] },
    attempts: 2,
    retry: { first_wait: 'PT5S', statuses: [503] },
  });
});

test('a half-finished block with wrong values of every kind is shown, told, and stays as it is', async () => {
  const account = await api.createAccount();
  const wrong = {
    method: 'FETCH',
    url: 7,
    headers: ['x'],
    query: { a: { b: 1 }, c: null },
    body_type: 'xml',
    body: { size: 1 },
    form: 'x',
    mapping: [7, { path: 3, on_missing: 'explode', read_as: 'x' }, null],
    error_mapping: { path: 'x' },
    timeout_ms: 'soon',
    for_each: [1],
    success_when: { rules: [7, { op: 3 }], match: 'some' },
    attempts: 99,
    retry: { first_wait: 7, longest_wait: 'soon', statuses: ['x', null, 9] },
    follow_redirects: 'yes',
    credential: 'nobody',
    methd: 'GET',
  };
  const { page, stored } = await openEditor({ api, web }, account, wrong);
  const before = await stored();
  const side = page.locator('.panel');
  await side.getByRole('group', { name: 'Headers' }).getByText('["x"]').waitFor();
  await side.getByRole('textbox', { name: 'Value of a', exact: true }).getByText('{"b":1}').waitFor();
  for (const name of ['Auth', 'Body', 'Mapping', 'Errors', 'Request']) {
    await goToTab(page, name);
    expect(await findBarriers(page)).toEqual([]);
  }
  await page
    .getByText(/methd: /)
    .first()
    .waitFor();
  expect(await page.getByRole('tab', { name: /Request \d+ problems/ }).count()).toBe(1);
  expect(await stored()).toEqual(before);
});

test('a secret typed into a header becomes a credential that is sent to its host only', async () => {
  const account = await api.createAccount();
  const { page } = await openEditor({ api, web }, account, {
    url: 'https://api.shop.example/orders',
    headers: { Authorization: 'Bearer sk_live_t0ps3cret' },
  });
  const side = page.locator('.panel');
  await goToTab(page, 'Auth');
  await side.getByText('Authorization looks like a secret.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await side
    .getByRole('region', { name: 'Secrets in this request' })
    .getByRole('button', { name: 'Create credential' })
    .click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('shop');
  await dialog.getByRole('button', { name: 'Create credential' }).click();
  await side.getByText('Authorization: Bearer …').waitFor();
  await side.getByText('api.shop.example').waitFor();
  const { body } = await api.request<{ data: object[] }>('GET', '/v1/credentials', { key: account.apiKey });
  expect(body.data).toMatchObject([{ name: 'shop', type: 'bearer', hosts: ['api.shop.example'] }]);
  await goToTab(page, 'Request');
  expect(await side.getByRole('textbox', { name: 'Value of Authorization', exact: true }).count()).toBe(0);
  expect(await page.content()).not.toContain('t0ps3cret');
});
