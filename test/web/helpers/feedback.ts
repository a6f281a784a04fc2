import type { Page } from 'playwright-core';

/** How long a page took to say that another is on its way: in ms until that was painted, and in frames until it was there. */
export type Feedback = { ms: number; frames: number };

const measure = (href: string) => `new Promise((done) => {
  const link = document.querySelector('nav a[href="${href}"]');
  let frames = 0;
  const begun = performance.now();
  const frame = () => {
    frames += 1;
    if (!document.querySelector('.progress')) requestAnimationFrame(frame);
    else setTimeout(() => done({ ms: performance.now() - begun, frames }));
  };
  requestAnimationFrame(frame);
  link.click();
})`;

/**
 * Goes from a page to each of these, whose code and data it gets only after it has said that they are on their way. Measured within the page, so that
 * what the test itself takes does not count.
 */
export const measureFeedback = async (page: Page, hrefs: readonly string[]): Promise<Feedback[]> => {
  let gate = Promise.resolve();
  await page.route('**/{assets,dashboard/api}/**', async (route) => {
    await gate;
    await route.continue();
  });
  const seen: Feedback[] = [];
  for (const href of hrefs) {
    await page.locator('.progress').waitFor({ state: 'detached' });
    const { promise, resolve: letGo } = Promise.withResolvers<void>();
    gate = promise;
    seen.push(await page.evaluate<Feedback>(measure(href)));
    letGo();
    await page.waitForURL(`**${href}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  }
  return seen;
};
