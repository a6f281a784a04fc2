import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { createBulkhead } from '../bulkhead/bulkhead.ts';
import { createShares, type Shares } from '../bulkhead/shares.ts';
import type { Logger } from '../log.ts';
import type { DispatchMetrics } from './metrics.ts';
import type { Pressure } from './pressure.ts';
import { startOnce } from './start-once.ts';
import type { WorkItem } from './work.ts';

export type SpareStartsDeps = {
  client: () => Client | undefined;
  eager: boolean;
  settled: () => boolean;
  /** The starts that spare ones give way to. */
  starts: Pick<Shares, 'waiting'>;
  pressure: Pick<Pressure, 'isHigh'>;
  /** Hears of an item whose workflow was started. */
  onStarted?: (item: WorkItem) => void;
  /** Reports an item whose reserved start was not made. */
  onDropped: (item: WorkItem) => void;
  metrics: Pick<DispatchMetrics, 'spare'>;
  log: Logger;
};

export type Reserved = { start: (item: WorkItem) => void; cancel: (item: WorkItem) => void };

/** Starts workflows of finished rows, which only operators look at, while the machine has room. */
export type SpareStarts = {
  /** Reserves a start. Undefined, and counted as dropped, when the account has too many that wait, or Temporal is away. */
  reserve: (accountId: string) => Reserved | undefined;
  /** How many wait or are under way. */
  waiting: () => number;
  /** Resolves when nothing waits and nothing is under way. */
  drain: () => Promise<void>;
  stop: () => void;
};

const waitingAtMost = 2_000;

/** The pause between two starts, in ms; it doubles while the machine is busy, and shrinks after each start. */
const pause = { firstMs: 2, longestMs: 500, shorter: 0.9 };

/** The pause after a failed start, in ms. */
const awayMs = 2_000;

/** Makes one start at a time, because nobody waits for these, and drops those without room. */
export const createSpareStarts = (deps: SpareStartsDeps): SpareStarts => {
  const { client, eager, settled, starts, pressure, onStarted = () => {}, onDropped, metrics, log } = deps;
  const room = createBulkhead({ total: waitingAtMost });
  const slots = createShares({ total: 1 });
  const underWay = new Set<Promise<void>>();
  let pauseMs = 0;
  let awayUntilMs = -Infinity;
  let stopping = false;

  const isAway = (): boolean => stopping || !client() || performance.now() < awayUntilMs;

  const whenCalm = async (): Promise<void> => {
    if (pauseMs >= 1) await sleep(pauseMs);
    while (!isAway() && (starts.waiting() > 0 || pressure.isHigh())) {
      pauseMs = Math.min(pause.longestMs, Math.max(pause.firstMs, 2 * pauseMs));
      await sleep(pauseMs);
    }
  };

  const start = async (item: WorkItem): Promise<'started' | 'dropped' | 'failed'> => {
    await whenCalm();
    const temporal = client();
    if (!temporal || isAway()) return 'dropped';
    try {
      await startOnce(temporal, item, { eager, settled: settled() });
      pauseMs *= pause.shorter;
      return 'started';
    } catch (error) {
      log.warn({ err: error, type: item.work.kind }, 'dispatch.spare_failed');
      awayUntilMs = performance.now() + awayMs;
      return 'failed';
    }
  };

  const carryOut = async (item: WorkItem): Promise<void> => {
    const { accountId } = item.row;
    const outcome = await slots.take({ accountId, key: accountId }, () => start(item)).catch(() => 'dropped' as const);
    if (outcome === 'started') onStarted(item);
    else onDropped(item);
    metrics.spare(outcome);
  };

  return {
    reserve: (accountId) => {
      const lane = { accountId, key: accountId };
      if (isAway() || !room.take(lane)) {
        metrics.spare('dropped');
        return undefined;
      }
      return {
        start: (item) => {
          const going = carryOut(item).finally(() => {
            room.release(lane);
            underWay.delete(going);
          });
          underWay.add(going);
        },
        cancel: (item) => {
          room.release(lane);
          onDropped(item);
          metrics.spare('dropped');
        },
      };
    },
    waiting: () => underWay.size,
    drain: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    stop: () => {
      stopping = true;
      slots.close();
    },
  };
};
