import { expect, test } from 'vitest';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const stored = '[localStorage.length, sessionStorage.length, document.cookie]';

test('someone signs in and leaves things behind', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/', { session });
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.evaluate(
    "localStorage.setItem('left', '1'); sessionStorage.setItem('left', '1'); document.cookie = 'left=1'",
  );
  expect(await page.evaluate(stored)).toEqual([1, 1, expect.stringContaining('left=1')]);
  await page.goto(`${api.url}/contacts`);
  expect(await page.evaluate('history.length')).toBe(3);
  await page.route('**/dashboard/api/**', (route) => route.abort());
});

test('the browser of the next test knows nobody and nothing, but has the files', async () => {
  const page = await web.open('/');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.evaluate(stored)).toEqual([0, 0, '']);
  expect(await page.evaluate('history.length')).toBe(2);
  const transferred = `performance.getEntriesByType('resource')
    .filter(({ name }) => name.includes('/assets/index-')).map(({ transferSize }) => transferSize)`;
  const sizes = await page.evaluate<number[]>(transferred);
  expect(sizes.length).toBeGreaterThan(0);
  expect(sizes.every((size) => size === 0)).toBe(true);
});

test('pages that are open at the same time know nothing of each other', async () => {
  const { session } = await api.createAccount();
  const [mine, theirs] = [await web.open('/', { session }), await web.open('/')];
  await mine.getByRole('heading', { name: 'Overview' }).waitFor();
  await theirs.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await mine.context().cookies()).toHaveLength(1);
  expect(await theirs.context().cookies()).toEqual([]);
});
