import { RequestError } from '../../errors.ts';
import type { Talks } from '../../hints/gather-talks.ts';
import type { OthersHearing } from '../../hints/hear-others.ts';
import type { TopicTeller } from '../../hints/tell-topics.ts';
import type { Database } from '../../platform/db/connect.ts';
import { createGathering } from '../../platform/gather.ts';
import type { Logger } from '../../platform/log.ts';
import type { AskedChanges } from '../conversations/changes/read-changes.ts';
import { readRevisions, readVisitorChanges, type VisitorChanges } from './read-visitor-changes.ts';
import { createWatched, type Watched, type Watcher } from './watched.ts';

/** A stream of a visitor: which conversation it shows, and what it does with its changes. */
export type Watch = Pick<AskedChanges, 'accountId' | 'conversationId' | 'after'> & Watcher;

export type LiveHub = {
  /**
   * Hands over what changes in a conversation after the revision `after`, until what it answers is called. Resolves when nothing after that revision
   * is missed any more. Throws `rate_limited` and `unavailable`.
   */
  watchConversation: (watch: Watch) => Promise<() => void>;
  /** Hands over nothing more. */
  stop: () => Promise<void>;
};

export type HubBounds = { ofProcess: number; ofConversation: number };

/** The most streams of visitors: those of a process, and of a conversation, which one person shows in a few tabs. */
const defaultBounds: HubBounds = { ofProcess: 2_000, ofConversation: 20 };

/** The most conversations of a statement, and the most of their revisions. */
const batch = { most: 50, atOnce: 1 };
const revisionsAtOnce = 1_000;

/** How long after a reading that has failed the hub reads again, in ms. */
const againMs = 1_000;

type Deps = {
  db: Database;
  teller: Pick<TopicTeller, 'hearTalks'>;
  others: OthersHearing;
  log: Logger;
  bounds?: HubBounds;
};

/**
 * Hands changes of conversations to the streams of visitors: one reading for all streams of a conversation, and one statement for many
 * conversations. A client that is slow is dropped.
 */
export const createLiveHub = ({ db, teller, others, log, bounds = defaultBounds }: Deps): LiveHub => {
  const byConversation = new Map<string, Watched>();
  const timers = new Set<NodeJS.Timeout>();
  let open = 0;
  let isStopped = false;

  const reads = createGathering<AskedChanges, VisitorChanges | undefined>({
    ...batch,
    many: (asked) => readVisitorChanges(db, asked),
  });

  const later = (work: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, againMs);
    timers.add(timer);
  };

  const bring = async (watched: Watched): Promise<void> => {
    try {
      await watched.bring((asked) => reads.ask(asked.accountId, asked));
    } catch (error) {
      log.warn({ err: error }, 'live.not_read');
      later(() => void bring(watched));
    }
  };

  const compare = async (): Promise<void> => {
    const all = [...byConversation.values()];
    try {
      for (let at = 0; at < all.length; at += revisionsAtOnce) {
        const some = all.slice(at, at + revisionsAtOnce);
        const ids = some.map(({ conversationId }) => conversationId);
        const revisions = await readRevisions(db, ids);
        for (const watched of some) {
          watched.hear(revisions.get(watched.conversationId) ?? Infinity);
          void bring(watched);
        }
      }
    } catch (error) {
      log.warn({ err: error }, 'live.not_compared');
      later(() => void compare());
    }
  };

  const hearTalks = (talks: Talks): void => {
    if (isStopped || open === 0) return;
    if (talks === 'everything') return void compare();
    for (const { conversationId, revision } of talks) {
      const watched = byConversation.get(conversationId);
      if (!watched) continue;
      watched.hear(revision);
      void bring(watched);
    }
  };

  const endHearing = teller.hearTalks(hearTalks);
  const listener = { hearTalks };
  const rest = () => others.rest(listener).catch((error: unknown) => log.warn({ err: error }, 'live_rest.failed'));

  const watchedOf = ({ accountId, conversationId }: Watch): Watched => {
    const known = byConversation.get(conversationId);
    if (known) return known;
    const watched = createWatched({ accountId, conversationId });
    byConversation.set(conversationId, watched);
    return watched;
  };

  return {
    watchConversation: async (watch) => {
      if (isStopped) throw new RequestError('unavailable', 'This process is stopping. Connect again.');
      if (open >= bounds.ofProcess)
        throw new RequestError('unavailable', 'Too many streams are open. Try again later.');
      if ((byConversation.get(watch.conversationId)?.size() ?? 0) >= bounds.ofConversation)
        throw new RequestError('rate_limited', 'Too many streams of this conversation are open. Close one.');
      const watched = watchedOf(watch);
      open += 1;
      const end = watched.add(watch, () => {
        open -= 1;
        if (watched.size() === 0) byConversation.delete(watch.conversationId);
        if (open === 0) void rest();
      });
      try {
        await others.start(listener);
      } catch (error) {
        end();
        throw error;
      }
      void bring(watched);
      return end;
    },
    stop: async () => {
      isStopped = true;
      endHearing();
      for (const timer of timers) clearTimeout(timer);
      for (const watched of byConversation.values()) watched.endAll();
      await rest();
    },
  };
};
