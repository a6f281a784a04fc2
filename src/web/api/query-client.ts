import { QueryClient } from '@tanstack/react-query';
import { ApiFailure } from './failure.ts';

/** How often a question is asked again that could not be answered: not at all where the answer was a refusal of the request. */
const retries = 2;

/** Whether to ask again after so many times, of which the last one failed so. */
export const retry = (count: number, error: Error): boolean =>
  count < retries && !(error instanceof ApiFailure && error.status < 500);

/** What the pages have been told, kept while it may be shown again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 5_000, retry },
    mutations: { retry: false },
  },
});

/** What threads read by revisions (`../live/thread.ts`), and nothing else has read again. */
export const byRevision: ReadonlySet<string> = new Set([
  '/conversations/{id}/messages',
  '/conversations/{id}/notes',
  '/conversations/{id}/acts',
  '/conversations/{id}/thread',
]);

// They are right by what changes. The links of their files are good for an hour.
for (const path of byRevision) queryClient.setQueryDefaults(['get', path], { staleTime: 10 * 60_000 });

/** Asks again for what is shown of these paths and of those below them. */
export const invalidate = (...prefixes: string[]): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [, path] }) =>
      typeof path === 'string' &&
      !byRevision.has(path) &&
      prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)),
  });
