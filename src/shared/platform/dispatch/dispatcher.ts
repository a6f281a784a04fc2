import type { Client } from '@temporalio/client';
import type { Logger } from '../log.ts';
import type { DispatchMetrics } from './metrics.ts';
import { inSpan } from '../telemetry/tracing.ts';
import type { FirstAttempts } from './first-attempts.ts';
import { createBulkhead } from '../bulkhead/bulkhead.ts';
import { createStarts, startOnce } from './start-once.ts';
import type { StartMode, WorkItem } from './work.ts';
import type { FairQueue } from '../bulkhead/fair-queue.ts';

export type DispatcherDeps = {
  /** Temporal's client, while there is a connection. */
  client: () => Client | undefined;
  firstAttempts: FirstAttempts;
  /** Whether workers of this process, for `deliveries` and `flows`, share the client's connection. */
  eager: boolean;
  log: Logger;
  metrics?: Pick<DispatchMetrics, 'dispatched'>;
  /** Whether processes of the version before are gone for good; see `readSettlingMs`. */
  settled?: () => boolean;
  /** The turns that dispatcher and sweep of a process share; the dispatcher's own when not given. */
  starts?: FairQueue;
};

/** Starts workflows in the background. The number of those that wait or are being started is bounded. */
export type Dispatcher = {
  dispatch: (items: readonly WorkItem[]) => void;
  /** Resolves when nothing waits and nothing is under way. */
  drain: () => Promise<void>;
  /** How many items wait for their start or are being started. */
  waiting: () => number;
  /** How many starts are under way or wait for their turn. The number is small while Temporal and this process keep up. */
  starting: () => number;
  /** Finishes the starts under way. The sweep of any process starts what still waits. */
  stop: () => Promise<void>;
};

const leftToSweep = { eager: false };

/** The most items that wait or are under way, shared among accounts. The sweep starts what does not fit. */
const itemLimit = 10_000;

/** An item that has waited for so long is left to the sweep, which is about to look at it anyway. In ms. */
const staleAfterMs = 12_000;

/**
 * Starts the workflow of each item after its transaction has committed. Nothing here is needed for correctness: what does
 * not fit, fails, or dies with the process is found and started by the sweep.
 */
export const createDispatcher = ({
  client,
  firstAttempts,
  eager,
  log,
  metrics,
  settled = () => true,
  starts = createStarts(),
}: DispatcherDeps): Dispatcher => {
  const queue = createBulkhead({ total: itemLimit });
  const underWay = new Set<Promise<void>>();
  let stopping = false;

  const carryOut = async (item: WorkItem): Promise<void> => {
    const { work, row } = item;
    const staleAt = performance.now() + staleAfterMs;
    const hasPlace = eager && work.hasFirstAttempt?.(row) === true;
    const firstAttempt = hasPlace ? await firstAttempts.take(row.id, work.lane(row)) : 'ordinary';
    const isEager = work.hasFirstAttempt ? firstAttempt === 'local' : eager;
    const mode: StartMode = { firstAttempt, eager: isEager, visible: settled() };
    const started = await starts.take(row.accountId, () =>
      stopping || performance.now() > staleAt ? Promise.resolve(leftToSweep) : start(item, mode),
    );
    metrics?.dispatched(started === leftToSweep ? 'left_to_sweep' : 'started');
    if (hasPlace && !started.eager) firstAttempts.forgo(row.id);
  };

  const start = async (item: WorkItem, mode: StartMode): Promise<{ eager: boolean }> => {
    const temporal = client();
    if (!temporal) return leftToSweep;
    try {
      const attributes = { 'parley.workflow_id': item.work.workflowId(item.row) };
      const started = await inSpan('workflow.start', { attributes }, () => startOnce(temporal, item, mode));
      return started ?? { eager: false };
    } catch (error) {
      log.warn({ err: error, type: item.work.kind }, 'dispatch.failed');
      return leftToSweep;
    }
  };

  const drain = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay);
  };

  return {
    dispatch: (items) => {
      const accepted = items.filter(({ work, row }) => queue.take(work.lane(row)));
      const left = items.length - accepted.length;
      if (left > 0) {
        log.warn({ left }, 'dispatch.full');
        metrics?.dispatched('left_to_sweep', left);
      }
      for (const item of accepted) {
        const start = carryOut(item).finally(() => {
          queue.release(item.work.lane(item.row));
          underWay.delete(start);
        });
        underWay.add(start);
      }
    },
    drain,
    waiting: () => underWay.size,
    starting: () => starts.size,
    stop: () => {
      stopping = true;
      return drain();
    },
  };
};
