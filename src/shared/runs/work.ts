import { showId } from '../ids.ts';
import type { Sql } from '../platform/db/connect.ts';
import { startOf, type Work, type WorkRow } from '../platform/dispatch/work.ts';
import { searchAttributes } from '../platform/temporal/search-attributes.ts';
import { taskQueues } from '../platform/temporal/task-queues.ts';
import { workflowIdOf } from '../platform/temporal/workflow-id.ts';
import type { First, RunFlow, RunFlowWorkflow } from './types.ts';

/** A run that a workflow shall carry; ids are UUIDs. */
export type RunWorkRow = WorkRow & {
  contactId: string;
  flowId: string;
  version: number;
  isOver: boolean;
  /** What its workflow begins with, where the transaction that has begun it has made the first pass, too. */
  first?: First;
};

/** The columns of a `RunWorkRow`. */
export const runColumns = (sql: Sql) => sql`
  id, account_id, contact_id, flow_id, version, resumes, ended_at is not null as is_over`;

/** The sweep starts the workflow of a run that is not on its way after this long, in seconds. */
export const startGraceSeconds = 15;

/** What a pass has come to, so long afterwards. */
const later = (first: First, waitedMs: number): First =>
  first.type === 'wait' && first.dueInMs !== undefined
    ? { ...first, dueInMs: Math.max(0, Math.round(first.dueInMs - waitedMs)) }
    : first;

/** Runs of flows, each carried by a workflow `runFlow`; one that was lost or is retried has another. */
export const runWork: Work<RunWorkRow> = {
  kind: 'run',
  table: 'runs',
  columns: runColumns,
  workflowId: (row) => workflowIdOf('run', row),
  lane: ({ accountId, flowId }) => ({ accountId, key: flowId }),
  // An ordinary activity may be made by any process, and reports to its own.
  isPaced: ({ first }) => first === undefined || (first.type === 'call' && first.local === true),
  wakeSignal: ({ isOver }) => (isOver ? 'stop' : 'wake'),
  start: ({ id, resumes, version, first, ...row }, { eager, settled, waitedMs = 0 }) => {
    const accountId = showId('account', row.accountId);
    const flowId = showId('flow', row.flowId);
    const contactId = showId('contact', row.contactId);
    const run: RunFlow = {
      runId: showId('run', id),
      resumes,
      accountId,
      contactId,
      flowId,
      version,
      ...(settled && {
        nextInResult: true,
        failsVisibly: true,
        localRequests: true,
        ...(first && { first: later(first, waitedMs) }),
      }),
    };
    return startOf<RunFlowWorkflow>('runFlow', [run], {
      taskQueue: taskQueues.flows,
      // A request in it takes up to ten seconds.
      workflowTaskTimeout: '15 s',
      requestEagerStart: eager,
      priority: { fairnessKey: accountId },
      staticSummary: `${flowId}, version ${version}, for ${contactId}`,
      typedSearchAttributes: [
        { key: searchAttributes.accountId, value: accountId },
        { key: searchAttributes.contactId, value: contactId },
        { key: searchAttributes.flowId, value: flowId },
      ],
    });
  },
};
