import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { anOrder } from '../helpers/builders.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const folder = fileURLToPath(new URL('../../src/web/', import.meta.url));

/** Asks the browser for its language. */
const ofBrowser = /Intl\.\w+\(\s*(?:undefined|\[\])|toLocale(?:Date|Time|UpperCase|LowerCase)?String\(\)/;

test('no page formats numbers or dates in the language of the browser', async () => {
  const files = (await readdir(folder, { recursive: true })).filter((path) => /\.tsx?$/.test(path));
  const texts = await Promise.all(files.map((path) => readFile(join(folder, path), 'utf8')));
  expect(files.filter((_, place) => ofBrowser.test(texts[place] ?? ''))).toEqual([]);
});

test('a German browser is told times and numbers in English, and the exact time with its zone', async () => {
  const { session, apiKey: key } = await api.createAccount();
  const { body: contact } = await api.request<{ id: string }>('POST', '/v1/contacts', {
    key,
    body: { first_name: 'Ada' },
  });
  const order = anOrder(contact.id, { total: 123_456, placed_at: '2026-01-05T10:00:00.000Z' });
  expect((await api.request('POST', '/v1/orders', { key, body: order })).status).toBe(200);
  const page = await web.open('/orders', { session, locale: 'de-DE', timezoneId: 'Europe/Berlin' });
  const row = page.getByRole('row').filter({ hasText: '#1042' });
  await row.getByText('€1,234.56').waitFor();
  const time = row.locator('time');
  expect(await time.textContent()).toMatch(/^Jan 5(, 2026)?$/);
  expect(await time.getAttribute('aria-description')).toMatch(/^Jan 5, 2026, 11:00:00\sAM GMT\+1 · 2026-01-05T10/);
  await page.goto(`${api.url}/contacts`);
  const created = page.getByRole('row').filter({ hasText: 'Ada' }).locator('time').first();
  await created.waitFor();
  expect(await created.textContent()).toMatch(/^(now|\d+ (second|minute)s? ago)$/);
});
