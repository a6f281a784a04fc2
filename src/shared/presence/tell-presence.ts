import { withDeadline } from '../platform/deadline.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { Logger } from '../platform/log.ts';
import { beatsAtMost, channel, writeBeats } from './payloads.ts';
import type { Beat } from './register.ts';

/** Tells streams who is where: those of this process at once, those of others by notifications. */
export type PresenceTeller = {
  /** It returns at once and never throws. */
  tell: (beat: Beat) => void;
  /** Has `listener` hear of everything that this process tells. Answers what ends that. */
  hear: (listener: (beat: Beat) => void) => () => void;
  stop: () => Promise<void>;
};

/** How often a process notifies the others at most, in ms. */
const everyMs = 100;

/** The most beats that wait to be notified. Those beyond are dropped: each tab sends its next one within ten seconds. */
const waitingAtMost = 8 * beatsAtMost;

const notifyTimeoutMs = 2_000;

/** Beats are lost with a process or a connection, and nothing is kept of them. `processId` is this process, a UUID. */
export const createPresenceTeller = ({
  sql,
  processId,
  log,
}: {
  sql: Sql;
  processId: string;
  log: Logger;
}): PresenceTeller => {
  const listeners = new Set<(beat: Beat) => void>();
  const waiting = new Map<string, Beat>();
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | undefined;
  let isStopped = false;

  const notify = async (): Promise<void> => {
    const payloads = writeBeats(processId, [...waiting.values()]);
    waiting.clear();
    const notifying = () => sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`;
    try {
      await withDeadline(notifyTimeoutMs, 'notifying of presence', notifying);
    } catch (error) {
      log.warn({ err: error }, 'presence.not_notified');
    }
  };

  const arm = (): void => {
    if (isStopped || timer || underWay || waiting.size === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      underWay = notify().finally(() => {
        underWay = undefined;
        arm();
      });
    }, everyMs);
  };

  return {
    tell: (beat) => {
      for (const listener of listeners) listener(beat);
      const key = `${beat.sessionId} ${beat.tab} ${beat.subject}`;
      if (waiting.size < waitingAtMost || waiting.has(key)) waiting.set(key, beat);
      arm();
    },
    hear: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await underWay;
    },
  };
};
