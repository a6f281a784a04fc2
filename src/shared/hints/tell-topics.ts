import type { TellTopics } from '../facts/topics.ts';
import { withDeadline } from '../platform/deadline.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { Logger } from '../platform/log.ts';
import { gatherTalks, type Talks } from './gather-talks.ts';
import { gatherTopics, type Changed, type Pace } from './gather-topics.ts';
import { channel, writePayloads } from './payloads.ts';
import { talkChannel, writeTalks } from './talk-payloads.ts';

/** Tells pages what has changed: those of this process at once, those of others by notifications. */
export type TopicTeller = {
  tell: TellTopics;
  /** Has `listener` hear of everything that this process tells. Answers what ends that. */
  hear: (listener: (changed: Changed) => void) => () => void;
  /** The same of conversations. */
  hearTalks: (listener: (talks: Talks) => void) => () => void;
  /** Notifies the others of what waits. */
  stop: () => Promise<void>;
};

/** How often a process notifies the others at most. Streams of a process keep a longer pace, so that both together take about a second. */
const usualPace: Pace = { talkMs: 20, listsMs: 250 };

const notifyTimeoutMs = 2_000;

/** Notifies other processes of what this one, a UUID, has changed. */
export const notifyOthers = (sql: Sql, processId: string, changed: Changed): Promise<void> =>
  notify(sql, channel, writePayloads(processId, changed));

const notify = async (sql: Sql, name: string, payloads: readonly string[]): Promise<void> => {
  const notifying = () => sql`select pg_notify(${name}, payload) from unnest(${[...payloads]}::text[]) as payload`;
  await withDeadline(notifyTimeoutMs, 'notifying of changes', notifying);
};

/**
 * `notify` runs outside of the transactions that tell, because it has commits wait for each other (docs/decisions/0029). `processId` is this process,
 * a UUID.
 */
export const createTopicTeller = ({
  sql,
  processId,
  log,
  pace = usualPace,
}: {
  sql: Sql;
  processId: string;
  log: Logger;
  pace?: Pace;
}): TopicTeller => {
  const listeners = new Set<(changed: Changed) => void>();
  const talkListeners = new Set<(talks: Talks) => void>();

  const notifying = async (notify: () => Promise<void>): Promise<void> => {
    try {
      await notify();
    } catch (error) {
      log.warn({ err: error }, 'hints.not_notified');
      throw error;
    }
  };

  const outgoing = gatherTopics({
    pace,
    hand: (changed) => notifying(() => notifyOthers(sql, processId, changed)),
  });
  const outgoingTalks = gatherTalks({
    everyMs: pace.talkMs,
    hand: (talks) => notifying(() => notify(sql, talkChannel, writeTalks(processId, talks))),
  });
  return {
    tell: (changed, talks = []) => {
      if (changed.size > 0) {
        for (const listener of listeners) listener(changed);
        outgoing.add(changed);
      }
      if (talks.length > 0) {
        for (const listener of talkListeners) listener(talks);
        outgoingTalks.add(talks);
      }
    },
    hear: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    hearTalks: (listener) => {
      talkListeners.add(listener);
      return () => void talkListeners.delete(listener);
    },
    // Its failure is logged, and keeps no process from ending.
    stop: async () => void (await Promise.allSettled([outgoing.stop(), outgoingTalks.stop()])),
  };
};
