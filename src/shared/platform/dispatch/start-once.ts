import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { FairQueue } from '../bulkhead/fair-queue.ts';
import { createShares } from '../bulkhead/shares.ts';
import type { StartMode, WorkItem } from './work.ts';

/**
 * The most starts that a process makes at once; an account alone has a third. Temporal takes them in their order, so that each start waits for all
 * that are under way, and more would only wait longer.
 */
const startsAtOnce = 48;

/** A start that takes longer has failed, because Temporal is away. The SDK alone would try for minutes. In ms. */
const startDeadlineMs = 4_000;

/** The turns in which dispatcher and sweep of a process make their starts. */
export const createStarts = (): FairQueue => {
  const shares = createShares({ total: startsAtOnce });
  let size = 0;
  return {
    take: async (accountId, work) => {
      size += 1;
      try {
        return await shares.take({ accountId, key: accountId }, work);
      } finally {
        size -= 1;
      }
    },
    get size() {
      return size;
    },
  };
};

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
