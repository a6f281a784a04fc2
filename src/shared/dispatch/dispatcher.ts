import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Logger } from '../log.ts';
import { startWorkflow, type StartMode } from '../temporal/workflows.ts';
import type { FirstAttempts } from './first-attempts.ts';
import type { DispatchRequest } from './requests.ts';

export type DispatcherDeps = {
  /** Temporal's client, while there is a connection. */
  client: () => Client | undefined;
  firstAttempts: FirstAttempts;
  /** Whether a `deliveries` worker of this process shares the client's connection. */
  eager: boolean;
  log: Logger;
};

/** Starts workflows beside the callers' way, a bounded number of them waiting and under way. */
export type Dispatcher = {
  dispatch: (requests: readonly DispatchRequest[]) => void;
  /** Resolves when nothing waits or is under way any more. */
  drain: () => Promise<void>;
  /** Finishes the starts under way and leaves those that wait to the sweep, of this process or of the next. */
  stop: () => Promise<void>;
};

const leftToSweep = Promise.resolve({ eager: false });

/** Requests waiting and under way; one more is left to the sweep, which finds it in the database. */
const requestLimit = 10_000;

/** Starts under way at once. */
const startsAtOnce = 64;

/** One that has waited for its start for this long is left to the sweep, which is about to look at it anyway. */
const staleAfterMs = 12_000;

/**
 * Starts one workflow per request after its transaction has committed. Nothing here is needed for correctness: what does
 * not fit, fails, or dies with the process is found and started by the sweep.
 */
export const createDispatcher = ({ client, firstAttempts, eager, log }: DispatcherDeps): Dispatcher => {
  const starts = createLimiter(startsAtOnce);
  const underWay = new Set<Promise<void>>();
  let stopping = false;

  const carryOut = async (request: DispatchRequest): Promise<void> => {
    const staleAt = Date.now() + staleAfterMs;
    const firstAttempt = await placeFirstAttempt(request);
    const mode: StartMode = { firstAttempt, eager: firstAttempt === 'local' };
    const started = await starts(() => (stopping || Date.now() > staleAt ? leftToSweep : start(request, mode)));
    if (request.type === 'delivery' && !started.eager) firstAttempts.release(request.deliveryId);
  };

  const placeFirstAttempt = (request: DispatchRequest): Promise<StartMode['firstAttempt']> =>
    request.type === 'delivery' && eager && !request.resumed
      ? firstAttempts.take(request.deliveryId, request.webhookId)
      : Promise.resolve('ordinary');

  const start = async (request: DispatchRequest, mode: StartMode): Promise<{ eager: boolean }> => {
    const temporal = client();
    if (!temporal) return leftToSweep;
    try {
      return await startWorkflow(temporal, request, mode);
    } catch (error) {
      const known = error instanceof WorkflowExecutionAlreadyStartedError;
      if (!known) log.warn({ err: error, type: request.type }, 'dispatch.failed');
      return leftToSweep;
    }
  };

  const drain = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay);
  };

  return {
    dispatch: (requests) => {
      const accepted = requests.slice(0, Math.max(0, requestLimit - underWay.size));
      if (accepted.length < requests.length) log.warn({ left: requests.length - accepted.length }, 'dispatch.full');
      for (const request of accepted) {
        const work = carryOut(request).finally(() => underWay.delete(work));
        underWay.add(work);
      }
    },
    drain,
    stop: () => {
      stopping = true;
      return drain();
    },
  };
};

/** Runs at most `atOnce` pieces of work at a time; the others wait in turn. */
const createLimiter = (atOnce: number) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // Whoever is next takes over this one's turn.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
};
