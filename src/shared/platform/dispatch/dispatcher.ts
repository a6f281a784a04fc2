import type { Client } from '@temporalio/client';
import type { Logger } from '../log.ts';
import type { DispatchMetrics } from './metrics.ts';
import { inSpan } from '../telemetry/tracing.ts';
import type { FirstAttempts } from './first-attempts.ts';
import { createFirstLooks, type FirstLooks } from './first-looks.ts';
import { createBulkhead } from '../bulkhead/bulkhead.ts';
import { createStarts, startOnce } from './start-once.ts';
import type { StartMode, Straight, WorkItem } from './work.ts';
import type { FairQueue } from '../bulkhead/fair-queue.ts';
import { alwaysByWorkflow, type Route } from './route.ts';

export type DispatcherDeps = {
  /** Temporal's client, while there is a connection. */
  client: () => Client | undefined;
  firstAttempts: FirstAttempts;
  /** The pace of starts whose first looks the activities report; its own when not given. */
  firstLooks?: FirstLooks;
  /** Whether workers of this process, for `deliveries` and `flows`, share the client's connection. */
  eager: boolean;
  log: Logger;
  metrics?: Pick<DispatchMetrics, 'dispatched'>;
  /** Whether processes of the version before are gone for good; see `readSettlingMs`. */
  settled?: () => boolean;
  /** The turns that dispatcher and sweep of a process share; the dispatcher's own when not given. */
  starts?: FairQueue;
  /** Sends first attempts without a workflow, when `route` says so. */
  straight?: Straight;
  route?: Route;
};

/** Starts workflows in the background. The number of those that wait or are being started is bounded. */
export type Dispatcher = {
  dispatch: (items: readonly WorkItem[]) => void;
  /** Starts one workflow; false where it did not, or one of its id runs or has run. */
  startWorkflow: (item: WorkItem) => Promise<boolean>;
  /** Resolves when nothing waits and nothing is under way. */
  drain: () => Promise<void>;
  /** How many items wait for their start or are being started. */
  waiting: () => number;
  /** How many starts are under way or wait for their turn. The number is small while Temporal and this process keep up. */
  starting: () => number;
  /** Finishes the starts under way. The sweep of any process starts what still waits. */
  stop: () => Promise<void>;
};

/** An item, and when its transaction had committed, in ms by the monotonic clock. */
type Committed = { item: WorkItem; committedMs: number };

const leftToSweep = { eager: false };

/** A workflow of its id runs or has run. */
const ranBefore = { eager: false };

/** The most items that wait or are under way, shared among accounts. The sweep starts what does not fit. */
const itemLimit = 10_000;

/** An item that has waited for so long is left to the sweep. In ms. Meanwhile the sweep starts it where it has room for its first attempt. */
const staleAfterMs = 60_000;

/**
 * Starts the workflow of each item after its transaction has committed. Nothing here is needed for correctness: what does
 * not fit, fails, or dies with the process is found and started by the sweep.
 */
