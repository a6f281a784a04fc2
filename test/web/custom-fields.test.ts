import { expect, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { aContact } from '../helpers/builders.ts';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';
import { aColleague } from '../helpers/states/accounts.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

type Fields = { data: { key: string; name: string; type: string; options: string[] | null; default: unknown }[] };

const markup = '<img src=x onerror=alert(1)>';

test('what was just made is told as of now, also by a browser whose clock is behind', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/settings/custom-fields', { session, alone: true });
  await page.clock.setFixedTime(Date.now() - 60_000);
  await page.getByRole('button', { name: 'Create field' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Size');
  await dialog.getByLabel('Key').fill('size');
  await dialog.getByRole('button', { name: 'Create field' }).click();
  expect(await page.getByRole('row', { name: /Size/ }).locator('time').textContent()).toBe('now');
});

test('a key is proposed by the name until somebody writes one', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/settings/custom-fields', { session });
  await page.getByRole('button', { name: 'Create field' }).first().click();
  const dialog = page.getByRole('dialog');
  const [name, key] = [dialog.getByLabel('Name'), dialog.getByLabel('Key')];
  await name.fill('2. Größe des Café-Shirts!');
  expect(await key.inputValue()).toBe('gro_e_des_cafe_shirts');
  await name.fill('Shirt size');
  expect(await key.inputValue()).toBe('shirt_size');
  await key.fill('size');
  await name.fill('Size');
  expect(await key.inputValue()).toBe('size');
  await key.fill('own_size');
  await name.fill('Anything');
  expect(await key.inputValue()).toBe('own_size');
});

test('a custom field is defined with options and a default, changed, and deleted unless a flow uses it', async () => {
  const account = await api.createAccount();
  const { session, apiKey: key } = account;
  const fields = async () => {
    const { body } = await api.request<Fields>('GET', '/v1/custom-fields', { key });
    return Object.fromEntries(body.data.map((field) => [field.key, field]));
  };
  const page = await web.open('/settings/custom-fields', { session });
  const dialog = page.getByRole('dialog');
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const define = () => dialog.getByRole('button', { name: 'Create field' }).click();

  await page.getByRole('heading', { name: 'No custom fields yet' }).waitFor();
  await page.getByText('create a field automatically').waitFor();
  await page.getByRole('button', { name: 'Create field' }).first().click();
  await dialog.getByLabel('Name').fill(markup);
  await dialog.getByLabel('Key').fill('Shirt Size');
  const options = dialog.getByRole('combobox', { name: 'Options' }).or(dialog.getByLabel('Options')).first();
  for (const option of ['S, or smaller', 'M']) {
    await options.fill(option);
    await options.press('Enter');
  }
  await define();
  await dialog.getByText(/^must be a lowercase letter/).waitFor();
  await dialog.getByLabel('Key').fill('email');
  await define();
  await dialog.getByText('is reserved').waitFor();
  await dialog.getByLabel('Key').fill('size');
  await dialog.getByRole('combobox', { name: 'Default' }).click();
  await page.getByRole('option', { name: 'M', exact: true }).click();
  expect(await findBarriers(page)).toEqual([]);
  await define();
  await row(markup).waitFor();
  expect(await fields()).toMatchObject({
    size: { name: markup, type: 'text', options: ['S, or smaller', 'M'], default: 'M' },
  });

  await page.getByRole('button', { name: 'Create field' }).click();
  await dialog.getByLabel('Name').fill('Size again');
  await dialog.getByLabel('Key').fill('size');
  await define();
  await dialog.getByText('Another custom field has this key.').waitFor();
  await dialog.getByLabel('Key').fill('extra');
  await dialog.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'JSON' }).click();
  await dialog.getByLabel('Default').fill('{"a": ');
  await define();
  await dialog.getByText(/^must be JSON/).waitFor();
  await dialog.getByLabel('Default').fill('{"a": [1]}');
  await define();
  await row('Size again').waitFor();
  expect(await fields()).toMatchObject({ extra: { type: 'json', options: null, default: { a: [1] } } });
  expect(await findBarriers(page)).toEqual([]);

  await row(markup).getByRole('button', { name: 'Edit' }).click();
  await options.press('Backspace');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await fields()).toMatchObject({ size: { options: ['S, or smaller'], default: null } });

  await flowCalls(api, account).createLive(
    aFlowDefinition({ blocks: [{ id: 'forget', type: 'clear_field', field: 'size' }] }),
    'Sizes',
  );
  await row(markup).getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('link', { name: '"Sizes": its draft, its published version' }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await row('Size again').getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('under the key extra').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await row('Size again').waitFor({ state: 'detached' });
  expect(Object.keys(await fields())).toEqual(['size']);
});

test('a field that its first use has defined appears by itself; renamed, its default stays to the millisecond', async () => {
  const { session, apiKey: key } = await api.createAccount();
  const born = { key: 'born', name: 'Born', type: 'datetime', default: '2026-03-29T10:00:00.123Z' };
  await api.request('POST', '/v1/custom-fields', { key, body: born });
  const page = await web.open('/settings/custom-fields', { session, timezoneId: 'Asia/Kathmandu' });
  const dialog = page.getByRole('dialog');
  await page.getByRole('row').filter({ hasText: 'Born' }).waitFor();
  await api.request('POST', '/v1/contacts', { key, body: aContact({ custom_fields: { colour: 'red' } }) });
  await page.getByRole('row').filter({ hasText: 'colour' }).waitFor();
  await page.getByRole('button', { name: 'Edit “Born”' }).click();
  await dialog.getByLabel('Name').fill('Birthday');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row').filter({ hasText: 'Birthday' }).waitFor();
  const { body } = await api.request<Fields>('GET', '/v1/custom-fields', { key });
  expect(body.data).toMatchObject([
    { key: 'colour', type: 'text' },
    { ...born, name: 'Birthday' },
  ]);
});

test('an agent reads custom fields, learns what a strict account refuses, and is led there from a contact', async () => {
  const { accountId, apiKey: key } = await api.createAccount();
  await api.request('PATCH', '/v1/account', { key, body: { strict_fields: true } });
  const { body: contact } = await api.request<{ id: string }>('POST', '/v1/contacts', {
    key,
    body: aContact({ custom_fields: {} }),
  });
  const session = await createSession(api.db, await aColleague(api.db, accountId, 'agent'));
  const page = await web.open(`/contacts/${contact.id}`, {
    session,
    colorScheme: 'dark',
    viewport: { width: 360, height: 740 },
  });
  await page.getByRole('button', { name: 'Add value' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Open custom fields' }).click();
  await page.getByRole('heading', { name: 'No custom fields yet' }).waitFor();
  await page.getByText('Only defined fields are allowed').waitFor();
  expect(await page.getByRole('button', { name: 'Create field' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Change in Account settings' }).count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
});
