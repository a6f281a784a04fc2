import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Database } from '../db/connect.ts';
import type { Logger } from '../log.ts';
import type { DispatchMetrics } from './metrics.ts';
import { claimLimit, claimOverdue, countResume, releaseLease, renewLease } from './overdue.ts';
import { createStarts, startOnce } from './start-once.ts';
import { outboxOf, type Outbox, type Work, type WorkItem } from './work.ts';
import { createShares, type Shares } from '../bulkhead/shares.ts';

export type SweepDeps = {
  db: Database;
  /** Few connections for claims, whose plans over the weeks of the logs take 6 to 10 MB of each; `db` when not given. */
  forClaims?: Database;
  works: readonly Work[];
  client: () => Client | undefined;
  /** Whether Temporal answers now: a connection outlives the server behind it. */
  temporalAnswers: () => Promise<boolean>;
  log: Logger;
  metrics?: Pick<DispatchMetrics, 'swept'>;
  /** Whether processes of the version before are gone for good; see `readSettlingMs`. */
  settled?: () => boolean;
  /** The starts that dispatcher and sweep of a process share; the sweep's own when not given. */
  starts?: Shares;
  outboxes?: readonly Outbox[];
};

/** The longest check of a workflow, in ms, because others wait for theirs. */
const checkDeadlineMs = 4_000;

/** Checks have slots of their own, so that one that hangs holds up no start. */
const checksAtOnce = 64;

/** Carries out all overdue rows until `signal` aborts, and answers the number of workflows started. */
export type Sweep = (signal?: AbortSignal) => Promise<number>;

/** The result of a claimed row; `carried` by a workflow or by this process, `full` when the outbox has no room. */
type Swept = 'started' | 'carried' | 'sent' | 'full' | 'failed';

/**
 * Carries out what a crash or an absent Temporal has left behind, in any number of processes at once. PostgreSQL is the record: every unfinished
 * and overdue row gets an attempt or a workflow. A workflow that closed without finishing its row is followed by `…/resume/<n>`, which goes on
 * from what is recorded. While Temporal is away the sweep claims only rows that need no workflow yet, so that all others go on once it is back.
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
  outboxes = [],
}: SweepDeps): Sweep => {
  const checks = createShares({ total: checksAtOnce });

  /** False when a workflow of this id runs or has run. */
  const start = async (temporal: Client, item: WorkItem): Promise<boolean> => {
    const { accountId } = item.row;
    const mode = { eager: false, settled: settled() };
    const started = await starts.take({ accountId, key: accountId }, () => startOnce(temporal, item, mode));
    return started !== undefined;
  };

  const isCarried = ({ work, row }: WorkItem, temporal: Client): Promise<boolean> =>
    checks.take({ accountId: row.accountId, key: row.accountId }, () => isRunning(temporal, work.workflowId(row)));

  const send = async (item: WorkItem, outbox: Outbox, temporal: Client | undefined): Promise<Swept> => {
    const { row } = item;
    if (!outbox.hasRoom(row)) return 'full';
    // A workflow may be recording the attempt, which its process sent and could not record.
    if (temporal && outbox.mayHaveBeenSent(row) && (await isCarried(item, temporal))) return 'carried';
    void outbox.send(row);
    return 'sent';
  };

  const carryOut = async (item: WorkItem, temporal: Client | undefined): Promise<Swept> => {
    const { work, row } = item;
    // A second process at the row would send it again.
    if (outboxes.some((outbox) => outbox.work === work && outbox.holds(row))) return 'carried';
    const outbox = outboxOf(outboxes, item);
    if (outbox) return send(item, outbox, temporal);
    if (!temporal) return 'failed';
    // The answer to a signal does not tell whether the workflow ran before.
    if (await start(temporal, item)) return item.signal === undefined ? 'started' : 'carried';
    if (await isCarried(item, temporal)) return 'carried';
    const next = await countResume(db, item);
    return next && (await start(temporal, next)) ? 'started' : 'carried';
  };

  return async (signal) => {
    let startedInAll = 0;
    for (const work of works) await work.releaseGone?.(forClaims);
    for (;;) {
      if (signal?.aborted) return startedInAll;
      const linked = client();
      const temporal = linked && (await temporalAnswers()) ? linked : undefined;
      const claimable = temporal ? works : works.filter((work) => outboxes.some((outbox) => outbox.work === work));
      const overdue = await claimOverdue(forClaims, claimable, { beforeWorkflows: !temporal });
      const swept = await Promise.all(overdue.map((item) => carryOut(item, temporal).catch((): Swept => 'failed')));
      const {
        started = [],
        carried = [],
        sent = [],
        full = [],
        failed = [],
      } = Object.groupBy(overdue, (_, index) => swept[index] ?? 'failed');
      await releaseLease(db, [...full, ...failed]);
      await renewLease(db, [...started, ...carried]);
      startedInAll += started.length;
      const counts = { started: started.length, sent: sent.length, failed: failed.length };
      metrics?.swept(counts);
      if (counts.started + counts.sent + counts.failed > 0) log.info(counts, 'sweep.started');
      // A claim that fails as a whole means that Temporal is away or this process is full.
      if (overdue.length < claimLimit || full.length + failed.length === overdue.length) return startedInAll;
    }
  };
};

const isRunning = async (client: Client, workflowId: string): Promise<boolean> => {
  try {
    const handle = client.workflow.getHandle(workflowId);
    const { status } = await client.withDeadline(Date.now() + checkDeadlineMs, () => handle.describe());
    return status.name === 'RUNNING' || status.name === 'PAUSED';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
};
