import { gzipSync } from 'node:zlib';
import type { Response } from 'playwright-core';
import { expect, test } from 'vitest';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

/** What the first load of the overview may take, all of it gzipped, from a browser that has nothing of it. */
const most = { bytes: 300_000, requests: 25 } as const;

/** How long after the page has loaded everything still counts as its load, in ms. */
const countedMs = 3_000;

const isStream = (url: string): boolean => url.endsWith('/stream');

const bytesOf = async (response: Response): Promise<number> =>
  isStream(response.url()) ? 0 : gzipSync(await response.body(), { level: 9 }).length;

test('the first load of the overview is under 300 kB, in at most 25 requests, none of them twice', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/sign-in', { session, locale: 'en-US', alone: true });
  const cdp = await page.context().newCDPSession(page);
  await page.goto('about:blank');
  await cdp.send('Network.clearBrowserCache');
  const responses: Response[] = [];
  page.on('response', (response) => responses.push(response));
  await page.goto(`${api.url}/`, { waitUntil: 'load' });
  await page.evaluate(`new Promise((done) => setTimeout(done, ${countedMs}))`);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();

  const loaded = await Promise.all(
    responses.map(async (response) => ({
      path: response.url().slice(api.url.length),
      bytes: await bytesOf(response),
    })),
  );
  const paths = loaded.map(({ path }) => path);
  const all = {
    twice: paths.filter((path, place) => paths.indexOf(path) !== place),
    requests: loaded.length,
    bytes: loaded.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  const isLight = all.twice.length === 0 && all.requests <= most.requests && all.bytes < most.bytes;
  if (!isLight) console.log(loaded.toSorted((one, other) => other.bytes - one.bytes));
  expect({ ...all, isLight }).toMatchObject({ twice: [], isLight: true });
});
