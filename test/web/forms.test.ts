import { expect, test } from 'vitest';
import { aContact } from '../helpers/builders.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

test('a form sends what somebody has changed in it, and leaves alone what was set elsewhere meanwhile', async () => {
  const { session, apiKey: key } = await api.createAccount();
  const { body: contact } = await api.request<{ id: string }>('POST', '/v1/contacts', { key, body: aContact() });
  const page = await web.open(`/contacts/${contact.id}`, { session });
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Edit contact' }).click();
  await dialog.getByLabel('First name').fill('Hedy');
  await api.request('PATCH', `/v1/contacts/${contact.id}`, { key, body: { last_name: 'Lamarr' } });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { body: now } = await api.request('GET', `/v1/contacts/${contact.id}`, { key });
  expect(now).toMatchObject({ first_name: 'Hedy', last_name: 'Lamarr' });
});

test('a form that stays in its page sends each change once', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/settings/account', { session });
  const settings = page.getByRole('region', { name: 'Settings' });
  const strict = settings.getByRole('switch', { name: 'Only allow defined fields' });
  const sent = async (): Promise<unknown> => {
    const [request] = await Promise.all([
      page.waitForRequest((asked) => asked.method() === 'PATCH'),
      settings.getByRole('button', { name: 'Save' }).click(),
    ]);
    await request.response();
    return request.postDataJSON();
  };
  await strict.check();
  expect(await sent()).toEqual({ strict_fields: true });
  await page.getByText('Saved').first().waitFor();
  await settings.getByLabel('Time zone').first().fill('Berlin');
  await page.getByRole('option', { name: 'Europe/Berlin' }).click();
  expect(await sent()).toEqual({ time_zone: 'Europe/Berlin' });
});

test('a form that is refused, by the page or by the server, says why in our words, with the focus at the field', async () => {
  const { session, apiKey: key } = await api.createAccount();
  await api.request('POST', '/v1/tags', { key, body: { name: 'vip' } });
  const page = await web.open('/settings/tags', { session });
  await page.getByRole('button', { name: 'Create tag' }).click();
  const dialog = page.getByRole('dialog');
  const name = dialog.getByLabel('Name');
  const isAtRefused = () => page.evaluate("document.activeElement.matches('input[aria-invalid=true]')");
  for (const [written, why] of [
    ['', /./],
    ['vip', /Another tag has this name/],
  ] as const) {
    await name.fill(written);
    await dialog.getByRole('button', { name: 'Create tag' }).click();
    await dialog.locator('.mantine-InputWrapper-error', { hasText: why }).waitFor();
    await expect.poll(isAtRefused).toBe(true);
  }
});

test('what has to be filled in says so in our words, also where the page knows nothing else of it', async () => {
  const page = await web.open('/sign-in');
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Fill this in.').waitFor();
  expect(await page.getByText('Fill this in.').count()).toBe(1);
  await expect.poll(() => page.evaluate("document.activeElement.getAttribute('type')")).toBe('password');
});

test('a dialog that is opened again has forgotten why it was refused', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/settings/api', { session });
  await page.route('**/dashboard/api/api-keys', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500, body: '{}' }) : route.continue(),
  );
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Create API key' }).first().click();
  await dialog.getByLabel('Name').fill('shop');
  await dialog.getByRole('button', { name: 'Create API key' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Create API key' }).first().click();
  await dialog.getByLabel('Name').waitFor();
  expect(await dialog.getByRole('alert').count()).toBe(0);
  // Browsers complain of such an answer.
  web.complaints(page);
});
