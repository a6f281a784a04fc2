import type { Message } from '../live/wire.ts';
import type { Cursor, Thread } from './thread.ts';

/** What the visitor has not seen. */
export type ReadMarks = {
  unread: () => number;
  /** All is seen. Answers whether something was not. */
  markRead: () => boolean;
  clear: () => void;
};

/** Tells the server up to which revision the visitor has seen the thread: once for each, and never before they see it. */
export const createReadMarks = ({
  thread,
  tell,
}: {
  thread: Thread;
  tell: (upTo: Cursor) => Promise<unknown>;
}): ReadMarks => {
  let seen = new Set<string>();
  let told = 0;
  const isUnread = ({ isMine, readAt, id }: Message): boolean => !isMine && readAt === null && !seen.has(id);
  return {
    unread: () => thread.messages().filter(isUnread).length,
    markRead: () => {
      const news = thread.messages().filter(isUnread);
      for (const { id } of news) seen.add(id);
      const revision = Math.max(0, ...news.map((message) => message.revision));
      if (revision > 0) {
        told = revision;
        // Whoever comes back to the page, or hears the next message, tells it again.
        tell(thread.cursor).catch(() => {
          if (told === revision) for (const { id } of news) seen.delete(id);
        });
      }
      return news.length > 0;
    },
    clear: () => {
      seen = new Set();
      told = 0;
    },
  };
};
