import type { AskedChanges } from '../conversations/changes/read-changes.ts';
import type { VisitorChanges } from './read-visitor-changes.ts';

/** Whoever watches a conversation. */
export type Watcher = {
  /** The revision that its client has. */
  after: number;
  /** Takes what has changed. Answers whether its client reads fast enough. */
  take: (changes: Omit<VisitorChanges, 'hasMore'>) => boolean;
  /**
   * It hears nothing more. `slow`: its client does not read. `reset`: the client reads everything again, for it is too far behind, or the
   * conversation is gone or older than what the client has.
   */
  leave: (why: 'slow' | 'reset') => void;
};

/** The most rows of a reading, and the most readings in which a client that is behind gets there. */
const limit = 50;
const readingsAtMost = 4;

type Place = Watcher & { readings: number; onEnd: () => void };

/** A conversation, and those who watch it. */
export type Watched = ReturnType<typeof createWatched>;

export const createWatched = ({ accountId, conversationId }: Pick<AskedChanges, 'accountId' | 'conversationId'>) => {
  const places = new Set<Place>();
  /** The latest revision that was heard of since the last reading began, and that was read. */
  let heard = 0;
  let read = 0;
  let isReading = false;

  const end = (place: Place): void => {
    if (places.delete(place)) place.onEnd();
  };

  const send = (place: Place, why: 'slow' | 'reset'): void => {
    end(place);
    place.leave(why);
  };

  const hand = (place: Place, changes: VisitorChanges): void => {
    if (changes.conversation.revision < place.after) return send(place, 'reset');
    const { conversation, revision } = changes;
    const messages = changes.messages.filter((message) => message.revision > place.after);
    const isNews = revision > place.after;
    place.after = Math.max(place.after, revision);
    place.readings = changes.hasMore ? place.readings + 1 : 0;
    if (isNews && !place.take({ conversation, messages, revision })) return send(place, 'slow');
    if (place.readings >= readingsAtMost) send(place, 'reset');
  };

  const lowest = (): number => Math.min(...[...places].map(({ after }) => after));

  return {
    conversationId,
    size: (): number => places.size,
    /** Answers what ends it. `onEnd` is called once, however it ends. */
    add: (watcher: Watcher, onEnd: () => void): (() => void) => {
      const place = { ...watcher, readings: 0, onEnd };
      places.add(place);
      heard = Math.max(heard, watcher.after + 1);
      return () => end(place);
    },
    hear: (revision: number): void => {
      heard = Math.max(heard, revision);
    },
    /** Reads for those who are behind until nobody is. It is one reading at a time. Rejects as `readChanges` does, and may be called again. */
    bring: async (readChanges: (asked: AskedChanges) => Promise<VisitorChanges | undefined>): Promise<void> => {
      if (isReading) return;
      isReading = true;
      try {
        while (places.size > 0 && lowest() < Math.max(heard, read)) {
          const after = lowest();
          const before = heard;
          heard = 0;
          const changes = await readChanges({ accountId, conversationId, after, limit }).catch((error: unknown) => {
            heard = Math.max(heard, before);
            throw error;
          });
          read = changes?.conversation.revision ?? 0;
          for (const place of places) {
            if (!changes) send(place, 'reset');
            // Whoever came during the reading, and is further behind, waits for the next one.
            else if (place.after >= after) hand(place, changes);
          }
        }
      } finally {
        isReading = false;
      }
    },
    endAll: (): void => {
      for (const place of places) end(place);
    },
  };
};
