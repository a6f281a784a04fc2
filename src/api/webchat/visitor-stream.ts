import type { ServerResponse } from 'node:http';
import type { Webchat } from '../../shared/messages/webchat/find-visit.ts';
import type { ThreadOf } from '../../shared/messages/webchat/thread.ts';
import type { Typing } from '../../shared/messages/webchat/typing.ts';

/** Whose stream it is, and on which page; ids are UUIDs. */
export type StreamOwner = {
  channel: Pick<Webchat, 'id' | 'accountId'>;
  visitorId: string;
  /** From which it was opened: see `networkOf`. */
  network: string;
  /** That of the sender in messages of the visitor. */
  externalId: string;
  isIdentified: boolean;
  /** Undefined until the visitor has written. */
  of: ThreadOf | undefined;
  /** Of the page, empty where it says none, and the host that it has asked. */
  origin: string;
  host: string;
};

/** An open stream. */
export type VisitorStream = StreamOwner & {
  response: ServerResponse;
  hasBegun: boolean;
  /** The conversation that it shows, a UUID. */
  conversationId: string | undefined;
  isClosed: boolean;
  /** What its client knows of it; undefined until the stream has told it. */
  typing: Typing | undefined;
  /** When it has begun, or shown something, last, in ms. */
  activeMs: number;
  /** Resolves when all changes that came are shown; `waiting` says how many are not. */
  shown: Promise<void>;
  waiting: number;
};
