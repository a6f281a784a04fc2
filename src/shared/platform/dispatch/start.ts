import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { startWorkflow, type StartMode } from '../temporal/workflows.ts';
import type { DispatchRequest } from './requests.ts';
import { createFairQueue, type FairQueue } from '../bulkhead/fair-queue.ts';

/** Starts under way at once in a process: more of them would outlast their deadline on a busy machine. */
const startsAtOnce = 64;

/** The turns in which the starts of a process are made, those of its dispatcher and of its sweep alike. */
export const createStarts = (): FairQueue => createFairQueue(startsAtOnce);

/**
 * Starts the workflow of a request and tells whether this process got its first task; undefined when one of its id runs or
 * has run already.
 */
export const startOnce = async (
  client: Client,
  request: DispatchRequest,
  mode: StartMode,
): Promise<{ eager: boolean } | undefined> => {
  try {
    return await startWorkflow(client, request, mode);
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return undefined;
    throw error;
  }
};
