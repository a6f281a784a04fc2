import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Waits, in the page, until what is fading in or out has done so; what turns for ever is left alone. Nothing may run for three frames in a
 * row, as a precaution: what was opened just now may not have begun to fade.
 */
export const fadedIn = `(async () => {
  const running = () => document.getAnimations().filter(({ playState, effect }) =>
    playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
  for (let still = 0; still < 3; still += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const fading = running();
    if (fading.length === 0) continue;
    still = -1;
    await Promise.allSettled(fading.map(({ finished }) => finished));
  }
})()`;

/** WCAG 2.2 AA, and what axe holds to be good beyond it. */
const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules whose outcome another colour scheme or width may change. */
const rulesOfLooks = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'];

/**
 * What axe finds wrong with a page, in words; nothing where it is well. With `onlyLooks` what a change of colours and width may have
 * made wrong.
 */
export const findBarriers = async (page: Page, { onlyLooks = false } = {}): Promise<string[]> => {
  // What is still fading in does not have its colours yet.
  await page.evaluate(fadedIn);
  // It stays in the page until another one is loaded.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(source);
  const options: RunOptions = { runOnly: onlyLooks ? rulesOfLooks : levels, resultTypes: ['violations'] };
  const { violations } = await page.evaluate<Pick<AxeResults, 'violations'>>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => ({ violations }))`,
  );
  return violations.map(
    ({ id, impact, nodes }) =>
      `${impact ?? 'unknown'} ${id}: ${nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`)
        .join(' | ')}`,
  );
};
