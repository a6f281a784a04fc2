import { expect, test } from 'vitest';
import { setRole } from '../helpers/states/accounts.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

test('an editor changes time zone, strict fields and the settings of handovers, and is told what is refused of them', async () => {
  const { session, userId } = await api.createAccount();
  await setRole(api.db, userId, 'editor');
  const read = async (path: string) => (await api.request('GET', `/dashboard/api${path}`, { session })).body;
  const page = await web.open('/settings/account', { session });
  const settings = page.getByRole('region', { name: 'Settings' });
  await settings.getByLabel('Time zone').first().fill('Berlin');
  await page.getByRole('option', { name: 'Europe/Berlin' }).click();
  await settings.getByRole('switch', { name: 'Only allow defined fields' }).check();
  expect(await findBarriers(page)).toEqual([]);
  await settings.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => read('/account')).toMatchObject({ time_zone: 'Europe/Berlin', strict_fields: true });

  const handovers = page.getByRole('region', { name: 'Handovers' });
  const words = handovers.getByRole('combobox', { name: 'Words that request a handover' });
  await words.fill('STOP');
  await words.press('Enter');
  await handovers.getByRole('button', { name: 'Save' }).click();
  await handovers.getByText('ends or begins a subscription').waitFor();
  await words.press('Backspace');
  await words.fill('Human');
  await words.press('Enter');
  await handovers.getByRole('textbox', { name: 'Expires after (hours)' }).fill('24');
  await handovers.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => read('/handover-settings')).toEqual({ words: ['human'], expire_after_hours: 24 });
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findBarriers(page)).toEqual([]);
});

test('the country that an editor chooses is there after a reload, and reads phone numbers until it is cleared', async () => {
  const { session, userId, apiKey: key } = await api.createAccount();
  await setRole(api.db, userId, 'editor');
  const create = async (phone: string) => {
    const { status, body } = await api.request<{ phone?: string }>('POST', '/v1/contacts', { key, body: { phone } });
    return status === 201 ? body.phone : status;
  };
  const page = await web.open('/settings/account', { session });
  const settings = page.getByRole('region', { name: 'Settings' });
  const country = settings.getByRole('combobox', { name: 'Default country of phone numbers' });
  const save = async () => {
    await settings.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
  };
  await expect.poll(() => country.inputValue()).toBe('');
  expect(await create('0151 2345678')).toBe(422);
  await country.fill('Germ');
  await page.getByRole('option', { name: 'Germany' }).click();
  await save();
  await page.reload();
  await expect.poll(() => country.inputValue()).toBe('Germany');
  expect(await findBarriers(page)).toEqual([]);
  expect(await create('0151 2345678')).toBe('+491512345678');

  await page.goto(`${api.url}/contacts?search=0151%20234`);
  await page.getByRole('row').filter({ hasText: '+491512345678' }).waitFor();

  await page.goto(`${api.url}/settings/account`);
  await expect.poll(() => country.inputValue()).toBe('Germany');
  await country.click();
  await page.getByRole('option', { name: 'Germany' }).click();
  await save();
  await page.reload();
  await expect.poll(() => country.inputValue()).toBe('');
  expect(await create('0151 2345679')).toBe(422);
});

test('the account is named anew, and the name above the pages follows', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/settings/account', { session });
  const name = page.getByRole('region', { name: 'Settings' }).getByLabel('Name');
  await expect.poll(() => name.inputValue()).toBe('Acme');
  await name.fill('Shirts & Co');
  await page.getByRole('region', { name: 'Settings' }).getByRole('button', { name: 'Save' }).click();
  await page.getByRole('navigation').getByText('Shirts & Co').waitFor();
});

test('the plan and its limits are told, and an agent is told that the page is for editors', async () => {
  const { session, userId } = await api.createAccount({ plan: 'free' });
  const page = await web.open('/settings/account', { session });
  await page.getByText('Webhooks need the Pro plan or higher').waitFor();
  await setRole(api.db, userId, 'agent');
  await page.reload();
  await page.getByRole('heading', { name: 'You need the Editor role for this page' }).waitFor();
  expect(await page.getByRole('region').count()).toBe(0);
});
