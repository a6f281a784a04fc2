import { createClient, type RequestOptions } from './live/client.ts';
import { connect, type Connection } from './live/connection.ts';
import { createLink, type Link } from './live/link.ts';
import { createPauses } from './live/pause.ts';
import { RequestFailure } from './live/request-failure.ts';
import { oneTabAtATime } from './live/tabs.ts';
import { readAttachment, readChanges, readMessage, type Changes, type Message, type Upload } from './live/wire.ts';
import type { Place } from './loader/place.ts';
import type { Identity } from './page-api.ts';
import { fieldsOf, textOrNull } from './reading.ts';
import { createStore } from './store.ts';
import { describePage } from './thread/page-context.ts';
import { createFreshLinks, type FreshLinks } from './thread/fresh-links.ts';
import { createIdentifying } from './thread/identifying.ts';
import { createNews } from './thread/news.ts';
import { createOutbox, type Outbox } from './thread/outbox.ts';
import { createPerson } from './thread/person.ts';
import { createReadMarks } from './thread/read-marks.ts';
import { createThread, type Thread } from './thread/thread.ts';
import { createTypingTold } from './thread/typing-told.ts';

/** All that the chat does without showing it. */
export type Session = {
  thread: Thread;
  outbox: Outbox;
  link: Link['state'];
  unread: () => number;
  /** Whether somebody has come to the page who may have written before, and it is not here yet what. */
  awaitsHistory: () => boolean;
  /** The visitor sees the thread to its end. */
  markRead: () => void;
  tellTyping: (isTyping: boolean) => void;
  /** Whether the visitor is known, by a message or by the site: nobody else sends files. */
  mayAttach: () => boolean;
  upload: Upload;
  /** Reads the next page of older messages, one at a time. */
  readOlder: () => Promise<void>;
  renewLinks: FreshLinks['renew'];
  identify: (identity: Identity | null) => Promise<void>;
  /** Whether the page was opened by a link of a mail. */
  isReturn: boolean;
  /** Whose tab this is by now: a short name for the visitor's token; empty for a stranger. */
  who: () => string;
  wake: (isNetworkNew: boolean) => void;
  destroy: () => void;
};

export type SessionOptions = {
  place: Place;
  /** Is called after each change of what is shown. */
  changed: () => void;
  /** Is called with each message of the business that comes while the page is open. */
  heard: (message: Message) => void;
  /** The page belongs to another person from now on. */
  cleared: () => void;
};

