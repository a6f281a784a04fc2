import { fileURLToPath } from 'node:url';
import type { ActivityInboundCallsInterceptor, Worker, WorkerOptions } from '@temporalio/worker';
import type { Activities } from '../activities/index.ts';
import type { Logger } from '../shared/platform/log.ts';
import type { TemporalConnection } from '../shared/platform/temporal/connect.ts';
import { taskQueues } from '../shared/platform/temporal/task-queues.ts';
import { askForAccount } from './ask-for-account.ts';
import { hideFaults } from './hide-faults.ts';
import { shareSlots, type Shares } from './share-slots.ts';
import { workersOnOneThread } from './shared-thread.ts';

/** `scripts/bundle-workflows.ts` makes this bundle. */
const workflowBundle = fileURLToPath(new URL('../../dist/workflows.js', import.meta.url));

export type Queue = keyof typeof taskQueues;

/** Longer than an attempt's ten seconds, so that a POST under way at shutdown is finished and recorded. */
const shutdownGraceTime = '15 s';

/** An activity that has not ended by then, because the database is silent, is left to Temporal, which has it done again. */
const shutdownForceTime = '25 s';

/** The attempts that call addresses which users gave: one that hangs holds its slot for ten seconds, a call up to 120. */
const shares: Partial<Record<Queue, Shares>> = {
  deliveries: { activity: 'attemptDelivery', total: 400, perKey: 64 },
  messages: { activity: 'sendNextMessage', total: 80, perKey: 24 },
  flows: { activity: 'callThirdParty', total: 160, perKey: 40 },
};

/** How many workflow tasks of runs may make a request, which takes up to ten seconds, at a time: a quarter of their slots. */
export const localRequestSlots = 20;

/** No other workflow task waits for anything but the workflows' own code and passes of runs, so few slots are enough. */
const tuning: Record<Queue, Partial<WorkerOptions>> = {
  deliveries: {
    maxConcurrentWorkflowTaskExecutions: 40,
    maxConcurrentActivityTaskExecutions: 500,
    maxConcurrentWorkflowTaskPolls: 5,
    maxConcurrentActivityTaskPolls: 5,
    maxCachedWorkflows: 2_000,
  },
  mail: {
    maxConcurrentWorkflowTaskExecutions: 10,
    maxConcurrentActivityTaskExecutions: 5,
    maxConcurrentWorkflowTaskPolls: 2,
    maxConcurrentActivityTaskPolls: 1,
    maxCachedWorkflows: 50,
  },
  messages: {
    maxConcurrentWorkflowTaskExecutions: 40,
    maxConcurrentActivityTaskExecutions: 100,
    maxConcurrentWorkflowTaskPolls: 2,
    maxConcurrentActivityTaskPolls: 2,
    maxCachedWorkflows: 500,
  },
  maintenance: {
    maxConcurrentWorkflowTaskExecutions: 10,
    maxConcurrentActivityTaskExecutions: 50,
    maxConcurrentWorkflowTaskPolls: 2,
    maxConcurrentActivityTaskPolls: 1,
    maxCachedWorkflows: 50,
  },
  flows: {
    maxConcurrentWorkflowTaskExecutions: 4 * localRequestSlots,
    maxConcurrentLocalActivityExecutions: 4 * localRequestSlots,
    maxConcurrentActivityTaskExecutions: 200,
    maxConcurrentWorkflowTaskPolls: 5,
    maxConcurrentActivityTaskPolls: 5,
    maxCachedWorkflows: 400,
  },
};

export type WorkersOptions = {
  queues: readonly Queue[];
  /** Of these queues, those on which the process takes no ordinary activities: it begins what it starts, and leaves calls to others. */
  localOnly?: readonly Queue[];
  activities: Activities;
  log: Logger;
  bundle?: string;
};

/** What the worker of a queue is, wherever its workflows run: its activities, bounds, fairness and times of shutting down. */
export const describeWorker = (
  queue: Queue,
  { connection, namespace }: TemporalConnection,
  { localOnly = [], activities, log, bundle = workflowBundle }: Omit<WorkersOptions, 'queues'>,
): WorkerOptions => {
  const shared = shares[queue];
  return {
    connection,
    namespace,
    taskQueue: taskQueues[queue],
    workflowBundle: { codePath: bundle },
    activities,
    enableNonLocalActivities: !localOnly.includes(queue),
    shutdownGraceTime,
    shutdownForceTime,
    interceptors: {
      activity: [...(shared ? [inbound(shareSlots(shared))] : []), inbound(hideFaults(log)), inbound(askForAccount())],
    },
    ...tuning[queue],
  };
};

/**
 * Makes one worker per task queue, on a connection that the client shares. All of them, or none when one cannot be made. Deliveries have a thread
 * for their workflows, so that they wait for no run that is replayed; the other queues share one.
 */
export const createWorkers = async (
  temporal: TemporalConnection,
  { queues, ...options }: WorkersOptions,
): Promise<Worker[]> => {
  const ofDeliveries = workersOnOneThread();
  const ofOthers = workersOnOneThread();
  const creations = await Promise.allSettled(
    queues.map((queue) =>
      (queue === 'deliveries' ? ofDeliveries : ofOthers).create(describeWorker(queue, temporal, options)),
    ),
  );
  const workers = creations.flatMap((creation) => (creation.status === 'fulfilled' ? [creation.value] : []));
  const failure = creations.find((creation) => creation.status === 'rejected');
  if (!failure) return workers;
  // A worker that has never run would keep its connection from being closed.
  await Promise.allSettled(workers.map((worker) => worker.runUntil(Promise.resolve())));
  throw failure.reason;
};

/** One interceptor for all activities of a worker, because it counts across them. */
const inbound = (interceptor: ActivityInboundCallsInterceptor) => () => ({ inbound: interceptor });
