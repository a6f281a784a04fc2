import type { TellTopics } from '../facts/topics.ts';
import { withDeadline } from '../platform/deadline.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { Logger } from '../platform/log.ts';
import { gatherTopics, type Changed, type Pace } from './gather-topics.ts';
import { channel, writePayloads } from './payloads.ts';

/** Tells pages what has changed: those of this process at once, those of others by notifications. */
export type TopicTeller = {
  tell: TellTopics;
  /** Has `listener` hear of everything that this process tells. Answers what ends that. */
  hear: (listener: (changed: Changed) => void) => () => void;
  /** Notifies the others of what waits. */
  stop: () => Promise<void>;
};

/** How often a process notifies the others at most. Streams of a process keep a longer pace, so that both together take about a second. */
const usualPace: Pace = { talkMs: 20, listsMs: 250 };

const notifyTimeoutMs = 2_000;

/** Notifies other processes of what this one, a UUID, has changed. */
export const notifyOthers = async (sql: Sql, processId: string, changed: Changed): Promise<void> => {
  const payloads = writePayloads(processId, changed);
  const notifying = () => sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`;
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

  const notify = async (changed: Changed): Promise<void> => {
    try {
      await notifyOthers(sql, processId, changed);
    } catch (error) {
      log.warn({ err: error }, 'hints.not_notified');
      throw error;
    }
  };

  const outgoing = gatherTopics({ pace, hand: notify });
  return {
    tell: (changed) => {
      for (const listener of listeners) listener(changed);
      outgoing.add(changed);
    },
    hear: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    // Its failure is logged, and keeps no process from ending.
    stop: () => outgoing.stop().catch(() => {}),
  };
};
