import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sessionCookieName } from '../../src/api/session-cookie.ts';
import { countMoves } from './helpers/moves.ts';
import { openPages } from './helpers/page-list.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

/** How far the page may move while it loads; nobody notices that. */
const mostMoved = 0.02;

/** Opens a page whose scripts wait until `letGo`. */
const openHeld = async (path: string, options: Parameters<typeof web.open>[1]) => {
  const page = await web.open('/sign-in', { ...options, alone: true });
  const { promise: mayCome, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await mayCome;
    await route.continue();
  });
  const moved = await countMoves(page);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.clearBrowserCache');
  await page.goto(`${api.url}${path}`, { waitUntil: 'commit' });
  return { page, letGo, moved };
};

const paints = (page: Page): Promise<number> =>
  page.evaluate(`performance.getEntriesByName('first-contentful-paint').length`);

/** Where something is, in whole pixels. */
const placeOf = async (what: Locator): Promise<number[]> => {
  const { x, y, width, height } = (await what.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return [x, y, width, height].map(Math.round);
};

/** Where head and navigation are, and in which colours. */
const looksOf = async (page: Page, within: string, find: string) => {
  const shown = (selector: string): Locator => page.locator(`${within} ${selector}`).filter({ visible: true });
  const ground = shown(':is(.rail, .mobile-head)');
  const wordmark = shown('.brand:has(> img)');
  return {
    wordmark: await placeOf(wordmark),
    color: await wordmark.evaluate('(element) => getComputedStyle(element).color'),
    ground: await ground.evaluate('(element) => getComputedStyle(element).backgroundColor'),
    edge: (await placeOf(ground)).slice(2),
    find: (await shown(find).count()) > 0 ? await placeOf(shown(find)) : null,
  };
};

const widths = [
  { width: 1280, height: 900 },
  { width: 360, height: 740 },
] as const;

test.for(
  widths.flatMap(
    (viewport) =>
      [
        { viewport, colorScheme: 'light' },
        { viewport, colorScheme: 'dark' },
      ] as const,
  ),
)(
  'head and navigation are there before scripts, and stay in place: $viewport.width px, $colorScheme',
  async ({ viewport, colorScheme }) => {
    const { session } = await api.createAccount();
    const { page, letGo, moved } = await openHeld('/', { session, viewport, colorScheme });
    await page.locator('.skeleton .brand').filter({ visible: true }).waitFor();
    await expect.poll(() => paints(page)).toBe(1);
    const before = await looksOf(page, '.skeleton', '.skeleton-find');
    letGo();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    expect(await page.locator('.skeleton').count()).toBe(0);
    expect(await looksOf(page, '#root', '.find')).toEqual(before);
    await expect.poll(() => page.locator('.mantine-Skeleton-root, .mantine-Loader-root, .progress').count()).toBe(0);
    expect(await moved()).toBeLessThan(mostMoved);
  },
);

test('pages that are open to anyone, and nobody’s, begin without a navigation', async () => {
  const { session } = await api.createAccount();
  const hasSkeleton = async (path: string, cookie: string): Promise<boolean> => {
    const answer = await fetch(`${api.url}${path}`, { headers: { accept: 'text/html', cookie } });
    return (await answer.text()).includes('skeleton');
  };
  const signedIn = `${sessionCookieName(api.deps.config)}=${session}`;
  expect(await hasSkeleton('/', signedIn)).toBe(true);
  expect(await hasSkeleton('/contacts', signedIn)).toBe(true);
  expect(await hasSkeleton('/', '')).toBe(false);
  for (const { path } of openPages) expect([path, await hasSkeleton(path, signedIn)]).toEqual([path, false]);
});
