import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Database } from '../db/connect.ts';
import type { Logger } from '../log.ts';
import type { DispatchMetrics } from './metrics.ts';
import { claimLimit, claimOverdue, countResume, releaseLease, renewLease } from './overdue.ts';
import { createStarts, startOnce } from './start-once.ts';
import type { FirstAttempts } from './first-attempts.ts';
import type { Straight, Work, WorkItem } from './work.ts';
import { createFairQueue, type FairQueue } from '../bulkhead/fair-queue.ts';

export type SweepDeps = {
  db: Database;
  /** Few connections for claims, whose plans over the weeks of the logs take 6 to 10 MB of each; `db` when not given. */
  forClaims?: Database;
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
  /** The turns that dispatcher and sweep of a process share; the sweep's own when not given. */
  starts?: FairQueue;
  /** The places of first attempts, where workers of this process share the client's connection. */
  firstAttempts?: FirstAttempts | undefined;
  /** What this process sends without a workflow. */
  straight?: Pick<Straight, 'work' | 'holds'>;
};

/** A look at a workflow that takes longer has failed, in ms. Other workflows wait for their look. */
const lookDeadlineMs = 4_000;

/** The most looks at once in a process. Looks have turns of their own, so that a look that hangs holds up no start. */
const looksAtOnce = 64;

/** Looks after all overdue rows, until there are no more or `signal` aborts. Answers how many workflows it has started. */
export type Sweep = (signal?: AbortSignal) => Promise<number>;

/**
 * Starts what a crash or an absent Temporal has left behind. PostgreSQL is the record: the sweep gives a workflow to every row there
 * that is unfinished and overdue. It leaves a workflow that runs alone. A workflow that closed without finishing its row (terminated,
 * lost) is followed by `…/resume/<n>`, which goes on from what is recorded.
 *
 * Each look at a workflow that runs puts the next look further off; a claim that a crash cut short does not. The sweep claims nothing
 * while Temporal is away, so that everything goes on at once when it is back. Any number of processes may sweep at the same time.
 */
export const createSweep = ({
  db,
  forClaims = db,
  works,
  client,
  temporalAnswers,
  log,
  metrics,
  settled = () => true,
  starts = createStarts(),
  firstAttempts,
  straight,
}: SweepDeps): Sweep => {
  const looks = createFairQueue(looksAtOnce);

  /** False when a workflow of this id runs or has run. */
  const start = async (temporal: Client, item: WorkItem): Promise<boolean> => {
    const { work, row } = item;
    // What was never begun costs half as much when this process makes the first attempt.
    const isFirst = work.hasFirstAttempt?.(row) === true;
    const isLocal = isFirst && firstAttempts?.takeNow(row.id, work.lane(row)) === true;
    if (isFirst && !isLocal && firstAttempts?.turnsOver(work.lane(row)))
      throw new Error('its webhook has its share under way');
    const mode = { eager: isLocal, firstAttempt: isLocal ? 'local' : 'ordinary', visible: settled() } as const;
    let started: { eager: boolean } | undefined;
    try {
      started = await startOnce(temporal, item, mode);
    } finally {
      if (isLocal && !started?.eager) firstAttempts?.forgo(row.id);
    }
    return started !== undefined;
  };

  /** Answers whether a workflow was started; false for one that was woken, which nobody can tell. */
  const restart = async (temporal: Client, item: WorkItem): Promise<boolean> => {
    const { work, row } = item;
    const { accountId } = row;
    // An outcome that waits to be recorded would be sent again by a workflow.
    if (straight?.work === work && straight.holds(row)) return false;
    if (await starts.take(accountId, () => start(temporal, item))) return !item.wakes;
    if (await looks.take(accountId, () => isRunning(temporal, work.workflowId(row)))) return false;
    const next = await countResume(db, item);
    return next !== undefined && starts.take(accountId, () => start(temporal, next));
  };

  return async (signal) => {
    let startedInAll = 0;
    for (;;) {
      const temporal = client();
      if (!temporal || signal?.aborted || !(await temporalAnswers())) return startedInAll;
      const overdue = await claimOverdue(forClaims, works);
      const outcomes = await Promise.allSettled(overdue.map((item) => restart(temporal, item)));
      const failed = overdue.filter((_, index) => outcomes[index]?.status === 'rejected');
      await releaseLease(db, failed);
      await renewLease(
        db,
        overdue.filter((_, index) => outcomes[index]?.status === 'fulfilled'),
      );
      const started = outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value).length;
      startedInAll += started;
      const counts = { started, failed: failed.length };
      metrics?.swept(counts);
      if (started > 0 || failed.length > 0) log.info(counts, 'sweep.started');
      // When all of them fail, Temporal takes no starts now, or this process has more than it carries.
      if (overdue.length < claimLimit || failed.length === overdue.length) return startedInAll;
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
