import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Database } from '../db/connect.ts';
import type { Logger } from '../log.ts';
import type { DispatchMetrics } from '../metrics.ts';
import { claimLimit, claimOverdue, countResume, releaseLease, renewLease } from './overdue.ts';
import { createStarts, startOnce } from './start-once.ts';
import type { Work, WorkItem } from './work.ts';
import { createFairQueue, type FairQueue } from '../bulkhead/fair-queue.ts';

export type SweepDeps = {
  db: Database;
  /** The kinds of work that it looks after. */
  works: readonly Work[];
  /** Temporal's client, while there is a connection. */
  client: () => Client | undefined;
  /** Whether Temporal answers now: a connection outlives the server behind it. */
  temporalAnswers: () => Promise<boolean>;
  log: Logger;
  metrics?: Pick<DispatchMetrics, 'swept'>;
  /** Whether processes of the version before are gone for good; see `readSettlingMs`. */
  settled?: () => boolean;
  /** Those of the whole process; else its own. */
  starts?: FairQueue;
};

/** A look at a workflow that takes longer has failed, in ms: Temporal does not answer for it, and others wait for their look. */
const lookDeadlineMs = 4_000;

/** Looks under way at once in a process. They have no start's turn: one that hangs keeps nothing from being started. */
const looksAtOnce = 64;

/** Looks at all that is overdue, until there is no more or `signal` says stop; answers how many workflows were started. */
export type Sweep = (signal?: AbortSignal) => Promise<number>;

/**
 * Starts what a crash or an absent Temporal left behind. PostgreSQL is the record: whatever is unfinished there and
 * overdue gets a workflow. One that runs is left alone; one that closed without finishing its round (terminated, lost) is
 * followed by `…/resume/<n>`, which goes on from the recorded attempts. Each look at one that runs pushes the next further out, but a
 * claim that a crash cut short does not, and none is made while Temporal is away, so that all of it goes on at once when it
 * is back. Any number of processes may
 * sweep at the same time.
 */
export const createSweep = ({
  db,
  works,
  client,
  temporalAnswers,
  log,
  metrics,
  settled = () => true,
  starts = createStarts(),
}: SweepDeps): Sweep => {
  const looks = createFairQueue(looksAtOnce);

  /** False when a workflow of this id runs or has run. */
  const start = async (temporal: Client, item: WorkItem): Promise<boolean> => {
    const mode = { eager: false, firstAttempt: 'ordinary', visible: settled() } as const;
    return (await startOnce(temporal, item, mode)) !== undefined;
  };

  /** Answers whether a workflow was started; of one that was woken nobody knows. */
  const restart = async (temporal: Client, item: WorkItem): Promise<boolean> => {
    const { work, row } = item;
    const { accountId } = row;
    if (await starts.take(accountId, () => start(temporal, item))) return !item.wakes;
    if (await looks.take(accountId, () => isRunning(temporal, work.workflowId(row)))) return false;
    const next = await countResume(db, item);
    return next !== undefined && starts.take(accountId, () => start(temporal, next));
  };

  return async (signal) => {
    let started = 0;
    for (;;) {
      const temporal = client();
      if (!temporal || signal?.aborted || !(await temporalAnswers())) return started;
      const overdue = await claimOverdue(db, works);
      const outcomes = await Promise.allSettled(overdue.map((item) => restart(temporal, item)));
      const failed = overdue.filter((_, index) => outcomes[index]?.status === 'rejected');
      await releaseLease(db, failed);
      await renewLease(
        db,
        overdue.filter((_, index) => outcomes[index]?.status === 'fulfilled'),
      );
      const startedNow = outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value).length;
      metrics?.swept({ started: startedNow, failed: failed.length });
      started += startedNow;
      if (started > 0 || failed.length > 0) log.info({ started, failed: failed.length }, 'sweep.started');
      // Where all of them fail it is not them: Temporal takes none now.
      if (overdue.length < claimLimit || failed.length === overdue.length) return started;
    }
  };
};

const isRunning = async (client: Client, workflowId: string): Promise<boolean> => {
  try {
    const handle = client.workflow.getHandle(workflowId);
    const { status } = await client.withDeadline(Date.now() + lookDeadlineMs, () => handle.describe());
    return status.name === 'RUNNING' || status.name === 'PAUSED';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
};
