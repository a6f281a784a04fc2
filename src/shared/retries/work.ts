import { showId } from '../ids.ts';
import { startOf, type Work, type WorkRow } from '../platform/dispatch/work.ts';
import { searchAttributes } from '../platform/temporal/search-attributes.ts';
import { taskQueues } from '../platform/temporal/task-queues.ts';
import { workflowIdOf } from '../platform/temporal/workflow-id.ts';
import { sayCount } from '../replays/count.ts';
import type { RetryRunsWorkflow } from './types.ts';

/** A bulk retry that a workflow shall carry; ids are UUIDs, the rest is for its summary. */
type RetryWorkRow = WorkRow & { flowId: string; blockId: string; version: number; total: number; pace: number };

/** Bulk retries of runs, each carried by a workflow `retryRuns`; one that was resumed has another. */
export const retryWork: Work<RetryWorkRow> = {
  kind: 'retry',
  table: 'retries',
  columns: (sql) => sql`id, account_id, flow_id, block_id, version, total, pace, resumes`,
  workflowId: (row) => workflowIdOf('retry', row),
  lane: ({ accountId }) => ({ accountId, key: accountId }),
  start: ({ id, blockId, version, total, pace, resumes, ...row }) => {
    const [accountId, flowId] = [showId('account', row.accountId), showId('flow', row.flowId)];
    return startOf<RetryRunsWorkflow>('retryRuns', [{ retryId: showId('retry', id), resumes }], {
      taskQueue: taskQueues.maintenance,
      priority: { fairnessKey: accountId },
      staticSummary: `retry of ${sayCount(total)} runs of ${flowId} at ${blockId}, on version ${version}, ${pace} a second`,
      typedSearchAttributes: [
        { key: searchAttributes.accountId, value: accountId },
        { key: searchAttributes.flowId, value: flowId },
      ],
    });
  },
};
