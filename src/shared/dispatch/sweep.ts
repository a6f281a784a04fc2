import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type { Database, Sql } from '../db/connect.ts';
import type { Logger } from '../log.ts';
import { startWorkflow, workflowIdOf } from '../temporal/workflows.ts';
import { claimOverdue, countResume } from './overdue.ts';
import type { DispatchRequest } from './requests.ts';

export type SweepDeps = { db: Database; client: () => Client | undefined; log: Logger };

/** Looks once at what is overdue; answers how many workflows were started. */
export type Sweep = () => Promise<number>;

/**
 * Starts what a crash or an absent Temporal left behind. PostgreSQL is the record: whatever is unfinished there and
 * overdue gets a workflow. One that runs is left alone; one that closed without finishing its round (terminated, lost) is
 * followed by `…/resume/<n>`, which goes on from the recorded attempts. Each claim pushes the next look further out, and
 * any number of processes may sweep at once.
 */
export const createSweep =
  ({ db, client, log }: SweepDeps): Sweep =>
  async () => {
    const temporal = client();
    if (!temporal) return 0;
    const overdue = await claimOverdue(db);
    const started = await Promise.all(overdue.map((request) => restart(temporal, db, request)));
    const count = started.filter(Boolean).length;
    if (count > 0) log.info({ started: count, looked: overdue.length }, 'sweep.started');
    return count;
  };

const restart = async (client: Client, sql: Sql, request: DispatchRequest): Promise<boolean> => {
  if (await start(client, request)) return true;
  if (await isRunning(client, workflowIdOf(request))) return false;
  const next = await countResume(sql, request);
  return next !== undefined && start(client, next);
};

/** False when a workflow of this id runs or has run. */
const start = async (client: Client, request: DispatchRequest): Promise<boolean> => {
  try {
    await startWorkflow(client, request, { eager: false, firstAttempt: 'ordinary' });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
};

const isRunning = async (client: Client, workflowId: string): Promise<boolean> => {
  try {
    const { status } = await client.workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING' || status.name === 'PAUSED';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
};
