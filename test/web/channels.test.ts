import { expect, test } from 'vitest';
import { setRole } from '../helpers/states/accounts.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

type Listed = { data: { id: string; name: string; callback_url: string | null }[] };

test('by pages alone a channel is made, tried with a message, and gets a callback url and secrets that are shown once', async () => {
  const { session, apiKey } = await api.createAccount();
  const page = await web.open('/settings/channels', { session });
  await page.getByRole('heading', { name: 'No channels yet' }).waitFor();
  await page.getByRole('button', { name: 'Create channel' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Your server (API)' }).check();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('<b>Shop</b>');
  await dialog.getByRole('button', { name: 'Create channel' }).click();
  await page.getByRole('heading', { name: '<b>Shop</b>', level: 1 }).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';

  const code = page.getByRole('group', { name: 'Request as curl' });
  expect(await code.textContent()).toContain(`curl ${api.url}/v1/channels/${id}/inbound`);

  const trying = page.getByRole('region', { name: 'Send a message as a contact' });
  await trying.getByRole('textbox', { name: 'Text' }).fill('Hello there');
  await trying.getByRole('textbox', { name: 'First name' }).fill('Ada');
  await trying.getByRole('button', { name: 'Send' }).click();
  const link = trying.getByRole('link', { name: 'Open contact' });
  await link.waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const contactId = (await link.getAttribute('href'))?.split('/').at(-1);
  const contact = await api.request<{ first_name: string }>('GET', `/v1/contacts/${contactId}`, { key: apiKey });
  expect(contact.body.first_name).toBe('Ada');
  const messages = await api.request<{ data: { text: string }[] }>('GET', `/v1/contacts/${contactId}/messages`, {
    key: apiKey,
  });
  expect(messages.body.data.map(({ text }) => text)).toEqual(['Hello there']);

  await page.getByRole('button', { name: 'Edit channel' }).click();
  const url = dialog.getByRole('textbox', { name: 'Callback URL' });
  await url.fill('https://10.0.0.1/to-visitors');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(/^must be publicly/).waitFor();
  await url.fill('https://127.0.0.1/to-visitors');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const shown = page.getByRole('dialog', { name: 'Secret' });
  expect(await shown.locator('code').textContent()).toMatch(/^whsec_/);
  await shown.getByRole('button', { name: 'Done' }).click();
  const listed = await api.request<Listed>('GET', '/v1/channels', { key: apiKey });
  expect(listed.body.data).toMatchObject([{ id, callback_url: 'https://127.0.0.1/to-visitors' }]);

  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
  expect(await shown.locator('code').textContent()).toMatch(/^whsec_/);
});

test('a message whose sender does not fit is sent, and the page says which fields were skipped, and why', async () => {
  const { session, apiKey: key } = await api.createAccount();
  const { body } = await api.request<{ id: string }>('POST', '/v1/channels', {
    key,
    body: { type: 'api', name: 'Shop' },
  });
  const page = await web.open(`/settings/channels/${body.id}`, { session });
  const trying = page.getByRole('region', { name: 'Send a message as a contact' });
  await trying.getByRole('textbox', { name: 'Text' }).fill('Hello there');
  await trying.getByRole('textbox', { name: 'First name' }).fill('x'.repeat(300));
  await trying.getByRole('button', { name: 'Send' }).click();
  await trying.getByText('These sender fields were skipped').waitFor();
  await trying.getByRole('listitem').filter({ hasText: 'first_name must have at most' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
});

test('an agent reads channels and may try them, but neither makes nor changes one', async () => {
  const { session, userId, apiKey } = await api.createAccount();
  const body = { type: 'api', name: 'Shop', callback_url: 'https://127.0.0.1/x?token=t0ps3cret' };
  await api.request('POST', '/v1/channels', { key: apiKey, body });
  await setRole(api.db, userId, 'agent');
  const page = await web.open('/settings/channels', { session, colorScheme: 'dark' });
  await page.getByRole('link', { name: 'Shop' }).waitFor();
  expect(await page.getByRole('button', { name: 'Create channel' }).count()).toBe(0);
  expect(await page.content()).not.toContain('t0ps3cret');
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('link', { name: 'Shop' }).click();
  await page.getByRole('button', { name: 'Send' }).waitFor();
  expect(await page.getByRole('button', { name: /Edit channel|Rotate secret/ }).count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
});

test('by pages alone a webchat is created and changed, and its page has the line for the site and its secret once', async () => {
  const { session, apiKey } = await api.createAccount();
  const page = await web.open('/settings/channels', { session });
  await page.getByRole('button', { name: 'Create channel' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Webchat' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Shop chat');
  const sites = dialog.getByRole('textbox', { name: 'Sites' });
  await sites.fill('http://shop.example');
  await dialog.getByRole('button', { name: 'Create channel' }).click();
  await dialog.getByText(/^must be an https origin/).waitFor();
  await sites.fill('shop.example\nhttps://www.shop.example/');
  await dialog.getByRole('textbox', { name: 'Greeting' }).fill('Hello!');
  await dialog.getByRole('button', { name: 'Create channel' }).click();
  const shown = page.getByRole('dialog', { name: 'Secret' });
  expect(await shown.locator('code').textContent()).toMatch(/^whsec_/);
  await shown.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('heading', { name: 'Shop chat', level: 1 }).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const code = page.getByRole('group', { name: 'Add to your site' });
  expect(await code.textContent()).toBe(`<script src="${api.url}/webchat/${id}.js" async></script>`);
  await page.getByText('shop.example, www.shop.example').waitFor();
  expect(await findBarriers(page)).toEqual([]);

  await page.getByRole('button', { name: 'Edit channel' }).click();
  await dialog.getByText('Left', { exact: true }).click();
  await dialog.getByRole('checkbox', { name: 'Require identity' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { body } = await api.request('GET', `/v1/channels/${id}`, { key: apiKey });
  expect(body).toMatchObject({
    name: 'Shop chat',
    origins: ['https://shop.example', 'https://www.shop.example'],
    greeting: 'Hello!',
    position: 'left',
    require_identity: true,
  });
});

test('by its page alone a webchat speaks another language, and the preview shows its texts while they are written', async () => {
  const { session, apiKey: key } = await api.createAccount();
  const texts = { send: 'Abschicken', seen: 'Gelesen' };
  const { body } = await api.request<{ id: string }>('POST', '/v1/channels', {
    key,
    body: { type: 'webchat', name: 'Laden', texts },
  });
  const page = await web.open(`/settings/channels/${body.id}`, { session });
  await page.getByRole('button', { name: 'Edit channel' }).click();
  const dialog = page.getByRole('dialog');
  const field = dialog.getByRole('textbox', { name: 'Empty message field' });
  await dialog.getByRole('textbox', { name: 'Greeting' }).waitFor();
  expect(await field.isVisible()).toBe(false);
  await dialog.getByRole('button', { name: 'Change texts' }).click();
  await field.waitFor();
  expect(await field.getAttribute('placeholder')).toBe('Write a message …');
  expect(await dialog.getByRole('textbox', { name: 'Button that sends', exact: true }).inputValue()).toBe('Abschicken');
  const preview = dialog.getByRole('img', { name: 'Preview of the chat' });
  await preview.getByText('Write a message …').waitFor();
  await field.fill('Schreib uns …');
  await preview.getByText('Schreib uns …').waitFor();
  await dialog.getByRole('textbox', { name: 'Message seen' }).fill('');
  await dialog.getByRole('textbox', { name: 'Language tag' }).fill('german!');
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(/^must be a language tag/).waitFor();
  await dialog.getByRole('textbox', { name: 'Language tag' }).fill('de');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const shown = await api.request('GET', `/v1/channels/${body.id}`, { key });
  expect(shown.body).toHaveProperty('texts', { language: 'de', placeholder: 'Schreib uns …', send: 'Abschicken' });
  await page.getByRole('img', { name: 'Preview of the chat' }).getByText('Schreib uns …').waitFor();
});

test('by its page alone a webchat gets office hours, and the preview shows both what is said in and outside of them', async () => {
  const { session, apiKey: key } = await api.createAccount();
  const { body } = await api.request<{ id: string }>('POST', '/v1/channels', {
    key,
    body: { type: 'webchat', name: 'Shop', texts: { away: 'Back on Monday.' } },
  });
  const page = await web.open(`/settings/channels/${body.id}`, { session });
  await page.getByRole('button', { name: 'Edit channel' }).click();
  const dialog = page.getByRole('dialog');
  const preview = dialog.getByRole('img', { name: 'Preview of the chat' });
  await preview.waitFor();
  expect(await dialog.getByRole('radiogroup', { name: 'Time of the preview' }).count()).toBe(0);
  const hours = dialog.getByRole('region', { name: 'Office hours' });
  await hours.getByRole('switch', { name: 'Office hours' }).check();
  await dialog.getByText('Outside', { exact: true }).click();
  await preview.getByText('Back on Monday.').waitFor();
  await dialog.getByText('In office hours', { exact: true }).click();
  await preview.getByText('Back on Monday.').waitFor({ state: 'detached' });
  await hours.getByRole('combobox', { name: 'Time zone' }).fill('Lisbon');
  await page.getByRole('option', { name: 'Europe/Lisbon' }).click();
  await hours.getByRole('button', { name: 'Add hours' }).click();
  const saturday = hours.getByRole('group', { name: 'Hours' }).nth(1);
  await saturday.getByLabel('From').fill('22:00');
  await saturday.getByLabel('To').fill('02:00');
  await saturday.getByText('Closes on the next day.').waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await saturday.getByText(/^must have at least 1 item/).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await saturday.getByRole('checkbox', { name: 'Sat' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const shown = await api.request('GET', `/v1/channels/${body.id}`, { key });
  expect(shown.body).toHaveProperty('office_hours', {
    time_zone: 'Europe/Lisbon',
    windows: [
      { days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'], from: '09:00', to: '17:00' },
      { days: ['saturday'], from: '22:00', to: '02:00' },
    ],
  });

  await page.getByRole('button', { name: 'Edit channel' }).click();
  await hours.getByRole('switch', { name: 'Office hours' }).uncheck();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await api.request('GET', `/v1/channels/${body.id}`, { key })).body).toHaveProperty('office_hours', null);
});
