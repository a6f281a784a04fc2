import { RequestFailure } from '../live/request-failure.ts';
import { backOff } from '../live/pause.ts';
import { readAttachment, type Attachment } from '../live/wire.ts';
import { fieldsOf, listOf, numberOf, textOf } from '../reading.ts';
import { readRefusal, refusalOf, type Refusal } from '../refusals.ts';
import type { Store } from '../store.ts';

/** A quick reply of a message, by its place. */
export type Choice = { messageId: string; index: number };

/** A message of the visitor's that the server has not acknowledged. */
export type Pending = {
  clientId: string;
  text: string;
  /** The quick reply whose text this is. */
  choice: Choice | null;
  /** Files that are uploaded. */
  files: Attachment[];
  /** When it was written, in ms: the order in which messages are sent. */
  at: number;
  state: 'waiting' | 'failed';
  /** What the server has against it. */
  reason: Refusal | null;
  /** Whether the server has refused it, so that trying again is the visitor's decision. */
  isRefused: boolean;
  tries: number;
};

export type Outbox = {
  list: () => Pending[];
  add: (text: string, more?: { choice?: Choice; files?: Attachment[] }) => boolean;
  retry: (clientId: string) => void;
  discard: (clientId: string) => void;
  /** Has those tried again at once that failed for want of a connection. */
  wake: () => void;
  /** Sends what waits. */
  flush: () => void;
  clear: () => void;
  stop: () => void;
};

export type OutboxOptions = {
  store: Store;
  /** Sends one, and throws where no acknowledgement came. The same id is stored once, however often it is sent. */
  send: (pending: Pending) => Promise<void>;
  /** Runs work in one tab at a time, so that all messages go in their order, and the first one makes one visitor. */
  alone: <T>(work: () => Promise<T>) => Promise<T>;
  changed: () => void;
};

/** More than anybody writes without a connection. */
const mostPending = 50;

/** After so many tries without an answer the visitor decides. */
const mostTries = 6;

const prefix = 'out:';

const readChoice = (value: unknown): Choice | null => {
  const { messageId, index } = fieldsOf(value);
  return typeof messageId === 'string' ? { messageId, index: numberOf(index) } : null;
};

const readPending = (text: string | null): Pending | undefined => {
  try {
    const given = fieldsOf(JSON.parse(text ?? ''));
    return {
      clientId: textOf(given['clientId']),
      text: textOf(given['text']),
      choice: readChoice(given['choice']),
      files: listOf(given['files']).map(readAttachment),
      at: numberOf(given['at']),
      state: given['state'] === 'failed' ? 'failed' : 'waiting',
      reason: readRefusal(given['reason']),
      isRefused: given['isRefused'] === true,
      tries: numberOf(given['tries']),
    };
  } catch {
    return undefined;
  }
};

/** Keeps what the visitor writes until the server has acknowledged it: over reloads, in all tabs. */
export const createOutbox = ({ store, send, alone, changed }: OutboxOptions): Outbox => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSending = false;
  let wanted: 'nothing' | 'new' | 'urgent' = 'nothing';
  const stopped = new AbortController();
  const { signal } = stopped;

  const list = (): Pending[] =>
    store
      .list(prefix)
      .flatMap((key) => readPending(store.get(key)) ?? [])
      .sort((one, other) => one.at - other.at);
  const find = (clientId: string): Pending | undefined => list().find((pending) => pending.clientId === clientId);

  const keep = (pending: Pending): void => {
    store.set(`${prefix}${pending.clientId}`, JSON.stringify(pending));
    changed();
  };

  const discard = (clientId: string): void => {
    store.remove(`${prefix}${clientId}`);
    changed();
  };

  /** Answers how long to wait before the next try, in ms; nothing where all is done. */
  const sendAll = async (): Promise<number | undefined> => {
    for (;;) {
      const pending = list().find(({ state }) => state === 'waiting');
      if (!pending || signal.aborted) return undefined;
      try {
        await send(pending);
        discard(pending.clientId);
      } catch (error) {
        const failure = error instanceof RequestFailure ? error : new RequestFailure(0, '');
        // Another tab, or the visitor, has taken it away meanwhile.
        if (!find(pending.clientId)) continue;
        const tries = pending.tries + 1;
        if (failure.status === 409 && tries < mostTries) {
          // Its first acknowledgement was lost so long ago that the visitor whom it made is not given to anybody any more.
          store.remove(`${prefix}${pending.clientId}`);
          keep({ ...pending, tries, clientId: randomId() });
          continue;
        }
        const isOver = !failure.isTemporary || tries >= mostTries;
        const reason = refusalOf(failure);
        keep({ ...pending, tries, reason, isRefused: !failure.isTemporary, state: isOver ? 'failed' : 'waiting' });
        if (!isOver) return Math.max(failure.waitMs, backOff(pending.tries));
        // What waits behind one without an answer never goes before it.
        if (failure.isTemporary)
          for (const other of list()) if (other.state === 'waiting') keep({ ...other, reason, state: 'failed' });
      }
    }
  };

  const takeWanted = (): typeof wanted => {
    const now = wanted;
    wanted = 'nothing';
    return now;
  };

  const sendWanted = async (): Promise<void> => {
    let waitMs: number | undefined;
    for (let now = takeWanted(); now !== 'nothing'; now = takeWanted()) {
      // What is new waits behind a try that is due later.
      if (now === 'urgent' || waitMs === undefined) waitMs = await alone(sendAll);
    }
    isSending = false;
    if (waitMs !== undefined && !signal.aborted) timer = setTimeout(flush, waitMs);
  };

  const sendWaiting = (isUrgent: boolean): void => {
    if (signal.aborted || (timer !== undefined && !isUrgent)) return;
    wanted = isUrgent || wanted === 'urgent' ? 'urgent' : 'new';
    if (isSending) return;
    isSending = true;
    clearTimeout(timer);
    timer = undefined;
    void sendWanted();
  };
  const flush = (): void => sendWaiting(true);

  const restart = (wanted: (pending: Pending) => boolean): void => {
    for (const pending of list()) if (wanted(pending)) keep({ ...pending, state: 'waiting', tries: 0, reason: null });
  };
  const isUnanswered = ({ state, isRefused }: Pending): boolean => state === 'failed' && !isRefused;

  return {
    list,
    flush,
    discard,
    add: (text, { choice = null, files = [] } = {}) => {
      const all = list();
      if (all.length >= mostPending) return false;
      // A clock that was set back, or that has not moved on, changes no order.
      const at = Math.max(Date.now(), (all.at(-1)?.at ?? 0) + 1);
      const clientId = randomId();
      // Otherwise this one would come before them when there is a connection again.
      restart(isUnanswered);
      keep({ clientId, text, choice, files, at, state: 'waiting', reason: null, isRefused: false, tries: 0 });
      sendWaiting(false);
      return true;
    },
    retry: (clientId) => {
      restart((pending) => pending.clientId === clientId || isUnanswered(pending));
      flush();
    },
    wake: () => {
      restart(isUnanswered);
      flush();
    },
    clear: () => {
      for (const { clientId } of list()) store.remove(`${prefix}${clientId}`);
      changed();
    },
    stop: () => {
      stopped.abort();
      clearTimeout(timer);
    },
  };
};

/** Nobody can guess it. Pages without TLS have no `randomUUID`. */
const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
