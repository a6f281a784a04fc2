import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { createFairQueue, type FairQueue } from '../bulkhead/fair-queue.ts';
import type { StartMode, WorkItem } from './work.ts';

/** The most starts that a process makes at once. More would miss their deadline on a busy machine. */
const startsAtOnce = 64;

/** A start that takes longer has failed, because Temporal is away. The SDK alone would try for minutes. In ms. */
const startDeadlineMs = 4_000;

/** The turns in which dispatcher and sweep of a process make their starts. */
export const createStarts = (): FairQueue => createFairQueue(startsAtOnce);

/**
 * Starts the workflow of a row, and answers whether this process got its first task. Undefined when a workflow of this id runs or has
 * run. An item that wakes signals the workflow that runs, or starts it with the signal; undefined when it has run.
 */
export const startOnce = async (
  client: Client,
  { work, row, wakes = false }: WorkItem,
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
    if (!wakes) return (await client.workflow.start(type, asked)).eagerlyStarted;
    const signal = { signal: work.wakeSignal?.(row) ?? 'wake', workflowIdConflictPolicy: 'USE_EXISTING' } as const;
    await client.workflow.signalWithStart(type, { ...asked, ...signal });
    return false;
  };
  try {
    return { eager: await client.withDeadline(Date.now() + startDeadlineMs, start) };
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return undefined;
    throw error;
  }
};
