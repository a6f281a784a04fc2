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
 * already.
 */
export const startOnce = async (
  client: Client,
  { work, row }: WorkItem,
  mode: StartMode,
): Promise<{ eager: boolean } | undefined> => {
  const { type, args, options } = work.start(row, mode);
  const start = () =>
    client.workflow.start(type, {
      ...options,
      args,
      workflowId: work.workflowId(row),
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
    });
  try {
    const { eagerlyStarted } = await client.withDeadline(Date.now() + startDeadlineMs, start);
    return { eager: eagerlyStarted };
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return undefined;
    throw error;
  }
};
