import { withDeadline } from '../platform/deadline.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { Logger } from '../platform/log.ts';

/** Tells streams what is true for seconds: those of this process at once, those of others by notifications. */
export type BeatTeller<Beat> = {
  /** It returns at once and never throws. */
  tell: (beat: Beat) => void;
  /** Has `listener` hear of everything that this process tells. Answers what ends that. */
  hear: (listener: (beat: Beat) => void) => () => void;
  stop: () => Promise<void>;
};

export type BeatTelling<Beat> = {
  sql: Sql;
  log: Logger;
  /** What the beats say, for log lines. */
  name: string;
  /** The channel of notifications. */
  channel: string;
  /** Writes payloads that PostgreSQL takes. */
  write: (beats: readonly Beat[]) => readonly string[];
  /** Only the newest beat of a key waits. */
  keyOf: (beat: Beat) => string;
  /** The most beats that wait to be notified, and the most of an account. Those beyond are dropped, because beats are repeated. */
  waitingAtMost: number;
  ofAccountAtMost?: number;
};

/** How often a process notifies the others at most, in ms. */
const everyMs = 100;

const notifyTimeoutMs = 2_000;

/** Beats are lost with a process or a connection, and nothing is kept of them. */
export const createBeatTeller = <Beat extends { accountId: string }>({
  sql,
  log,
  name,
  channel,
  write,
  keyOf,
  waitingAtMost,
  ofAccountAtMost = waitingAtMost,
}: BeatTelling<Beat>): BeatTeller<Beat> => {
  const listeners = new Set<(beat: Beat) => void>();
  const waiting = new Map<string, Beat>();
  const ofAccounts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | undefined;
  let isStopped = false;

  const notify = async (): Promise<void> => {
    const payloads = [...write([...waiting.values()])];
    waiting.clear();
    ofAccounts.clear();
    const notifying = () => sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`;
    try {
      await withDeadline(notifyTimeoutMs, `notifying of ${name}`, notifying);
    } catch (error) {
      log.warn({ err: error }, `${name}.not_notified`);
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

  const keep = (beat: Beat): void => {
    const key = keyOf(beat);
    if (!waiting.has(key)) {
      const count = ofAccounts.get(beat.accountId) ?? 0;
      if (waiting.size >= waitingAtMost || count >= ofAccountAtMost) return;
      ofAccounts.set(beat.accountId, count + 1);
    }
    waiting.set(key, beat);
  };

  return {
    tell: (beat) => {
      for (const listener of listeners) listener(beat);
      keep(beat);
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
