import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { createFairQueue, type FairQueue } from '../bulkhead/fair-queue.ts';
import type { StartMode, WorkItem } from './work.ts';

/** Starts under way at once in a process: more of them would outlast their deadline on a busy machine. */
const startsAtOnce = 64;

/** A start that takes longer has failed, instead of being tried on for minutes: Temporal is away. In ms. */
const startDeadlineMs = 4_000;

/** The turns in which the starts of a process are made, those of its dispatcher and of its sweep alike. */
export const createStarts = (): FairQueue => createFairQueue(startsAtOnce);

/**
 * Starts the workflow of a row and tells whether this process got its first task; undefined when one of its id runs or has run
 * already. An item that wakes signals the one that runs, and starts it with the signal when there is none; undefined when it has run.
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
    const signal = { signal: work.wakeSignal ?? 'wake', workflowIdConflictPolicy: 'USE_EXISTING' } as const;
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
