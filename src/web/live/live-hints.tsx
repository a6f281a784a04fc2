import { useEffect } from 'react';
import { createRefetching } from './refetching.ts';
import { pathsOf, readHint } from './topics.ts';

/** How long after a refused stream it is asked for again, in ms. A browser does that by itself only after a lost connection. */
const againMs = 30_000;

/**
 * Keeps what is shown up to date, by the hints of the server: on each of them, and whenever the stream begins: nobody has told
 * of what changed until then. Where there is no stream, as
 * for a fifth page of one session, all that is shown is asked for again from time to time.
 */
export const LiveHints = () => {
  useEffect(() => {
    const refetch = createRefetching();
    let stream: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const open = (): void => {
      stream = new EventSource('/dashboard/api/stream');
      stream.addEventListener('open', () => refetch(['']));
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
