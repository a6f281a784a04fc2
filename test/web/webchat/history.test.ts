import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { endBrowser, visit, type Visit } from '../helpers/webchat/site.ts';

endBrowser();

const anybody = { policy: () => 'object-src *' } as const;
const greeting = 'Hi! How can we help?';

/** Notes requests for older messages. */
const noteReads = `window.reads = [];
  const ask = window.fetch;
  window.fetch = (...given) => {
    if (String(given[0]).includes('before=')) reads.push(String(given[0]));
    return ask(...given);
  };`;

/** Notes the messages that are drawn, and those that screen readers hear. */
const noteSpoken = `window.drawn = [];
  window.spoken = [];
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (init) {
    const root = attach.call(this, init);
    new MutationObserver((records) => {
      const log = root.querySelector('.log');
      for (const { target, addedNodes } of records) {
        if (target !== log) continue;
        for (const node of addedNodes) {
          const text = node.querySelector('.text')?.textContent;
          if (text === undefined) continue;
          drawn.push(text);
          if (log.getAttribute('aria-live') === 'polite') spoken.push(text);
        }
      }
    }).observe(root, { childList: true, subtree: true });
    return root;
  };`;

const scrollTo = (page: Page, tops: number[]) =>
  page.evaluate(`(async () => {
    const scroll = document.querySelector('parley-webchat').shadowRoot.querySelector('.scroll');
    for (const top of ${JSON.stringify(tops)}) {
      scroll.scrollTop = top;
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    }
  })()`);

const nearTop = [60, 40, 20, 0, 30, 10];

/** Somebody whose chat is open, with "Hello" and so many messages after it, before the next page. */
const withHistory = async (count: number, script: string): Promise<Visit> => {
  const visited = await visit(anybody);
  const { double, page, launcher, panel, write } = visited;
  await launcher.click();
  await write('Hello');
  await panel.getByText(/Sent$/).waitFor();
  double.setFate((method) => (method === 'EVENT' ? { cut: 'request' } : {}));
  for (let said = 1; said <= count; said += 1) double.table.say(double.table.only(), { text: `message ${said}` });
  double.setFate(() => ({}));
  await page.addInitScript(script);
  return visited;
};

test('scrolling asks for older messages once at a time, and after a failure not again for a while', async () => {
  const { double, page, panel, texts } = await withHistory(120, noteReads);
  const reads = () => page.evaluate('reads.length');
  const older = panel.locator('.older');
  await page.reload();
  await panel.getByText('message 120').waitFor();
  const now = Date.now();
  await page.clock.setFixedTime(now);
  let arrive: (value: unknown) => void = () => {};
  double.setFate((_, route) => (route === 'changes' ? { until: new Promise((resolve) => (arrive = resolve)) } : {}));
  await scrollTo(page, nearTop);
  expect(await reads()).toBe(1);
  await expect.poll(() => older.isEnabled()).toBe(false);
  arrive(undefined);
  await expect.poll(async () => (await texts()).length).toBe(100);
  double.setFate((_, route) => (route === 'changes' ? { status: 500 } : {}));
  await scrollTo(page, nearTop);
  await expect.poll(() => older.isEnabled()).toBe(true);
  await scrollTo(page, nearTop);
  expect(await reads()).toBe(2);
  await older.click();
  expect(await reads()).toBe(3);
  await expect.poll(() => older.isEnabled()).toBe(true);
  double.setFate(() => ({}));
  await page.clock.setFixedTime(now + 60_000);
  await scrollTo(page, nearTop);
  await expect.poll(async () => (await texts()).length).toBe(122);
  expect(await reads()).toBe(4);
});

test('screen readers hear what comes, not what was there before, and no greeting comes and goes', async () => {
  const { double, page, panel, texts } = await withHistory(60, noteSpoken);
  const spoken = () => page.evaluate('spoken');
  let arrive: (value: unknown) => void = () => {};
  double.setFate((_, route) => (route === 'changes' ? { until: new Promise((resolve) => (arrive = resolve)) } : {}));
  await page.reload();
  await panel.waitFor();
  await scrollTo(page, [0, 0]);
  double.setFate(() => ({}));
  arrive(undefined);
  await panel.getByText('message 60').waitFor();
  await expect.poll(() => panel.locator('.log').getAttribute('aria-live')).toBe('polite');
  expect(await spoken()).toEqual([]);
  expect(await page.evaluate('drawn')).not.toContain(greeting);
  double.table.say(double.table.only(), { text: 'News' });
  await panel.getByText('News').waitFor();
  expect(await spoken()).toEqual(['News']);
  await scrollTo(page, nearTop);
  await expect.poll(async () => (await texts()).length).toBe(63);
  expect(await texts()).toContain(greeting);
  await expect.poll(() => panel.locator('.log').getAttribute('aria-live')).toBe('polite');
  expect(await spoken()).toEqual(['News']);
});

test('a chat that is open over midnight has one "Today"', async () => {
  const { double, page, panel, launcher } = await visit({ ...anybody, context: { timezoneId: 'UTC' } });
  const { token, visitor } = double.table.create('ann');
  double.table.add(visitor, { text: 'Good night', created_at: '2026-11-27T23:40:00Z' });
  await page.evaluate(`localStorage.setItem('parley-webchat:chn_test:token', '${token}')`);
  await page.clock.install({ time: '2026-11-27T23:50:00Z' });
  await page.reload();
  await launcher.click();
  await panel.getByText('Good night').waitFor();
  const days = () => panel.locator('.day').allTextContents();
  expect(await days()).toEqual(['Today']);
  await page.clock.fastForward('00:20:00');
  double.table.add(visitor, { text: 'Good morning', created_at: '2026-11-28T00:05:00Z' });
  await panel.getByText('Good morning').waitFor();
  expect(await days()).toEqual(['Yesterday', 'Today']);
});
