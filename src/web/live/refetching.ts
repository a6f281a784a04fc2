import type { Query } from '@tanstack/react-query';
import { byRevision, queryClient } from '../api/query-client.ts';
import { isTooFresh, pauseMs } from './too-fresh.ts';

/** The path that a query asks; undefined for one that hints are not about. */
const pathOf = ({ queryKey: [, path] }: Query): string | undefined =>
  typeof path === 'string' && !byRevision.has(path) ? path : undefined;

const isBelow = (path: string, prefixes: readonly string[]): boolean =>
  prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));

/** Whether its first answer is on the way, or the next page of a list: it may have been read too early, and asking now would take the page away. */
const isComing = ({ state: { data, fetchStatus, fetchMeta } }: Query): boolean =>
  fetchStatus === 'fetching' && (data === undefined || fetchMeta?.fetchMore !== undefined);

/** Nobody sees what a hidden tab shows. */
const shown = async (): Promise<void> => {
  while (document.hidden)
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
};

/** What no lost connection hides a change of: files never change. */
const unchanging: ReadonlySet<string> = new Set([...byRevision, '/media/{id}']);

/** What has been asked for up to now, and is shown. */
export const findAsked = (): readonly Query[] =>
  queryClient
    .getQueryCache()
    .findAll({ type: 'active', predicate: ({ queryKey: [, path] }) => !unchanging.has(String(path)) });

/** Asks again for these, if they are still shown. */
export const askAgain = (asked: readonly Query[]): void => {
  void queryClient.invalidateQueries({ predicate: (query) => asked.includes(query) });
};

/**
 * Asks again for what is shown below these beginnings of paths, one time after the other: hints that come meanwhile are gathered for the next, and so is
 * what cannot be asked for yet.
 */
export const createRefetching = (): ((prefixes: readonly string[]) => void) => {
  const waiting = new Set<string>();
  let isBusy = false;
  const askAgain = async (): Promise<void> => {
    const prefixes = [...waiting];
    waiting.clear();
    await queryClient.invalidateQueries({
      predicate: (query) => {
        const path = pathOf(query);
        if (path === undefined || !isBelow(path, prefixes)) return false;
        if (!isComing(query) && !isTooFresh(path, query)) return true;
        waiting.add(path);
        return false;
      },
    });
  };
  const run = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    while (waiting.size > 0) {
      await shown();
      await askAgain();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    isBusy = false;
  };
  return (prefixes) => {
    for (const prefix of prefixes) waiting.add(prefix);
    void run();
  };
};
