import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openBlock, openBuilder } from '../helpers/builder.ts';
import { useWeb } from '../helpers/web.ts';

const both = await useWeb();

const definition = {
  schema_version: 1,
  start: 'first',
  triggers: [],
  blocks: [
    { id: 'first', type: 'ask', prompt: 'Which size?', next: { answered: 'second', invalid: null } },
    { id: 'second', type: 'end' },
  ],
};

const focused = (page: Page) => page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? ""');

test('opening a block gives its panel the focus before the next key, and never again', async () => {
  const { page } = await openBuilder(both, definition);
  const face = page.locator('[data-id="id:first"] .block-face');
  await face.focus();
  // Within the page, as no frame may come between the keys.
  const [atOnce, later] = await page.evaluate<[string, string]>(`(async () => {
    const has = () => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    await Promise.resolve();
    const atOnce = has();
    [...document.querySelectorAll('.panel [role=tab]')].find(({ textContent }) => textContent === 'JSON').focus();
    for (let frames = 0; frames < 5; frames += 1) await frame();
    return [atOnce, has()];
  })()`);
  expect([atOnce, later]).toEqual(['Name of the block', 'JSON']);
});

test('a block that was opened before leaves the focus on the canvas when a click selects it again', async () => {
  const { page } = await openBuilder(both, definition);
  await openBlock(page, 'first');
  await expect.poll(() => focused(page)).toBe('Name of the block');
  for (const name of ['second', 'first']) {
    await page.locator(`[data-id="id:${name}"] .block-face`).click();
    await page.locator('.panel').getByRole('heading', { level: 2, name }).waitFor();
  }
  expect(await page.locator('.panel :focus').count()).toBe(0);
});
