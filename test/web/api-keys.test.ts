import { expect, test } from 'vitest';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

test('a key is shown once, works, stands in the list, and is refused once it is revoked', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/settings/api', { session, permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Create API key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Shop server');
  await dialog.getByRole('button', { name: 'Create API key' }).click();
  const key = (await dialog.locator('code').textContent()) ?? '';
  const ask = async () => (await api.request('GET', '/v1/webhooks', { key })).status;
  expect(await ask()).toBe(200);

  await dialog.getByRole('button', { name: /^Copy/ }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
  await dialog.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row', { name: /Shop server/ });
  await row.getByText('Active').waitFor();
  expect(await page.getByRole('columnheader').allTextContents()).toEqual(
    expect.arrayContaining(['Name', 'Begins with', 'Created', 'Last used', 'Status']),
  );
  const begins = ((await row.locator('code').textContent()) ?? '').replace('…', '');
  expect(key.startsWith(begins) && begins.length < key.length).toBe(true);
  // When it was created, and that it was used just now.
  await expect.poll(() => row.locator('time').count()).toBe(2);
  expect(await page.getByText(key).count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);

  await row.getByRole('button', { name: /Revoke/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await row.getByText('Revoked').waitFor();
  expect(await ask()).toBe(401);
});

test('a name that the API refuses is told at its field', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/settings/api', { session });
  await page.getByRole('button', { name: 'Create API key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('   ');
  await dialog.getByRole('button', { name: 'Create API key' }).click();
  const field = dialog.getByLabel('Name');
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
});

test('the Webhook Secret is shown on request, and rotated after it is said what that does', async () => {
  const { session } = await api.createAccount();
  const secret = async () =>
    (await api.request<{ secret: string }>('GET', '/dashboard/api/webhook-secret', { session })).body.secret;
  const before = await secret();
  const page = await web.open('/settings/api', { session });
  const section = page.getByRole('region', { name: 'Webhook Secret' });
  await section.getByText('Signs events for webhooks added here').waitFor();
  expect(await page.content()).not.toContain(before);
  await section.getByRole('button', { name: 'Show' }).click();
  await section.getByText(before, { exact: true }).waitFor();
  await section.getByRole('button', { name: 'Rotate' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('also for scheduled retries').waitFor();
  await dialog.getByText('For 24 hours webhook-signature carries signatures by both secrets').waitFor();
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  await section.getByText(before, { exact: true }).waitFor({ state: 'detached' });
  await section.getByText(await secret(), { exact: true }).waitFor();
  const told = section.getByRole('status').filter({ hasText: 'Secret rotated' });
  const until = Date.parse((await told.locator('time').getAttribute('datetime')) ?? '');
  expect(Math.abs(until - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000);
  expect(await findBarriers(page)).toEqual([]);
});
