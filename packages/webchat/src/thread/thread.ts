import type { Changes, Message, Typing } from '../live/wire.ts';

/** What `after` of changes counts in, and from where. */
export type Cursor = { conversation: string | null; after: number };

/** A visitor's messages as far as this page has read them, and the revision up to which nothing is missing. */
export type Thread = {
  readonly cursor: Cursor;
  readonly isLoaded: boolean;
  readonly hasOlder: boolean;
  /** How many pages of what was said before have come, of whomever. */
  readonly pages: number;
  readonly typing: Typing;
  readonly agent: string | null;
  messages: () => Message[];
  /**
   * Takes what follows a cursor. Answers whether this page has to read for itself: `gap` where something lies between, `other` where another
   * conversation has begun.
   */
  take: (changes: Changes, from: Cursor) => 'whole' | 'gap' | 'other';
  /** Begins anew with the latest page of messages. */
  replace: (changes: Changes) => void;
  /** Adds a page of older messages. */
  prepend: (changes: Changes) => void;
  /** Adds an acknowledged message of the visitor's own. Others may be missing before it: the cursor stays. */
  put: (message: Message) => void;
  /** Takes links, which came later, of messages that are here. */
  relink: (messages: readonly Message[]) => void;
  setTyping: (typing: Typing) => void;
  clear: () => void;
};

/** More than anybody scrolls back. The oldest are dropped, and read again when they are asked for. */
const mostMessages = 1_000;

const silent: Typing = { bot: false, agent: false };

/** By their ids, as in every list of the server: the times of two messages that were written at once may stand the other way round. */
const inOrder = (one: Message, other: Message): number => (one.id < other.id ? -1 : 1);

export const createThread = (): Thread => {
  let byId = new Map<string, Message>();
  let sorted: Message[] | undefined;
  let cursor: Cursor = { conversation: null, after: 0 };
  let isLoaded = false;
  let hasOlder = false;
  let pages = 0;
  /** The oldest message, where older ones have not been read: a change of one of those would leave a hole behind it. */
  let floor: Message | undefined;
  let typing = silent;
  let agent: string | null = null;

  /** Answers may overtake each other: the later revision of a message stays. */
  const put = (message: Message): void => {
    const known = byId.get(message.id);
    if (known && known.revision > message.revision) return;
    if (floor && inOrder(message, floor) < 0) return;
    byId.set(message.id, message);
    sorted = undefined;
  };

  const messages = (): Message[] => (sorted ??= [...byId.values()].sort(inOrder));

  const dropOldest = (): void => {
    if (byId.size <= mostMessages) return;
    for (const { id } of messages().slice(0, byId.size - mostMessages)) byId.delete(id);
    sorted = undefined;
    setFloor(true);
  };

  const setFloor = (more: boolean): void => {
    hasOlder = more;
    floor = more ? messages()[0] : undefined;
  };

  return {
    get cursor() {
      return cursor;
    },
    get isLoaded() {
      return isLoaded;
    },
    get hasOlder() {
      return hasOlder;
    },
    get pages() {
      return pages;
    },
    get typing() {
      return typing;
    },
    get agent() {
      return agent;
    },
    messages,
    put,
    take: (changes, from) => {
      const id = changes.conversation?.id ?? null;
      if (!isLoaded) return 'gap';
      if (id !== cursor.conversation || from.conversation !== cursor.conversation) return 'other';
      for (const message of changes.messages) put(message);
      dropOldest();
      if (changes.revision < cursor.after) return 'whole';
      typing = changes.typing;
      agent = changes.conversation?.agent ?? null;
      if (from.after > cursor.after) return 'gap';
      cursor = { conversation: id, after: changes.revision };
      return changes.hasMore ? 'gap' : 'whole';
    },
    replace: (changes) => {
      byId = new Map();
      sorted = undefined;
      floor = undefined;
      for (const message of changes.messages) put(message);
      setFloor(changes.hasMore);
      cursor = { conversation: changes.conversation?.id ?? null, after: changes.revision };
      agent = changes.conversation?.agent ?? null;
      typing = changes.typing;
      if (!isLoaded) pages += 1;
      isLoaded = true;
    },
    prepend: (changes) => {
      floor = undefined;
      pages += 1;
      for (const message of changes.messages) put(message);
      setFloor(changes.hasMore && changes.messages.length > 0 && byId.size < mostMessages);
    },
    relink: (fresh) => {
      for (const message of fresh) if (byId.has(message.id)) put(message);
    },
    setTyping: (told) => {
      typing = told;
    },
    clear: () => {
      byId = new Map();
      sorted = undefined;
      cursor = { conversation: null, after: 0 };
      isLoaded = false;
      setFloor(false);
      typing = silent;
      agent = null;
    },
  };
};
