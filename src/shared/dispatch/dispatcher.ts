import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Logger } from '../log.ts';
import { startWorkflow } from '../temporal/workflows.ts';
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
  depth: () => number;
};

/** Requests waiting; one more is left to the sweep, which finds it in the database. */
const queueLimit = 10_000;

/** Starts under way at once. */
const startsAtOnce = 64;

/**
 * Starts one workflow per request after its transaction has committed. Nothing here is needed for correctness: what does
 * not fit the queue, fails, or dies with the process is found and started by the sweep.
 */
export const createDispatcher = ({ client, firstAttempts, eager, log }: DispatcherDeps): Dispatcher => {
  const queue: DispatchRequest[] = [];
  let head = 0;
  let underWay = 0;
  let idle = Promise.withResolvers<void>();

  const depth = (): number => queue.length - head + underWay;

  const start = async (request: DispatchRequest): Promise<void> => {
    const temporal = client();
    if (!temporal) return;
    const local = request.type === 'delivery' && eager && !request.resumed;
    const firstAttempt = local ? firstAttempts.place(request.deliveryId, request.webhookId) : 'ordinary';
    const release = (): void => {
      if (request.type === 'delivery' && firstAttempt === 'local') firstAttempts.release(request.deliveryId);
    };
    try {
      const started = await startWorkflow(temporal, request, { eager: firstAttempt === 'local', firstAttempt });
      if (!started.eager) release();
    } catch (error) {
      release();
      if (error instanceof WorkflowExecutionAlreadyStartedError) return;
      log.warn({ err: error, type: request.type }, 'dispatch.failed');
    }
  };

  const pump = (): void => {
    while (underWay < startsAtOnce) {
      const request = queue[head];
      if (!request) break;
      head += 1;
      underWay += 1;
      void start(request).finally(() => {
        underWay -= 1;
        pump();
      });
    }
    if (head > 1000 || head === queue.length) {
      queue.splice(0, head);
      head = 0;
    }
    if (depth() === 0) idle.resolve();
  };

  return {
    depth,
    dispatch: (requests) => {
      const room = queueLimit - depth();
      if (requests.length > room) log.warn({ left: requests.length - room }, 'dispatch.queue_full');
      if (depth() === 0) idle = Promise.withResolvers();
      queue.push(...requests.slice(0, Math.max(0, room)));
      pump();
    },
    drain: () => (depth() === 0 ? Promise.resolve() : idle.promise),
  };
};
