import { useEffect } from 'react';
import { queryClient } from '../api/query-client.ts';
import { pathsOf, readHint } from './topics.ts';

/** At least so long, in ms, between two times that what is shown is asked for again. */
const pauseMs = 1_000;

/** Asks again for what is shown below these beginnings of paths, one time after the other: hints that come meanwhile are gathered for the next. */
const createRefetching = (): ((prefixes: readonly string[]) => void) => {
  const waiting = new Set<string>();
  let isBusy = false;
  const run = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    while (waiting.size > 0) {
      const prefixes = [...waiting];
      waiting.clear();
      await queryClient.invalidateQueries({
        predicate: ({ queryKey: [, path] }) =>
          typeof path === 'string' && prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)),
      });
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    isBusy = false;
  };
  return (prefixes) => {
    for (const prefix of prefixes) waiting.add(prefix);
    void run();
  };
};

/** How long after a refused stream it is asked for again, in ms. A browser does that by itself only after a lost connection. */
const againMs = 30_000;

/**
 * Keeps what is shown up to date, by the hints of the server: on each of them, and whenever the stream begins again. Where there is no stream, as
 * for a fifth page of one session, all that is shown is asked for again from time to time.
 */
export const LiveHints = () => {
  useEffect(() => {
    const refetch = createRefetching();
    let stream: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isAgain = false;
    const open = (): void => {
      stream = new EventSource('/dashboard/api/stream');
      stream.addEventListener('open', () => {
        if (isAgain) refetch(['']);
        isAgain = true;
      });
      stream.addEventListener('message', ({ data }) => refetch(readHint(data).flatMap(pathsOf)));
      stream.addEventListener('error', () => {
        if (stream.readyState !== EventSource.CLOSED) return;
        timer = setTimeout(() => {
          refetch(['']);
          open();
        }, againMs);
      });
    };
    open();
    return () => {
      clearTimeout(timer);
      stream.close();
    };
  }, []);
  return null;
};
