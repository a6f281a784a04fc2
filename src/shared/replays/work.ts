import { showId } from '../ids.ts';
import { startOf, type Work, type WorkRow } from '../platform/dispatch/work.ts';
import { searchAttributes } from '../platform/temporal/search-attributes.ts';
import { taskQueues } from '../platform/temporal/task-queues.ts';
import { workflowIdOf } from '../platform/temporal/workflow-id.ts';
import { sayCount } from './count.ts';
import type { ReplayDeliveriesWorkflow } from './types.ts';

/** A bulk replay that a workflow shall carry; ids are UUIDs, `total` and `pace` are for its summary. */
type ReplayWorkRow = WorkRow & { webhookId: string | null; total: number; pace: number };

/** Bulk replays, each carried by a workflow `replayDeliveries`; one that was resumed has another. */
export const replayWork: Work<ReplayWorkRow> = {
  kind: 'replay',
  table: 'replays',
  columns: (sql) => sql`id, account_id, webhook_id, total, pace, resumes`,
  workflowId: (row) => workflowIdOf('replay', row),
  lane: ({ accountId }) => ({ accountId, key: accountId }),
  start: ({ id, total, pace, resumes, ...row }) => {
    const accountId = showId('account', row.accountId);
    const webhookId = row.webhookId === null ? undefined : showId('webhook', row.webhookId);
    return startOf<ReplayDeliveriesWorkflow>('replayDeliveries', [{ replayId: showId('replay', id), resumes }], {
      taskQueue: taskQueues.maintenance,
      priority: { fairnessKey: accountId },
      staticSummary: `replay of ${sayCount(total)} deliveries to ${webhookId ?? 'all webhooks'}, ${pace} a second`,
      typedSearchAttributes: [
        { key: searchAttributes.accountId, value: accountId },
        ...(webhookId === undefined ? [] : [{ key: searchAttributes.webhookId, value: webhookId }]),
      ],
    });
  },
};