export const createSession = ({ place, changed, heard, cleared }: SessionOptions): Session => {
  const { base, channel } = place;
  const store = createStore(channel, () => localStorage);
  const client = createClient(base);
  const person = createPerson(store);
  const thread = createThread();
  const ended = new AbortController();
  const pauses = createPauses();
  const link = createLink((now) => {
    // The server is back: what could not be sent meanwhile goes out.
    if (now === 'live') outbox.wake();
    changed();
  });
  let connection: Connection | undefined;
  let connectedAs: string | null = null;
  let readingOlder: Promise<void> | undefined;

  const request = (method: 'GET' | 'POST', path: string, options: RequestOptions = {}) =>
    client.request(method, path, { token: person.token(), signal: ended.signal, ...options });

  const alone = <T>(work: () => Promise<T>): Promise<T> => oneTabAtATime(store.nameOf('send'), work);

  const news = createNews({ thread, heard });

  const readBefore = async (id: string | undefined): Promise<Changes> =>
    readChanges((await request('GET', id === undefined ? 'changes' : `changes?before=${encodeURIComponent(id)}`)).body);

  const links = createFreshLinks({ thread, read: readBefore, changed, signal: ended.signal });

  const tellTyping = createTypingTold(store, (isTyping) => {
    void request('POST', 'typing', { body: { is_typing: isTyping } }).catch(() => {});
  });

  const marks = createReadMarks({
    thread,
    tell: ({ after: revision, conversation }) =>
      request('POST', 'read', { body: { revision, ...(conversation !== null && { conversation }) } }),
  });

  const disconnect = (): void => {
    connection?.stop();
    connection = undefined;
    connectedAs = null;
    link.reset();
    news.clear();
    marks.clear();
    thread.clear();
  };

  /** Follows the thread of whoever has the token, and of nobody else. */
  const follow = (): void => {
    const token = person.token();
    if (token === connectedAs || ended.signal.aborted) return;
    const wasConnected = connectedAs !== null;
    disconnect();
    if (wasConnected) cleared();
    connectedAs = token;
    if (token === null) return changed();
    connection = connect({
      client,
      token,
      thread,
      // Tabs with the tokens of two people share nothing.
      name: `${store.nameOf('stream')}:${token.slice(0, 8)}`,
      changed: () => {
        news.tell();
        links.look();
        changed();
      },
      setLink: link.set,
      refused: () => identifying.refuse(token),
    });
    return undefined;
  };

  const outbox = createOutbox({
    store,
    alone,
    changed: () => changed(),
    send: async ({ clientId, text, choice, files }) => {
      const token = person.token();
      try {
        const { body } = await request('POST', 'messages', {
          token,
          body: {
            client_id: clientId,
            text,
            ...(files.length > 0 && { attachments: files.map(({ id }) => ({ media_id: id })) }),
            ...(choice && { choice: { message_id: choice.messageId, index: choice.index } }),
            context: describePage(),
          },
        });
        const given = fieldsOf(body);
        if (token !== person.token()) return;
        const made = textOrNull(given['visitor_token']);
        if (made !== null) person.setToken(made);
        follow();
        thread.put(readMessage(given['message']));
      } catch (error) {
        if (!(error instanceof RequestFailure) || error.status !== 401 || token === null) throw error;
        // The visitor was deleted, the token has given way to those of other browsers, or it is from before a restore.
        identifying.refuse(token);
        throw new RequestFailure(0, '');
      }
    },
  });

  const readOlder = async (): Promise<void> => {
    const [oldest] = thread.messages();
    const token = person.token();
    if (!oldest || !thread.hasOlder) return;
    const older = await readBefore(oldest.id);
    if (token !== person.token() || thread.messages()[0]?.id !== oldest.id) return;
    thread.prepend(older);
    news.skip();
    links.look();
    changed();
  };

  /** Forgets all of one person before anything of the next one is asked for. */
  const forgetPerson = (): void => {
    person.forget();
    outbox.clear();
    follow();
    cleared();
  };

  const { identify, comeBack, isReturn, ...identifying } = createIdentifying({
    person,
    outbox,
    pauses,
    request,
    alone,
    follow,
    forgetPerson,
  });

  const hearStorage = ({ key }: StorageEvent): void => {
    if (key === store.nameOf('token') || key === null) follow();
    else if (key.startsWith(store.nameOf('out:'))) changed();
  };
  const cameAs = person.token();
  window.addEventListener('storage', hearStorage, { signal: ended.signal });
  // A page that comes back as it was left has heard of nothing meanwhile.
  window.addEventListener('pageshow', ({ persisted }) => persisted && follow(), { signal: ended.signal });
  follow();
  void comeBack();
  outbox.flush();

  return {
    thread,
    outbox,
    link: link.state,
    identify,
    isReturn,
    who: () => person.token()?.slice(0, 8) ?? '',
    unread: marks.unread,
    awaitsHistory: () => cameAs !== null && cameAs === person.token() && !thread.isLoaded,
    markRead: () => {
      if (marks.markRead()) changed();
    },
    tellTyping: (isTyping) => {
      if (person.token() !== null) tellTyping(isTyping);
    },
    mayAttach: () => person.token() !== null,
    upload: async (file, { signal, onProgress }) => {
      const path = `media?name=${encodeURIComponent(file.name)}`;
      const signals = [signal, ended.signal];
      const { body } = await client.upload(path, file, { token: person.token(), signals, onProgress });
      return readAttachment(body);
    },
    readOlder: () => (readingOlder ??= readOlder().finally(() => (readingOlder = undefined))),
    renewLinks: links.renew,
    wake: (isNetworkNew) => {
      pauses.wake();
      connection?.wake({ isNetworkNew });
      links.look();
      outbox.wake();
    },
    destroy: () => {
      ended.abort();
      identifying.stop();
      link.reset();
      connection?.stop();
      outbox.stop();
    },
  };
};
