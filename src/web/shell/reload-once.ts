import { isAnswering } from '../api/connection.ts';

/** How long after it was loaded again a page is not loaded again by itself, in ms: what did not come then does not come now either. */
const patienceMs = 60_000;

const wasJustReloaded = (): boolean =>
  performance.now() < patienceMs &&
  performance
    .getEntriesByType('navigation')
    .some((entry) => entry instanceof PerformanceNavigationTiming && entry.type === 'reload');

/** Loads the page again where the server answers, and says whether it does. A browser that gets no answer has a page of its own, which stays. */
export const reloadIfAnswered = async (): Promise<boolean> => {
  const isThere = await isAnswering();
  if (isThere) location.reload();
  return isThere;
};

/**
 * Loads the page again when a part of it does not come: after an upgrade the parts of the pages before are gone, and what is asked for then is in the
 * page of now. It does so once. A part that does not come by then either breaks its page, which says so, as one does where nobody answers.
 */
export const reloadOnce = (): void => {
  if (!wasJustReloaded()) void reloadIfAnswered();
};
