import type { Message } from '../live/wire.ts';
import type { Thread } from './thread.ts';

export type News = {
  /** Tells of messages of the business that were not there before; those of the first read are no news. */
  tell: () => void;
  /** What is there now is known, as older messages are. */
  skip: () => void;
  clear: () => void;
};

export const createNews = ({ thread, heard }: { thread: Thread; heard: (message: Message) => void }): News => {
  let known: Set<string> | undefined;
  const skip = (): void => void (known = new Set(thread.messages().map(({ id }) => id)));
  return {
    skip,
    tell: () => {
      if (!thread.isLoaded) return;
      const before = known;
      skip();
      if (before === undefined) return;
      for (const message of thread.messages()) {
        if (!message.isMine && message.readAt === null && !before.has(message.id)) heard(message);
      }
    },
    clear: () => {
      known = undefined;
    },
  };
};
