import type { Client } from '@temporalio/client';
import type { Logger } from '../log.ts';
import type { DispatchMetrics } from '../metrics.ts';
import { noTracing, type Tracing } from '../telemetry/tracing.ts';
import { workflowIdOf, type StartMode } from '../temporal/workflows.ts';
import type { FirstAttempts } from './first-attempts.ts';
import { createBulkhead, type Holder } from '../bulkhead/bulkhead.ts';
import type { DispatchRequest } from './requests.ts';
import { createStarts, startOnce } from './start.ts';
import type { FairQueue } from '../bulkhead/fair-queue.ts';

export type DispatcherDeps = {
  /** Temporal's client, while there is a connection. */
  client: () => Client | undefined;
  firstAttempts: FirstAttempts;
  /** Whether a `deliveries` worker of this process shares the client's connection. */
  eager: boolean;
  log: Logger;
  metrics?: Pick<DispatchMetrics, 'dispatched'>;
  tracing?: Tracing;
  /** Whether processes of the version before are gone for good; see `readSettlingMs`. */
  settled?: () => boolean;
  /** Those of the whole process; else its own. */
  starts?: FairQueue;
};

/** Starts workflows beside the callers' way, a bounded number of them waiting and under way. */
export type Dispatcher = {
  dispatch: (requests: readonly DispatchRequest[]) => void;
  /** Resolves when nothing waits or is under way any more. */
  drain: () => Promise<void>;
  /** How many wait for their start or are under way. */
  waiting: () => number;
  /** How many starts are under way or wait for their turn: few while Temporal and this process keep up. */
  starting: () => number;
  /** Finishes the starts under way and leaves those that wait to the sweep, of this process or of the next. */
  stop: () => Promise<void>;
};

const leftToSweep = { eager: false };

/** Requests waiting and under way, shared among accounts; one more is left to the sweep, which finds it in the database. */
const requestLimit = 10_000;

/** One that has waited for its start for this long is left to the sweep, which is about to look at it anyway. */
const staleAfterMs = 12_000;

/**
 * Starts one workflow per request after its transaction has committed. Nothing here is needed for correctness: what does
 * not fit, fails, or dies with the process is found and started by the sweep.
 */
export const createDispatcher = ({
  client,
  firstAttempts,
  eager,
  log,
  metrics,
  tracing = noTracing,
  settled = () => true,
  starts = createStarts(),
}: DispatcherDeps): Dispatcher => {
  const queue = createBulkhead({ total: requestLimit });
  const underWay = new Set<Promise<void>>();
  let stopping = false;

  const carryOut = async (request: DispatchRequest): Promise<void> => {
    const staleAt = performance.now() + staleAfterMs;
    const firstAttempt = await placeFirstAttempt(request);
    const mode: StartMode = { firstAttempt, eager: firstAttempt === 'local', visible: settled() };
    const started = await starts.take(request.accountId, () =>
      stopping || performance.now() > staleAt ? Promise.resolve(leftToSweep) : start(request, mode),
    );
    metrics?.dispatched(started === leftToSweep ? 'left_to_sweep' : 'started');
    if (request.type === 'delivery' && !started.eager) firstAttempts.forgo(request.deliveryId);
  };

  const placeFirstAttempt = (request: DispatchRequest): Promise<StartMode['firstAttempt']> =>
    request.type === 'delivery' && eager && !request.resumed
      ? firstAttempts.take(request.deliveryId, request)
      : Promise.resolve('ordinary');

  const start = async (request: DispatchRequest, mode: StartMode): Promise<{ eager: boolean }> => {
    const temporal = client();
    if (!temporal) return leftToSweep;
    try {
      const attributes = { 'parley.workflow_id': workflowIdOf(request) };
      const started = await tracing.span('workflow.start', { attributes }, () => startOnce(temporal, request, mode));
      return started ?? { eager: false };
    } catch (error) {
      log.warn({ err: error, type: request.type }, 'dispatch.failed');
      return leftToSweep;
    }
  };

  const drain = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay);
  };

  return {
    dispatch: (requests) => {
      const accepted = requests.filter((request) => queue.take(holderOf(request)));
      const left = requests.length - accepted.length;
      if (left > 0) {
        log.warn({ left }, 'dispatch.full');
        metrics?.dispatched('left_to_sweep', left);
      }
      for (const request of accepted) {
        const work = carryOut(request).finally(() => {
          queue.release(holderOf(request));
          underWay.delete(work);
        });
        underWay.add(work);
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

/** What else an account asks for stands in the queue as one more webhook's would. */
const holderOf = (request: DispatchRequest): Holder => ({
  accountId: request.accountId,
  webhookId: request.type === 'delivery' ? request.webhookId : request.accountId,
});
