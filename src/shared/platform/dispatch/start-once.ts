import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { createShares, type Shares } from '../bulkhead/shares.ts';
import type { StartMode, WorkItem } from './work.ts';

/**
 * The most starts that a process makes at once; an account alone has a third. Temporal takes them in their order, so that each start waits for all
 * that are under way, and more would only wait longer.
 */
const startsAtOnce = 48;

/** A start that takes longer has failed, because Temporal is away. The SDK alone would try for minutes. In ms. */
const startDeadlineMs = 4_000;

/** The starts under way in a process, shared among accounts by dispatcher and sweep. */
export const createStarts = (): Shares => createShares({ total: startsAtOnce });

/**
 * Starts the workflow of a row, and answers whether this process got its first task. Undefined when a workflow of this id runs or has
 * run. An item with a signal sends it to the workflow that runs, or starts one with it; undefined when it has run.
 */
export const startOnce = async (
  client: Client,
  { work, row, signal }: WorkItem,
  mode: StartMode,
): Promise<{ eager: boolean } | undefined> => {
  const { type, args, options } = work.start(row, mode);
  const asked = {
    ...options,
    args,
    workflowId: work.workflowId(row),
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
  } as const;
  const start = async (): Promise<boolean> => {
    if (signal === undefined) return (await client.workflow.start(type, asked)).eagerlyStarted;
    await client.workflow.signalWithStart(type, { ...asked, signal, workflowIdConflictPolicy: 'USE_EXISTING' });
    return false;
  };
  try {
    return { eager: await client.withDeadline(Date.now() + startDeadlineMs, start) };
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return undefined;
    throw error;
  }
};
