import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { createShares, type Shares } from '../bulkhead/shares.ts';
import type { StartMode, WorkItem } from './work.ts';

/** Temporal takes starts in their order, so more at once would only wait longer there. An account alone has a third. */
const startsAtOnce = 48;

/** The SDK alone would try for minutes while Temporal is away. In ms. */
const startDeadlineMs = 4_000;

/** The starts under way in a process, shared among accounts by dispatcher and sweep. */
export const createStarts = (): Shares => createShares({ total: startsAtOnce });

/**
 * Starts the workflow of a row, or signals it for an item with a signal, and answers whether this process got its first task. Undefined when a
 * workflow of this id has run, or, without a signal, runs.
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
