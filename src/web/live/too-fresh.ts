import type { Query } from '@tanstack/react-query';

/** At least so long, in ms, between two times that what is shown is asked for again. */
export const pauseMs = 1_000;

/** What counts much to be answered, and is therefore asked for again only when it is this old, in ms. */
const slowly: ReadonlySet<string> = new Set([
  '/overview',
  '/statistics',
  '/replays/preview',
  '/flows/{id}/analytics',
  // An open thread reads its own by what changes, and any message of the account is a hint for it.
  '/conversations/{id}',
  '/conversations/{id}/visitor',
]);
const slowlyMs = 10_000;

/** Whether it is a list of conversations beside the one that is worked through: those of one contact, or those with a draft. */
const isBeside = ({ queryKey: [, path, given] }: Query): boolean =>
  path === '/conversations' && /"(?:contact_id|draft)":"/.test(JSON.stringify(given ?? null));

/** How many pages of a list are loaded: all of them are read again at a time. */
const countPages = ({ state: { data } }: Query): number =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages) ? data.pages.length : 1;

/** How old, in ms, it is at least before it is asked for again: the longer a list is loaded, the older. */
const restMs = (path: string, query: Query): number =>
  slowly.has(path) || path.endsWith('/count') || isBeside(query)
    ? slowlyMs
    : Math.min(slowlyMs, (countPages(query) - 1) * pauseMs);

/** Whether hints of the path wait, because it was asked for a moment ago. */
export const isTooFresh = (path: string, query: Query): boolean =>
  Date.now() - query.state.dataUpdatedAt < restMs(path, query);
