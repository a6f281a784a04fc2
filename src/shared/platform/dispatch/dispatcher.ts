import type { Client } from '@temporalio/client';
import type { Logger } from '../log.ts';
import type { DispatchMetrics } from './metrics.ts';
import { inSpan } from '../telemetry/tracing.ts';
import { createFirstPasses, type FirstPasses } from './first-passes.ts';
import { createBulkhead } from '../bulkhead/bulkhead.ts';
import type { Shares } from '../bulkhead/shares.ts';
import type { SpareStarts } from './spare-starts.ts';
import { createStarts, startOnce } from './start-once.ts';
import { outboxOf, type Outbox, type WorkItem } from './work.ts';

export type DispatcherDeps = {
  /** Temporal's client, while there is a connection. */
  client: () => Client | undefined;
  /** The pace of runs, whose first passes the activities report; its own when not given. */
  firstPasses?: FirstPasses;
  /** Whether workers of this process share the client's connection, and can take the first tasks of what it starts. */
  eager: boolean;
  log: Logger;
  metrics?: Pick<DispatchMetrics, 'dispatched'>;
  /** Whether processes of the version before are gone for good; see `readSettlingMs`. */
  settled?: () => boolean;
  /** The starts that dispatcher and sweep of a process share; the dispatcher's own when not given. */
  starts?: Shares;
  outboxes?: readonly Outbox[];
  /** Starts of finished rows; none when not given. */
  spareStarts?: Pick<SpareStarts, 'reserve'> | undefined;
  /** Hears of a row whose workflow was started, and has not run before. */
  onStarted?: (item: WorkItem) => void;
  /** Hears of a finished row that gets no workflow. */
  onDropped?: (item: WorkItem) => void;
};

/** Carries out what committed transactions asked for, a bounded number of items at once. */
export type Dispatcher = {
  dispatch: (items: readonly WorkItem[]) => void;
  /** Starts one workflow; false where it did not, or one of its id runs or has run. */
  startWorkflow: (item: WorkItem) => Promise<boolean>;
  /** Resolves when nothing waits and nothing is under way. */
  drain: () => Promise<void>;
  /** The items that wait or are under way. */
  waiting: () => number;
  /** Finishes the starts under way. The sweep of any process starts what still waits. */
  stop: () => Promise<void>;
};

/** The most items that wait or are under way; the sweep carries out the others. */
const itemLimit = 10_000;

/** The wait after which an item is left to the sweep, in ms. */
const staleAfterMs = 60_000;

type Started = { eager: boolean };

/** An optimization for speed: the sweep finds every item that does not fit, fails, or dies with the process. */
export const createDispatcher = ({
  client,
  firstPasses = createFirstPasses(),
  eager,
  log,
  metrics,
  settled = () => true,
  starts = createStarts(),
  outboxes = [],
  spareStarts,
  onStarted = () => {},
  onDropped = () => {},
}: DispatcherDeps): Dispatcher => {
  const queue = createBulkhead({ total: itemLimit });
  const underWay = new Set<Promise<void>>();
  let stopping = false;

  const carryOut = async (item: WorkItem): Promise<void> => {
    const { work, row, signal } = item;
    const outbox = outboxOf(outboxes, item);
    if (outbox) {
      metrics?.dispatched('outbox');
      return outbox.send(row);
    }
    const committedMs = performance.now();
    const startWithSlot = () => withSlot(item, () => startUnlessStale(item, committedMs));
    if (signal === undefined && work.isPaced?.(row)) return firstPasses.take(work.lane(row), row.id, startWithSlot);
    await startWithSlot();
  };

  const withSlot = <Result>({ row: { accountId } }: WorkItem, start: () => Promise<Result>): Promise<Result> =>
    starts.take({ accountId, key: accountId }, start);

  const startUnlessStale = async (item: WorkItem, committedMs: number): Promise<Started> => {
    const isStale = stopping || performance.now() > committedMs + staleAfterMs;
    const started = isStale ? 'failed' : await start(item, performance.now() - committedMs);
    count(started);
    if (typeof started === 'string') return { eager: false };
    if (item.signal === undefined) onStarted(item);
    return started;
  };

  const count = (started: Awaited<ReturnType<typeof start>>): void =>
    metrics?.dispatched(started === 'failed' ? 'left_to_sweep' : 'started');

  /** `ran`: a workflow of its id runs or has run. */
  const start = async (item: WorkItem, waitedMs = 0): Promise<Started | 'ran' | 'failed'> => {
    const temporal = client();
    if (!temporal) return 'failed';
    try {
      const attributes = () => ({ 'parley.workflow_id': item.work.workflowId(item.row) });
      const mode = { eager, settled: settled(), waitedMs };
      return (await inSpan('workflow.start', { attributes }, () => startOnce(temporal, item, mode))) ?? 'ran';
    } catch (error) {
      log.warn({ err: error, type: item.work.kind }, 'dispatch.failed');
      return 'failed';
    }
  };

  const leaveToSweep = (items: readonly WorkItem[]): void => {
    if (items.length === 0) return;
    log.warn({ left: items.length }, 'dispatch.full');
    metrics?.dispatched('left_to_sweep', items.length);
    for (const item of items) outboxOf(outboxes, item)?.giveBack([item.row]);
  };

  const startSpare = (item: WorkItem): void => {
    const reserved = spareStarts?.reserve(item.row.accountId);
    if (reserved) reserved.start(item);
    else onDropped(item);
  };

  const drain = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay);
  };

  return {
    dispatch: (items) => {
      const {
        accepted = [],
        left = [],
        spare = [],
      } = Object.groupBy(items, ({ work, row, isSpare }) => {
        if (isSpare) return 'spare';
        return queue.take(work.lane(row)) ? 'accepted' : 'left';
      });
      leaveToSweep(left);
      for (const item of spare) startSpare(item);
      for (const item of accepted) {
        const going = carryOut(item).finally(() => {
          queue.release(item.work.lane(item.row));
          underWay.delete(going);
        });
        underWay.add(going);
      }
    },
    startWorkflow: async (item) => {
      const started = await withSlot(item, () => start(item));
      count(started);
      return typeof started !== 'string';
    },
    drain,
    waiting: () => underWay.size,
    stop: () => {
      stopping = true;
      return drain();
    },
  };
};
