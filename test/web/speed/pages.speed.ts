import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { insertWebhook } from '../../helpers/accounts.ts';
import { manyDeliveries } from '../../helpers/deliveries.ts';
import { measureFeedback } from '../helpers/feedback.ts';
import { useWeb } from '../helpers/web.ts';
import { tell } from './tell.ts';

const { api, web } = await useWeb();

const account = await api.createAccount();
const { accountId, session } = account;
const webhookId = await insertWebhook(api.deps, { accountId, url: 'https://a.example/hook' });
await manyDeliveries(api.db, { accountId, webhookId, status: 'delivered', count: 300 });

/** 10 Mbit a second, and 100 ms until an answer begins. */
const line = { offline: false, latency: 100, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 };

/** Notes in the page when each of these is first painted, in ms since the navigation began. */
const note = (selectors: Readonly<Record<string, string>>) => `globalThis.noted = {};
const frame = () => {
  for (const [what, selector] of Object.entries(${JSON.stringify(selectors)}))
    if (noted[what] === undefined && document.querySelector(selector)) {
      noted[what] = null;
      setTimeout(() => { noted[what] = performance.now(); });
    }
  requestAnimationFrame(frame);
};
requestAnimationFrame(frame);`;

test('the overview over a line of 10 Mbit and 100 ms, for a browser that has nothing of it', async () => {
  const page = await web.open('/sign-in', { session, alone: true });
  await page.addInitScript(note({ skeleton: '#skeleton', words: '.tile', charts: '.chart-plot svg :is(path, rect)' }));
  const cdp = await page.context().newCDPSession(page);
  const all: Record<'skeleton' | 'words' | 'charts', number>[] = [];
  for (let round = 0; round < 7; round += 1) {
    await page.goto('about:blank');
    await cdp.send('Network.clearBrowserCache');
    await cdp.send('Network.emulateNetworkConditions', line);
    await page.goto(`${api.url}/`, { waitUntil: 'commit' });
    await expect.poll(() => page.evaluate('typeof noted.charts')).toBe('number');
    all.push(await page.evaluate('noted'));
  }
  for (const what of ['skeleton', 'words', 'charts'] as const)
    tell(
      `overview, ${what}`,
      all.map((noted) => noted[what]),
    );
});

/** Clicks a link of the navigation, and answers in how many ms the page that it leads to is painted with its data. */
const timeChange = (href: string, title: string) => `new Promise((done) => {
  const begun = performance.now();
  const look = () => {
    const isThere = document.querySelector('h1')?.textContent === ${JSON.stringify(title)}
      && !document.querySelector('.progress, .mantine-Skeleton-root, .mantine-Loader-root');
    requestAnimationFrame(isThere ? () => setTimeout(() => done(performance.now() - begun)) : look);
  };
  document.querySelector('a.nav-entry[href=${JSON.stringify(href)}]').click();
  look();
})`;

const places = [
  ['/', 'Overview'],
  ['/contacts', 'Contacts'],
  ['/settings/logs/delivery', 'Delivery log'],
  ['/flows', 'Flows'],
  ['/settings/webhooks', 'Webhooks'],
] as const;

const changeTo = async (page: Page, href: string, title: string): Promise<number> => {
  await page.locator(`a.nav-entry[href="${href}"]`).waitFor();
  return Number(await page.evaluate(timeChange(href, title)));
};

test('changes of page, with code and data of before at hand', async () => {
  const page = await web.open('/settings', { session });
  await page.getByRole('heading', { level: 1 }).waitFor();
  const times = new Map<string, number[]>();
  for (let round = 0; round < 12; round += 1)
    for (const [href, title] of places) {
      const ms = await changeTo(page, href, title);
      // The first rounds load, and compile.
      if (round >= 2) times.set(title, [...(times.get(title) ?? []), ms]);
    }
  for (const [title, values] of times) tell(`change to ${title}`, values);
  expect(times.size).toBe(places.length);
});

test('a click, until a bar says that the page is on its way', async () => {
  const hrefs = ['/contacts', '/flows', '/orders', '/settings/webhooks', '/settings/api', '/settings/logs/events'];
  const page = await web.open('/settings', { session, alone: true });
  await page.getByRole('heading', { level: 1 }).waitFor();
  const seen = await measureFeedback(page, hrefs);
  tell(
    'until the bar is painted',
    seen.map(({ ms }) => ms),
  );
  expect(seen).toHaveLength(hrefs.length);
});
