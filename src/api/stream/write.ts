import type { ServerResponse } from 'node:http';
import type { Talks } from '../../shared/hints/gather-talks.ts';
import type { ConversationHint, Hint, TypingHint } from '../../shared/hints/schema.ts';
import { showId } from '../../shared/ids.ts';
import type { PresenceBody } from '../../shared/presence/schema.ts';

/** How long browsers wait before they connect again, in ms, at random: those of a process that stops come back one by one. */
const retryMs = () => 2_000 + Math.floor(Math.random() * 3_000);

/** Begins an answer of server-sent events. Proxies pass on each one as it comes. */
export const beginEvents = (response: ServerResponse): void => {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'X-Accel-Buffering': 'no',
    // Nothing else comes over this connection: a process that stops need not wait for it.
    Connection: 'close',
  });
  response.write(`retry: ${retryMs()}\n\n`);
};

/** JSON has no line breaks: an event is one line. */
export const writeHint = (response: ServerResponse, hint: Hint): void =>
  void response.write(`data: ${JSON.stringify(hint)}\n\n`);

/** With more conversations than this at a time, a stream hears that any may have changed. */
const talksAtMost = 200;

/** The text of the events of conversations. */
export const textOfTalks = (talks: Talks): string => {
  const told: readonly ConversationHint[] =
    talks === 'everything' || talks.length > talksAtMost
      ? [{ id: null, revision: null }]
      : talks.map(({ conversationId, revision }) => ({ id: showId('conversation', conversationId), revision }));
  return told.map((hint) => `event: conversation\ndata: ${JSON.stringify(hint)}\n\n`).join('');
};

export const writePresence = (response: ServerResponse, presence: PresenceBody): void =>
  void response.write(`event: presence\ndata: ${JSON.stringify(presence)}\n\n`);

/** The text of the events of contacts who type. */
export const textOfTyping = (hints: readonly TypingHint[]): string =>
  hints.map((hint) => `event: typing\ndata: ${JSON.stringify(hint)}\n\n`).join('');

/** A sign of life: without any, proxies and pages take the connection for dead. */
export const writeBeat = (response: ServerResponse): void => void response.write('event: beat\ndata: 1\n\n');

/** The same as a comment, for clients that read bytes. */
export const writeComment = (response: ServerResponse): void => void response.write(':\n\n');
