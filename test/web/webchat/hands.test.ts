import { expect, test } from 'vitest';
import { findBarriers } from '../helpers/axe.ts';
import { endBrowser, visit } from '../helpers/webchat/site.ts';
import { arabic, picture, talk } from '../helpers/webchat/talk.ts';

endBrowser();

test('by keyboard: Enter opens and sends, Shift+Enter breaks, Escape closes and gives the focus back', async () => {
  const { double, page, panel, launcher, field } = await visit({
    policy: () => 'object-src *',
    body: `<main><h1>Shop</h1><button id="own">Ask</button></main><script>
      window.keys = [];
      document.addEventListener('keydown', ({ key }) => keys.push(key));
      document.getElementById('own').addEventListener('click', () => ParleyWebchat.open());</script>`,
  });
  const hasFocus = (element: { matches: (is: string) => boolean }): boolean => element.matches(':focus');
  await launcher.focus();
  await page.keyboard.press('Enter');
  await panel.waitFor();
  await expect.poll(() => field.evaluate(hasFocus)).toBe(true);
  await page.evaluate('keys.splice(0)');
  await page.keyboard.type('one');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('two');
  await page.keyboard.press('Enter');
  await expect.poll(() => double.table.visitors.size && double.table.only().rows[0]?.text).toBe('one\ntwo');
  // Letters that are typed into the chat are no shortcuts of the site.
  expect(await page.evaluate('keys')).toEqual([]);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'hidden' });
  await expect.poll(() => launcher.evaluate(hasFocus)).toBe(true);
  await page.locator('#own').focus();
  await page.keyboard.press('Enter');
  await panel.waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('#own').evaluate(hasFocus)).toBe(true);
});

test('Enter that ends a composition of an input method sends nothing', async () => {
  const { double, page, launcher, field, panel } = await visit();
  await launcher.click();
  await field.fill('にほん');
  await page.evaluate(`(() => {
    const field = document.querySelector('parley-webchat').shadowRoot.querySelector('textarea');
    const press = (init) => field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init }));
    press({ isComposing: true });
    press({ keyCode: 229 });
  })()`);
  expect(await field.inputValue()).toBe('にほん');
  await field.press('Enter');
  await panel.getByText(/Sent$/).waitFor();
  expect(double.table.only().rows.map(({ text }) => text)).toEqual(['にほん']);
});

test.each([
  ['light', 1440, '#4f46e5'],
  ['dark', 1440, '#4f46e5'],
  ['light', 360, '#ffb703'],
  ['dark', 360, '#111111'],
  ['light', 1440, '#7f8c8d'],
] as const)('axe finds nothing in a conversation, %s at %i px in %s', async (colorScheme, width, color) => {
  const { page, ...visited } = await visit({
    config: { color },
    context: { colorScheme, viewport: { width, height: 800 } },
    policy: () => 'object-src *',
  });
  await page.route('https://pictures.example/**', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: picture }),
  );
  const found: string[] = [];
  await talk(visited, false, async () => found.push(...(await findBarriers(page))));
  expect(found).toEqual([]);
});

test('from right to left the chat is mirrored, and a phone gives it the whole screen', async () => {
  const { page, panel, launcher, write } = await visit({
    html: 'dir="rtl"',
    config: arabic,
    context: { viewport: { width: 360, height: 700 }, hasTouch: true },
  });
  await launcher.click();
  await write('مرحبا');
  await panel.getByText('أُرسلت').waitFor();
  expect(await panel.boundingBox()).toEqual({ x: 0, y: 0, width: 360, height: 700 });
  const mine = await panel.locator('.mine .bubble').boundingBox();
  expect(mine && mine.x < 100).toBe(true);
  expect(await launcher.isVisible()).toBe(false);
  await page.setViewportSize({ width: 360, height: 380 });
  await expect.poll(async () => (await panel.boundingBox())?.height).toBe(380);
  await panel.getByLabel('Close chat').click();
  await launcher.waitFor();
});

test('an open chat is open on the next page of the site, with what was half written', async () => {
  const { page, panel, field, launcher } = await visit();
  await launcher.click();
  await field.fill('half a sen');
  await page.reload();
  await panel.waitFor();
  expect(await field.inputValue()).toBe('half a sen');
  await panel.getByLabel('Close chat').click();
  await page.reload();
  await launcher.waitFor();
  await expect.poll(() => panel.count()).toBe(0);
});

test.each([
  ['upright', 360, 700],
  ['sideways', 700, 360],
] as const)('on a phone held %s, an open chat covers no next page of the site', async (_, width, height) => {
  const { page, panel, launcher } = await visit({ context: { viewport: { width, height }, hasTouch: true } });
  await launcher.click();
  await expect.poll(async () => (await panel.boundingBox())?.height).toBe(height);
  await page.addInitScript(`window.told = [];
    window.ParleyWebchat = ['ready', 'open'].map((event) => ['on', event, () => told.push(event)]);`);
  await page.reload();
  await expect.poll(() => page.evaluate('told')).toContain('ready');
  expect(await page.evaluate('told')).toEqual(['ready']);
});

test('the visitor hears who types, and the business hears the visitor, at most every 4 seconds', async () => {
  const { double, panel, launcher, write, page } = await visit();
  await launcher.click();
  await write('Hello');
  await panel.getByText(/Sent$/).waitFor();
  await expect.poll(() => double.streamsOf(double.table.only())).toBe(1);
  await page.keyboard.type('a long sentence of mine');
  await expect.poll(() => double.asked.filter((asked) => asked === 'POST typing').length).toBe(1);
  double.table.setTyping(double.table.only(), { agent: true });
  await panel.getByText('Agent is typing').waitFor();
  double.table.setTyping(double.table.only(), { agent: false });
  await expect.poll(() => panel.getByText('is typing').count()).toBe(0);
});
