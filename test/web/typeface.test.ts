import { globSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { countMoves } from './helpers/moves.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

/** How far the page may move by the change of its typeface; with fonts in other measures it is twice that. */
const mostMoved = 0.005;

const isFont = (url: string): boolean => url.endsWith('.woff2');

/** The families of which the page has loaded a file. */
const families = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)`);

test('pages are set in Inter, of which Parley itself serves one file', async () => {
  const page = await web.open('/sign-in', { alone: true });
  const fonts: string[] = [];
  page.on('response', (response) => {
    if (isFont(response.url()))
      fonts.push(`${response.status()} ${response.headers()['content-type']} ${response.url()}`);
  });
  await page.reload();
  await page.getByRole('heading').first().waitFor();
  await page.evaluate('document.fonts.ready');
  expect(await families(page)).toContain('Inter');
  expect(fonts).toEqual([expect.stringMatching(`^200 font/woff2 ${api.url}/assets/inter-[^/]+\\.woff2$`)]);
});

test.for(['/', '/settings'])('nothing moves on %s when Inter comes later than the words', async (path) => {
  const { session } = await api.createAccount();
  const page = await web.open('/sign-in', { session, alone: true });
  const { promise: mayCome, resolve: come } = Promise.withResolvers<void>();
  await page.route(
    (url) => isFont(url.href),
    async (route) => {
      await mayCome;
      await route.continue();
    },
  );
  const moved = await countMoves(page);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.clearBrowserCache');
  await page.goto(`${api.url}${path}`, { waitUntil: 'commit' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.locator('.mantine-Skeleton-root, .mantine-Loader-root').count()).toBe(0);
  expect(await families(page)).not.toContain('Inter');
  const before = await moved();
  come();
  await expect.poll(() => families(page)).toContain('Inter');
  expect((await moved()) - before).toBeLessThan(mostMoved);
});

/** Whether one of these ranges of a style sheet has the character. */
const isWithin = (ranges: readonly string[], character: string): boolean => {
  const code = character.codePointAt(0) ?? 0;
  return ranges.some((range) => {
    const [first = '', last = first] = range.slice('U+'.length).split('-');
    return code >= Number.parseInt(first, 16) && code <= Number.parseInt(last, 16);
  });
};

test('the first file of Inter has every character that our own words use', () => {
  const [, ranges = ''] = /unicode-range:([^;]+);/.exec(readFileSync('src/web/look/inter/inter.css', 'utf8')) ?? [];
  const parts = ranges.split(',').map((range) => range.trim());
  const words = globSync('src/web/**/*.{ts,tsx}')
    .map((file) => readFileSync(file, 'utf8'))
    .join('');
  const missing = [...new Set(words)].filter((character) => character >= ' ' && !isWithin(parts, character));
  expect(missing).toEqual([]);
});
