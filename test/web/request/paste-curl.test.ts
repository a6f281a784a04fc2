import { expect, test } from 'vitest';
import { findBarriers } from '../helpers/axe.ts';
import { useWeb } from '../helpers/web.ts';
import { goToTab, openEditor, paste } from './open-editor.ts';

const { api, web } = await useWeb();

const markup = '<img src=x onerror=alert(1)>';

test('a cURL pasted into the URL replaces the request, and its secrets become credentials or are left out', async () => {
  const account = await api.createAccount();
  const { page, stored } = await openEditor({ api, web }, account, { mapping: [{ path: '$.a', field: 'last_name' }] });
  const panel = page.locator('.panel');
  await panel.getByRole('textbox', { name: 'URL', exact: true }).click();
  await paste(
    page,
    `curl -k 'https://api.shop.example/orders/4711' -H 'Authorization: Bearer sk_live_t0ps3cret' -H 'X-Api-Key: k_t0ps3cret' --json '{"note": "${markup}", "password": "p_t0ps3cret"}'`,
  );
  const dialog = page.getByRole('dialog', { name: 'Paste cURL' });
  await dialog.getByText('POST https://api.shop.example/orders/4711').waitFor();
  await dialog.getByText('is refused: certificates are always verified').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const own = dialog.getByRole('group', { name: 'Secret of api.shop.example' });
  await own.getByLabel('Credential').fill('not a name');
  await dialog.getByRole('button', { name: 'Replace request' }).click();
  await own.getByText(/^must be a letter/).waitFor();
  await own.getByLabel('Credential').fill('shop');
  const key = dialog.getByRole('group', { name: 'Secret of headers.X-Api-Key' });
  await key.getByRole('combobox', { name: 'Becomes' }).click();
  await page.getByRole('option', { name: 'Nothing: leave it out' }).click();
  await dialog.getByRole('button', { name: 'Replace request' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { body } = await api.request<{ data: object[] }>('GET', '/v1/credentials', { key: account.apiKey });
  expect(body.data).toMatchObject([
    { name: 'shop_password', type: 'query', hosts: ['api.shop.example'] },
    { name: 'shop', type: 'bearer', hosts: ['api.shop.example'] },
  ]);
  await goToTab(page, 'Mapping');
  await panel.getByRole('group', { name: 'Mapping 1' }).waitFor();
  expect(await page.content()).not.toContain('t0ps3cret');
  await expect.poll(stored).toMatchObject({
    id: 'call',
    method: 'POST',
    credential: 'shop',
    body: `{"note": "${markup}", "password": "{{credential.shop_password}}"}`,
    mapping: [{ path: '$.a', field: 'last_name' }],
  });
  expect(await stored()).not.toHaveProperty('headers.X-Api-Key');
});

test('a command that makes no request is refused at its place, and can be repaired in the dialog', async () => {
  const account = await api.createAccount();
  const { page } = await openEditor({ api, web }, account);
  await page.getByRole('button', { name: 'Paste cURL' }).click();
  const dialog = page.getByRole('dialog', { name: 'Paste cURL' });
  const command = dialog.getByLabel('cURL command');
  await command.fill('curl https://a.example/x \\\n  -d @order.json');
  await dialog.getByText(/^Line 2, character 3: has -d with a file/).waitFor();
  expect(await dialog.getByRole('button', { name: 'Replace request' }).count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
  await command.fill('curl https://api.telegram.example/bot123456:ABC-DEF1234ghIkl/send -d chat=1');
  await dialog.getByLabel(/^Replace bot12345… with a placeholder/).check();
  await dialog.getByLabel(/^Placeholder for/).fill('params.bot');
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await dialog.getByRole('button', { name: 'Replace request' }).focus();
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  const url = page.locator('.panel').getByRole('textbox', { name: 'URL', exact: true });
  await url.getByText('https://api.telegram.example/{{params.bot}}/send').waitFor();
});
