import type { Page, Request } from 'playwright-core';

/** What stands in the place of something that is still loaded. */
const waitingMarks = '.mantine-Skeleton-root, .mantine-Loader-root';

/** Two frames later a page has drawn what its scripts have just decided. */
const twoFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))';

const isStream = (request: Request): boolean => request.url().endsWith('/stream');

/** Follows the requests of a page, so that it can be told when it shows all that it has asked for. */
export const followLoading = (page: Page): { settled: () => Promise<void> } => {
  const underWay = new Set<Request>();
  page.on('request', (request) => {
    if (!isStream(request)) underWay.add(request);
  });
  page.on('requestfinished', (request) => underWay.delete(request));
  page.on('requestfailed', (request) => underWay.delete(request));
  const isQuiet = async (): Promise<boolean> =>
    underWay.size === 0 && (await page.locator(waitingMarks).filter({ visible: true }).count()) === 0;
  /** Twice in a row, because an answer may lead to the next request. */
  const settled = async (): Promise<void> => {
    for (let quiet = 0; quiet < 2;) {
      await page.evaluate(twoFrames);
      quiet = (await isQuiet()) ? quiet + 1 : 0;
    }
  };
  return { settled };
};
