import type { Page } from 'playwright-core';

/** Counts from the next load on how far all of the page moves by itself: 1 is all of it by its height. Chromium calls up to 0.1 good. */
export const countMoves = async (page: Page): Promise<() => Promise<number>> => {
  await page.addInitScript(`globalThis.moved = 0; new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) moved += value;
  }).observe({ type: 'layout-shift', buffered: true });`);
  return async () => {
    // What has just been painted counts a frame later.
    await page.evaluate(
      `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))`,
    );
    return Number(await page.evaluate('moved'));
  };
};
