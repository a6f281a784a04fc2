import type { EventName, Variant } from '../events/names.ts';
import { showId } from '../ids.ts';
import type { Sql } from '../platform/db/connect.ts';
import { startOf, type StartMode, type Work, type WorkRow } from '../platform/dispatch/work.ts';
import { fairnessKeyOf } from '../platform/temporal/fairness.ts';
import { searchAttributes } from '../platform/temporal/search-attributes.ts';
import { taskQueues } from '../platform/temporal/task-queues.ts';
import { selectFairly } from './fair-claim.ts';
import type { DeliverEventWorkflow, UnrecordedAttempt } from './types.ts';
import { deliveryWorkflowId } from './workflow.ts';

/** A delivery's round that a workflow shall carry; ids are UUIDs. */
export type DeliveryWorkRow = WorkRow & {
  webhookId: string;
  contactId: string | null;
  eventName: EventName;
  variant: Variant;
  round: number;
  /** Of this round. */
  attemptsMade: number;
  isTest: boolean;
  /** The first attempt, sent straight from the outbox and not recorded yet. */
  unrecorded?: UnrecordedAttempt;
};

/** The columns of a `DeliveryWorkRow`. */
export const workColumns = (sql: Sql) => sql`
  id, account_id, webhook_id, contact_id, event_name, variant, round, resumes, attempts_made, is_test`;

/**
 * A delivery that is not finished after this long is looked at by the sweep, in seconds: longer than its way through the
 * dispatcher and a first attempt take, so that only what is lost is looked at.
 */
export const firstAttemptGraceSeconds = 15;

/** Longer than the ten seconds of a first attempt, which runs inside the task. */
const firstTaskTimeout = '15s';

/** Whether nothing of this round was done yet. Otherwise its workflow goes on from there. */
export const isFirstAttempt = ({ attemptsMade, resumes, unrecorded }: DeliveryWorkRow): boolean =>
  attemptsMade === 0 && resumes === 0 && unrecorded === undefined;

/** The rounds of deliveries, each carried by a workflow `deliverEvent`. */
export const deliveryWork: Work<DeliveryWorkRow> = {
  kind: 'delivery',
  table: 'deliveries',
  columns: workColumns,
  selectOverdue: selectFairly,
  isSameRun: (sql, { round }) => sql`round = ${round}`,
  workflowId: deliveryWorkflowId,
  lane: ({ accountId, webhookId }) => ({ accountId, key: webhookId }),
  hasFirstAttempt: isFirstAttempt,
  start: (row, { eager, firstAttempt, visible }: StartMode) => {
    const { contactId, eventName, variant, round, isTest, unrecorded } = row;
    const accountId = showId('account', row.accountId);
    const deliveryId = showId('delivery', row.id);
    const webhookId = showId('webhook', row.webhookId);
    const resumed = !isFirstAttempt(row);
    const input = { deliveryId, webhookId, eventName, variant, round, firstAttempt, resumed, isTest };
    const more = { ...(visible && { visible }), ...(unrecorded && { unrecorded }) };
    return startOf<DeliverEventWorkflow>('deliverEvent', [{ ...input, ...more }], {
      taskQueue: taskQueues.deliveries,
      requestEagerStart: eager,
      workflowTaskTimeout: firstTaskTimeout,
      priority: { fairnessKey: fairnessKeyOf(accountId, webhookId) },
      staticSummary: `${eventName} to ${webhookId}, variant ${variant === 'api' ? 'A' : 'B'}${round > 1 ? `, round ${round}` : ''}`,
      typedSearchAttributes: [
        { key: searchAttributes.accountId, value: accountId },
        { key: searchAttributes.webhookId, value: webhookId },
        { key: searchAttributes.eventName, value: eventName },
        { key: searchAttributes.variant, value: variant },
        ...(contactId ? [{ key: searchAttributes.contactId, value: showId('contact', contactId) }] : []),
      ],
    });
  },
};
