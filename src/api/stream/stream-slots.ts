import { createBulkhead } from '../../shared/platform/bulkhead/bulkhead.ts';
import { RequestError } from '../../shared/errors.ts';

/** Whose stream it is; ids are UUIDs. */
export type StreamOwner = { accountId: string; userId: string; sessionId: string };

export type StreamBounds = { ofProcess: number; ofUser: number; ofSession: number };

/**
 * The most streams. A browser opens six connections to a host at most, by HTTP/1.1: a session must have some left for everything else. With the
 * requests that a process takes at the same time they stay below the connections that it has (see `listen`).
 */
const defaultBounds: StreamBounds = { ofProcess: 500, ofUser: 12, ofSession: 4 };

/**
 * Bounds the open streams of a process, and shares them among accounts: see `createBulkhead`. `take` throws `rate_limited` where session, user
 * or account have theirs, and `unavailable` when the process has no more. It answers what frees the slot.
 */
export const createStreamSlots = ({ ofProcess, ofUser, ofSession }: StreamBounds = defaultBounds) => {
  const slots = createBulkhead({ total: ofProcess, perKey: ofUser });
  const sessions = new Map<string, number>();
  const take = ({ accountId, userId, sessionId }: StreamOwner): (() => void) => {
    const open = sessions.get(sessionId) ?? 0;
    if (open >= ofSession) throw tooMany(`This session has ${ofSession} streams open: close one`);
    if (slots.isFull()) throw new RequestError('unavailable', 'Too many streams are open. Try again later.');
    const lane = { accountId, key: userId };
    if (!slots.take(lane)) throw tooMany('Too many streams of this user or account are open: close one');
    sessions.set(sessionId, open + 1);
    return () => {
      slots.release(lane);
      const rest = (sessions.get(sessionId) ?? 1) - 1;
      if (rest > 0) sessions.set(sessionId, rest);
      else sessions.delete(sessionId);
    };
  };
  return { take };
};

const tooMany = (what: string) => new RequestError('rate_limited', `${what}, or try again later.`);
