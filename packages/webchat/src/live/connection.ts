import type { Cursor, Thread } from '../thread/thread.ts';
import type { Client } from './client.ts';
import { RequestFailure } from './request-failure.ts';
import type { LinkState } from './link.ts';
import { backOff, createPauses } from './pause.ts';
import { followStream, queryOf, type Pushed } from './stream.ts';
import { createTabs } from './tabs.ts';
import { readChanges, readTyping, type Changes } from './wire.ts';

/** Keeps a thread up to date. */
export type Connection = {
  /** Reconnects at once, for something says that the connection may be dead or the network is back. */
  wake: (options: { isNetworkNew: boolean }) => void;
  stop: () => void;
};

export type ConnectionOptions = {
  client: Client;
  token: string;
  thread: Thread;
  /** The same for all tabs of this visitor. */
  name: string;
  /** Is called after each change of the thread. */
  changed: () => void;
  setLink: (link: LinkState) => void;
  /** Is called when the server does not know the token any more. */
  refused: () => void;
};

type Told = Pushed | { kind: 'link'; link: LinkState } | { kind: 'read'; upTo: Cursor };

/** A connection that has said nothing for longer may be dead: the heartbeat comes every 20 s. */
const doubtfulMs = 25_000;

/** How long to wait after a refusal that is likely to stay, in ms. */
const refusedMs = 300_000;

/** After a reset the stream comes again at once, but not so soon after another one, in ms. */
const resetEveryMs = 5_000;

/** Pages of changes that are read one after the other before all is read anew. */
const mostPages = 20;

/** Reads what is missing, then follows the stream; again and again. The tabs of a browser have one stream together. */
export const connect = (options: ConnectionOptions): Connection => {
  const { client, token, thread, name, changed, setLink, refused } = options;
  const stopped = new AbortController();
  const { signal } = stopped;
  const pauses = createPauses();
  let reading: Promise<void> | undefined;
  let readAgain = false;
  let beginAnew = false;
  /** Whether a read has failed and none has succeeded since. */
  let isMissing = false;
  /** Whether this turn has read what there is, before it asked for the stream. */
  let hasRead = false;
  let stream: AbortController | undefined;
  let lastSign = 0;
  let resetAt = 0;
  let failures = 0;

  const readPage = async (cursor: Cursor): Promise<Changes> =>
    readChanges((await client.request('GET', `changes?${queryOf(cursor)}`, { token, signal })).body);

  const readAll = async (): Promise<void> => {
    for (let page = 0; ; page += 1) {
      const isAnew = beginAnew || !thread.isLoaded || page > mostPages;
      const from = isAnew ? { conversation: null, after: 0 } : thread.cursor;
      if (isAnew) beginAnew = false;
      const changes = await readPage(from);
      signal.throwIfAborted();
      if (isAnew) thread.replace(changes);
      else {
        // Of another conversation, or from before a restore of the database.
        const isOther = thread.take(changes, from) === 'other' || changes.revision < from.after;
        beginAnew ||= isOther;
      }
      changed();
      const isDone = isAnew || !changes.hasMore || changes.revision <= from.after;
      if (isDone && !beginAnew) return;
    }
  };

  /** One read at a time. What asks for one meanwhile gets another one, for the first may have been answered before. */
  const read = (): Promise<void> => {
    readAgain = true;
    reading ??= (async () => {
      try {
        while (readAgain) {
          readAgain = false;
          await readAll();
        }
        isMissing = false;
      } finally {
        reading = undefined;
      }
    })();
    return reading;
  };

  const readOrFail = (): void => void read().catch(fail);

  const fail = (error: unknown): void => {
    if (signal.aborted) return;
    isMissing = true;
    if (error instanceof RequestFailure && error.status === 401) refused();
  };

  const take = (pushed: Pushed): void => {
    if (signal.aborted) return;
    if (pushed.kind === 'typing') thread.setTyping(readTyping(pushed.body));
    if (pushed.kind === 'reset') beginAnew = true;
    if (pushed.kind === 'changes') {
      const changes = readChanges(pushed.body);
      const taken = thread.take(changes, pushed.from);
      if (taken === 'other') beginAnew = true;
      // A read that is under way may be older than this, and would take it back.
      if (taken !== 'whole' || reading) readOrFail();
      changed();
      return;
    }
    if (pushed.kind === 'reset') readOrFail();
    changed();
  };

  const show = (link: LinkState): void => {
    setLink(link);
    tabs.tell({ kind: 'link', link });
  };

  const follow = async (leading: AbortSignal): Promise<'ended' | 'reset'> => {
    const own = new AbortController();
    stream = own;
    hasRead = false;
    const end = (): void => own.abort();
    leading.addEventListener('abort', end);
    try {
      await (reading ?? read());
      hasRead = true;
      if (leading.aborted) return 'ended';
      // What this tab has read is not pushed to it, and so no other tab would hear of it.
      tabs.tell({ kind: 'read', upTo: thread.cursor });
      lastSign = Date.now();
      const push = (pushed: Pushed): void => {
        tabs.tell(pushed);
        take(pushed);
      };
      const alive = (): void => {
        failures = 0;
        lastSign = Date.now();
        show('live');
      };
      return await followStream({ client, token, from: thread.cursor, signal: own.signal, push, alive });
    } finally {
      leading.removeEventListener('abort', end);
      stream = undefined;
    }
  };

  const lead = async (leading: AbortSignal): Promise<void> => {
    while (!leading.aborted) {
      let waitMs = 0;
      let link: LinkState = 'connecting';
      try {
        const isReset = (await follow(leading)) === 'reset';
        const wasReset = resetAt;
        resetAt = isReset ? Date.now() : 0;
        // Another conversation has begun, whose first messages are on their way. A server that only resets is given time.
        if (isReset && resetAt - wasReset > resetEveryMs) continue;
      } catch (error) {
        fail(error);
        if (error instanceof RequestFailure) {
          waitMs = error.isTemporary ? error.waitMs : refusedMs;
          // There was no room for the stream. Each turn reads, so the chat works on, only slower.
          if (hasRead && (error.status === 429 || error.status === 503)) link = 'live';
        }
      }
      if (leading.aborted) return;
      show(link);
      await pauses.pause(Math.max(waitMs, backOff(failures)), leading);
      failures += 1;
    }
  };

  const tabs = createTabs<Told>({
    name,
    lead,
    wake: () => wake({ isNetworkNew: false }),
    hear: (told) => {
      if (told.kind === 'link') {
        setLink(told.link);
        if (told.link === 'live' && isMissing) readOrFail();
      } else if (told.kind === 'read') {
        const { conversation, after } = thread.cursor;
        if (reading || conversation !== told.upTo.conversation || after < told.upTo.after) readOrFail();
      } else take(told);
    },
  });

  const wake: Connection['wake'] = ({ isNetworkNew }) => {
    pauses.wake();
    if (stream && (isNetworkNew || Date.now() - lastSign > doubtfulMs)) stream.abort();
    else if (!stream) readOrFail();
  };

  // A tab that does not lead hears what changes, but not what was before.
  readOrFail();
  return {
    wake: (why) => {
      wake(why);
      tabs.checkLeader();
    },
    stop: () => {
      stopped.abort();
      tabs.stop();
    },
  };
};
