import { useEffect } from 'react';
import { askAgain, createRefetching, findAsked } from './refetching.ts';
import { beatAgain, forgetPresence, hearPresence } from './presence.ts';
import { joinStream, type StreamEvent } from './shared-stream.ts';
import { noteStream } from './stream-state.ts';
import { hearTalk, tellGap } from './talks.ts';
import { pathsOf, readHint } from './topics.ts';
import { forgetTyping, hearTyping } from './typing.ts';

/** How long after the first stream has begun what was asked before it is asked for again, in ms. */
const firstAgainMs = 5_000;

/**
 * Keeps what is shown up to date, by the hints of the server: on each of them, and whenever the stream begins, because nobody has told of what changed
 * until then. The first one begins a moment after the page's own questions: those are repeated later, so that a page loads nothing twice. Where there
 * is no stream, as for a fifth browser of one session, all that is shown is asked for again from time to time.
 */
export const LiveHints = () => {
  useEffect(() => {
    const refetch = createRefetching();
    let first: ReturnType<typeof setTimeout> | undefined;
    let isFirst = true;
    const refetchAll = (): void => {
      refetch(['']);
      tellGap();
    };
    const hear = ({ name, data }: StreamEvent): void => {
      if (name === 'presence') hearPresence(data);
      else if (name === 'conversation') hearTalk(data);
      else if (name === 'typing') hearTyping(data);
      else refetch(readHint(data).flatMap(pathsOf));
    };
    const leave = joinStream({
      hear,
      begin: () => {
        noteStream(true);
        if (!isFirst) forgetPresence();
        // Another process may have it now, which has heard of nobody here.
        beatAgain();
        if (isFirst) first = setTimeout(askAgain, firstAgainMs, findAsked());
        else refetch(['']);
        tellGap();
        isFirst = false;
      },
      lose: () => {
        noteStream(false);
        forgetTyping();
      },
      lack: refetchAll,
    });
    return () => {
      clearTimeout(first);
      leave();
      noteStream(true);
    };
  }, []);
  return null;
};
