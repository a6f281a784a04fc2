import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';
import { aColleague } from '../helpers/states/accounts.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';
import { startTokenServer, type TokenServer } from '../helpers/token-server.ts';

const { api, web } = await useWeb();
let server: TokenServer;
beforeAll(async () => {
  server = await startTokenServer();
});
afterAll(() => server.close());

type Credentials = { data: { name: string; type: string; param: string | null; hosts: string[] }[] };

test('a credential is made and replaced, its value is shown nowhere, and one that a flow uses stays', async () => {
  const account = await api.createAccount();
  const { accountId, apiKey: key } = account;
  const session = await createSession(api.db, await aColleague(api.db, accountId, 'editor'));
  const credentials = async () => (await api.request<Credentials>('GET', '/v1/credentials', { key })).body.data;
  const page = await web.open('/settings/credentials', { session });
  const dialog = page.getByRole('dialog');
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const hosts = dialog.getByRole('textbox', { name: 'Hosts' }).or(dialog.getByLabel('Hosts')).first();
  const create = () => dialog.getByRole('button', { name: 'Create credential' }).click();

  await page.getByRole('heading', { name: 'No credentials yet' }).waitFor();
  await page.getByRole('button', { name: 'Create credential' }).first().click();
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('not a name');
  await dialog.getByRole('textbox', { name: 'Token' }).fill('t0ps3cret-1');
  await hosts.fill('https://api.example.com');
  await hosts.press('Enter');
  await create();
  await dialog.getByText(/^must be a letter, then/).waitFor();
  await dialog.getByText(/^must be a host without scheme/).waitFor();
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('shop');
  await hosts.press('Backspace');
  await hosts.fill('*.Example.com');
  await hosts.press('Enter');
  expect(await findBarriers(page)).toEqual([]);
  await create();
  await row('shop').waitFor();
  expect(await credentials()).toMatchObject([{ name: 'shop', type: 'bearer', hosts: ['*.example.com'] }]);

  await page.getByRole('button', { name: 'Create credential' }).click();
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('crm');
  await dialog.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Header' }).click();
  await dialog.getByLabel('Header name').fill('X-Key');
  await dialog.getByRole('textbox', { name: 'Value' }).fill('t0ps3cret-2');
  await hosts.fill('crm.example.com');
  await create();
  await row('X-Key: …').waitFor();
  expect(await credentials()).toMatchObject([{ name: 'crm', param: 'X-Key', hosts: ['crm.example.com'] }, {}]);

  await row('crm').getByRole('button', { name: 'Replace' }).click();
  expect(await dialog.getByRole('textbox', { name: 'Value' }).inputValue()).toBe('');
  expect(await dialog.getByLabel('Header name').inputValue()).toBe('X-Key');
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole('textbox', { name: 'Value' }).fill('t0ps3cret-3');
  await hosts.fill('10.1.2.3');
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await row('10.1.2.3').waitFor();
  expect(await page.content()).not.toContain('t0ps3cret');
  expect(await findBarriers(page)).toEqual([]);

  const call = {
    id: 'call',
    type: 'external_request',
    method: 'GET',
    url: 'https://crm.example.com/',
    credential: 'crm',
  };
  await flowCalls(api, account).createLive(aFlowDefinition({ blocks: [call] }), '<b>Asks the CRM</b>');
  await row('crm').getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('link', { name: '"<b>Asks the CRM</b>": its draft, its published version' }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await row('shop').getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('The value is deleted for good.').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await row('shop').waitFor({ state: 'detached' });
  expect((await credentials()).map(({ name }) => name)).toEqual(['crm']);
});

test('an OAuth 2.0 credential is created with its client, shows its state, and asks to be reconnected', async () => {
  const account = await api.createAccount();
  const page = await web.open('/settings/credentials', account);
  const dialog = page.getByRole('dialog');
  const row = page.getByRole('row').filter({ hasText: 'shop' });
  const fill = async (name: string, text: string) => {
    await dialog.getByRole('textbox', { name }).fill(text);
  };
  await page.getByRole('button', { name: 'Create credential' }).first().click();
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('shop');
  await dialog.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'OAuth 2.0' }).click();
  await dialog.getByRole('combobox', { name: 'Grant' }).click();
  await page.getByRole('option', { name: 'Refresh token' }).click();
  await fill('Token URL', server.url('/token'));
  await fill('Client ID', 'parley');
  await fill('Client secret', 't0ps3cret-1');
  const hosts = dialog.getByRole('textbox', { name: 'Hosts' }).or(dialog.getByLabel('Hosts')).first();
  await hosts.fill('127.0.0.1');
  await hosts.press('Enter');
  await dialog.getByRole('button', { name: 'Create credential' }).click();
  await dialog.getByText('is required for this grant').waitFor();
  await fill('Refresh token', 't0ps3cret-2');
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create credential' }).click();
  await row.getByText('Not used yet').waitFor();

  const call = { id: 'call', type: 'external_request', method: 'GET', url: server.url('/stock'), credential: 'shop' };
  const flow = await flowCalls(api, account).create(aFlowDefinition({ blocks: [call] }));
  const tried = () =>
    api.request('POST', `/v1/flows/${flow.id}/blocks/call/test-request`, { key: account.apiKey, body: {} });
  server.onExchange = () => ({ type: 'respond', status: 400, body: '{"error": "invalid_grant"}' });
  expect((await tried()).body).toMatchObject({ reason: 'credential', port: 'error' });
  await page.getByText('A credential was refused by its service').waitFor();
  await row.getByText('Reconnect', { exact: true }).waitFor();
  await row.getByText('The token endpoint does not accept the refresh token any more').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const tryAgain = row.getByRole('button', { name: 'Try again' });
  await tryAgain.click();
  await page.getByText('“shop” is still not connected').waitFor();
  server.onExchange = undefined;
  server.refreshToken = 't0ps3cret-2';
  await tryAgain.click();
  await page.getByText('“shop” is connected again').waitFor();
  await row.getByText('Connected').waitFor();
  expect(await tryAgain.count()).toBe(0);
  expect((await tried()).body).toMatchObject({ status_code: 200, port: 'success' });

  server.refreshToken = 't0ps3cret-3';
  await row.getByRole('button', { name: 'Replace' }).click();
  await fill('Client secret', 't0ps3cret-1');
  await fill('Refresh token', 't0ps3cret-3');
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await row.getByText('Not used yet').waitFor();
  expect((await tried()).body).toMatchObject({ status_code: 200, port: 'success' });
  await row.getByText('Connected').waitFor();
  expect(await page.content()).not.toContain('t0ps3cret');
});

test('credentials are not in the navigation of an agent, and their page says which role it needs', async () => {
  const { accountId } = await api.createAccount();
  const session = await createSession(api.db, await aColleague(api.db, accountId, 'agent'));
  const page = await web.open('/settings/credentials', { session });
  await page.getByText('You need the Editor role for this page').waitFor();
  expect(await page.getByRole('link', { name: 'Tags' }).count()).toBe(1);
  expect(await page.getByRole('link', { name: 'Credentials' }).count()).toBe(0);
});
