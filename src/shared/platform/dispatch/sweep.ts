import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Database } from '../db/connect.ts';
import type { Logger } from '../log.ts';
import type { DispatchMetrics } from './metrics.ts';
import { claimLimit, claimOverdue, countResume, releaseLease, renewLease } from './overdue.ts';
import { createStarts, startOnce } from './start-once.ts';
import type { Outbox, Work, WorkItem } from './work.ts';
import { createShares, type Shares } from '../bulkhead/shares.ts';

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
  /** The starts that dispatcher and sweep of a process share; the sweep's own when not given. */
  starts?: Shares;
  /** Makes the first attempts of its kind of work. */
  outbox?: Outbox;
};

/** A look at a workflow that takes longer has failed, in ms. Other workflows wait for their look. */
const lookDeadlineMs = 4_000;

/** The most looks at once in a process. Looks have shares of their own, so that a look that hangs holds up no start. */
const looksAtOnce = 64;

/** Looks after all overdue rows, until there are no more or `signal` aborts. Answers how many workflows it has started. */
export type Sweep = (signal?: AbortSignal) => Promise<number>;

/**
 * What came of a claimed row: its workflow was started; it is carried, by a workflow or by this process; the outbox has it now, or has no room for
 * it; or nothing, because Temporal took no start.
 */
type Swept = 'started' | 'carried' | 'sent' | 'full' | 'failed';

/**
 * Carries out what a crash or an absent Temporal has left behind. PostgreSQL is the record: the sweep gives an attempt or a workflow to every row
 * there that is unfinished and overdue. It leaves a workflow that runs alone. A workflow that closed without finishing its row (terminated,
 * lost) is followed by `…/resume/<n>`, which goes on from what is recorded.
 *
 * Each look at a workflow that runs puts the next look further off; a claim that a crash cut short does not. While Temporal is away it claims only
 * what needs no workflow yet, so that everything else goes on at once when it is back. Any number of processes may sweep at the same time.
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
  outbox,
}: SweepDeps): Sweep => {
  const looks = createShares({ total: looksAtOnce });

  /** False when a workflow of this id runs or has run. */
  const start = async (temporal: Client, item: WorkItem): Promise<boolean> => {
    const { accountId } = item.row;
    const mode = { eager: false, settled: settled() };
    const started = await starts.take({ accountId, key: accountId }, () => startOnce(temporal, item, mode));
    return started !== undefined;
  };

  const isCarried = ({ work, row }: WorkItem, temporal: Client): Promise<boolean> =>
    looks.take({ accountId: row.accountId, key: row.accountId }, () => isRunning(temporal, work.workflowId(row)));

  const send = async (item: WorkItem, ofWork: Outbox, temporal: Client | undefined): Promise<Swept> => {
    const { row } = item;
    if (!ofWork.hasRoom(row)) return 'full';
    // An attempt that its process has sent and could not record may be with a workflow, which records it.
    if (temporal && ofWork.mayHaveBeenSent(row) && (await isCarried(item, temporal))) return 'carried';
    void ofWork.send(row);
    return 'sent';
  };

  const carryOut = async (item: WorkItem, temporal: Client | undefined): Promise<Swept> => {
    const { work, row } = item;
    const ofWork = outbox?.work === work ? outbox : undefined;
    // What this process is at would be sent again, or its outcome overtaken.
    if (ofWork?.holds(row)) return 'carried';
    if (ofWork?.takes(row)) return send(item, ofWork, temporal);
    if (!temporal) return 'failed';
    // Nobody can tell of one that was signalled whether it ran already.
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
      const claimable = temporal ? works : works.filter((work) => outbox?.work === work);
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
      // When all of them fail, Temporal takes no starts now, or this process has more than it carries.
      if (overdue.length < claimLimit || full.length + failed.length === overdue.length) return startedInAll;
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