export const createDispatcher = ({
  client,
  firstAttempts,
  firstLooks = createFirstLooks(),
  eager,
  log,
  metrics,
  settled = () => true,
  starts = createStarts(),
  straight,
  route = alwaysByWorkflow,
}: DispatcherDeps): Dispatcher => {
  const queue = createBulkhead({ total: itemLimit });
  const underWay = new Set<Promise<void>>();
  let stopping = false;

  const takes = ({ work, row }: WorkItem): boolean => straight?.work === work && straight.takes(row);

  const carryOut = async (item: WorkItem): Promise<void> => {
    const one = { item, committedMs: performance.now() };
    const { work, row, wakes } = item;
    const inTurn = () => starts.take(row.accountId, () => startIn(one, 'ordinary'));
    if (work.isPaced && !wakes) return firstLooks.take(work.lane(row), row.id, inTurn);
    const came = takes(item) && route.isStraight() ? 'straight' : await begin(one);
    if (came === 'begun') return;
    const firstAttempt = came === 'straight' ? came : await waitForPlace(one);
    if (firstAttempt === 'straight') return sendStraight(one);
    await starts.take(item.row.accountId, () => startIn(one, firstAttempt === 'local' ? 'local' : 'ordinary'));
  };

  /** Starts a workflow when its turn has come. `full`: its first attempt has no place. `straight`: starts have fallen behind meanwhile. */
  const begin = (one: Committed): Promise<'begun' | 'full' | 'straight'> => {
    const { work, row } = one.item;
    const { waiting, fallenBehind } = waitUnlessBehind(one);
    const turn = starts.take(row.accountId, async () => {
      if (!waiting.end()) return 'straight';
      const isLocal = eager && work.hasFirstAttempt?.(row) === true;
      if (isLocal && !firstAttempts.takeNow(row.id, work.lane(row))) return 'full';
      await startIn(one, isLocal ? 'local' : 'ordinary');
      return 'begun';
    });
    return Promise.race([fallenBehind, turn]);
  };

  /** Waits a little for a place, because the lane has its share of first attempts under way, or Temporal is slow to begin them. */
  const waitForPlace = async (one: Committed): Promise<'local' | 'ordinary' | 'straight'> => {
    const { work, row } = one.item;
    const place = firstAttempts.take(row.id, work.lane(row));
    if (!firstAttempts.waitForTemporal(work.lane(row))) return place;
    const { waiting, fallenBehind } = waitUnlessBehind(one);
    const came = await Promise.race([fallenBehind, place]);
    waiting.end();
    if (came === 'straight') void place.then((late) => late === 'local' && firstAttempts.forgo(row.id));
    return came;
  };

  /** `fallenBehind` resolves when starts are behind and the item may go straight. */
  const waitUnlessBehind = (one: Committed) => {
    const { promise: fallenBehind, resolve } = Promise.withResolvers<'straight'>();
    const waiting = route.wait(() => {
      if (!straight || !takes(one.item) || isOver(one, straight.withinMs)) return false;
      resolve('straight');
      return true;
    });
    return { waiting, fallenBehind };
  };

  const sendStraight = async ({ item: { row }, committedMs }: Committed): Promise<void> => {
    metrics?.dispatched('straight');
    await straight?.send(row, committedMs);
  };

  const startIn = async (one: Committed, firstAttempt: StartMode['firstAttempt']): Promise<{ eager: boolean }> => {
    const { work, row } = one.item;
    const mode = { firstAttempt, eager: work.hasFirstAttempt ? firstAttempt === 'local' : eager, visible: settled() };
    const started = isOver(one, staleAfterMs) ? leftToSweep : await start(one.item, mode);
    metrics?.dispatched(started === leftToSweep ? 'left_to_sweep' : 'started');
    if (firstAttempt === 'local' && !started.eager) firstAttempts.forgo(row.id);
    return started;
  };

  /** Whether an item is left to the sweep: its time since the commit is over, or this process stops. */
  const isOver = ({ committedMs }: Committed, withinMs: number): boolean =>
    stopping || performance.now() > committedMs + withinMs;

  const start = async (item: WorkItem, mode: StartMode): Promise<{ eager: boolean }> => {
    const temporal = client();
    if (!temporal) return leftToSweep;
    try {
      const attributes = () => ({ 'parley.workflow_id': item.work.workflowId(item.row) });
      const started = await inSpan('workflow.start', { attributes }, () => startOnce(temporal, item, mode));
      route.started();
      return started ?? ranBefore;
    } catch (error) {
      route.failed();
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
    startWorkflow: async (item) => {
      const mode = { firstAttempt: 'ordinary', eager: false, visible: settled() } as const;
      const started = await starts.take(item.row.accountId, () => start(item, mode));
      return started !== leftToSweep && started !== ranBefore;
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
