import { useEffect } from 'react';
import { askAgain, createRefetching, findAsked } from './refetching.ts';
import { hearPresence, beatAgain } from './presence.ts';
import { noteStream } from './stream-state.ts';
import { pathsOf, readHint } from './topics.ts';

/** How long after a refused stream it is asked for again, in ms. A browser does that by itself only after a lost connection. */
const againMs = 30_000;

/** How long after the first stream has begun what was asked before it is asked for again, in ms. */
const firstAgainMs = 5_000;

/**
 * Keeps what is shown up to date, by the hints of the server: on each of them, and whenever the stream begins, because nobody has told of what changed
 * until then. The first one begins a moment after the page's own questions: those are repeated later, so that a page loads nothing twice. Where there
 * is no stream, as for a fifth page of one session, all that is shown is asked for again from time to time.
 */
export const LiveHints = () => {
  useEffect(() => {
    const refetch = createRefetching();
    let stream: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let first: ReturnType<typeof setTimeout> | undefined;
    let isFirst = true;
    const open = (): void => {
      stream = new EventSource('/dashboard/api/stream');
      stream.addEventListener('open', () => {
        noteStream(true);
        // Another process may have it now, which has heard of nobody here.
        beatAgain();
        if (isFirst) first = setTimeout(askAgain, firstAgainMs, findAsked());
        else refetch(['']);
        isFirst = false;
      });
      stream.addEventListener('message', ({ data }) => refetch(readHint(data).flatMap(pathsOf)));
      stream.addEventListener('presence', ({ data }) => hearPresence(data));
      stream.addEventListener('error', () => {
        noteStream(false);
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
      clearTimeout(first);
      stream.close();
      noteStream(true);
    };
  }, []);
  return null;
};
