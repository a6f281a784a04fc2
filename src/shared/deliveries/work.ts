import type { EventName, Variant } from '../facts/names.ts';
import { showId } from '../ids.ts';
import type { Sql } from '../platform/db/connect.ts';
import { startOf, type StartMode, type Work, type WorkRow } from '../platform/dispatch/work.ts';
import { nobody, ownProcessId } from '../platform/processes/own-process.ts';
import { releaseGone } from '../platform/processes/release-gone.ts';
import { fairnessKeyOf } from '../platform/temporal/fairness.ts';
import { searchAttributes } from '../platform/temporal/search-attributes.ts';
import { taskQueues } from '../platform/temporal/task-queues.ts';
import { selectFairly } from './fair-claim.ts';
import type { FirstRead } from './first-read.ts';
import type { DeliverEventWorkflow, FirstOutcome, UnrecordedAttempt } from './types.ts';
import { deliveryWorkflowId } from './workflow.ts';

/** A round of a delivery; ids are UUIDs. */
export type DeliveryWorkRow = WorkRow & {
  webhookId: string;
  contactId: string | null;
  eventName: EventName;
  variant: Variant;
  round: number;
  attemptsMade: number;
  isTest: boolean;
  /** Whether an outbox makes the first attempt; workflows make those of rounds that a process of 0.3 has begun. */
  ofOutbox?: boolean;
  /** Whether the row's previous process may have sent it. */
  mayHaveBeenSent?: boolean;
  /** What the insert has read for the first attempt. */
  firstRead?: FirstRead;
  /** Puts rounds of a bulk replay behind live events. */
  inBulk?: boolean;
  /** The outbox's first attempt, when it is not recorded yet. */
  unrecorded?: UnrecordedAttempt;
  /** The first attempt; `recordedMs` is by this process's monotonic clock. */
  first?: FirstOutcome & { recordedMs: number };
};

/** SQL: the columns of a `DeliveryWorkRow`. */
export const workColumns = (sql: Sql) => sql`
  id, account_id, webhook_id, contact_id, event_name, variant, round, resumes, attempts_made, is_test`;

/** The lease of a delivery whose first attempt is to be made, in seconds. `releaseGone` frees those of a process that is gone much sooner. */
export const outboxLeaseSeconds = 60;

/** SQL: the condition of `isFirstAttempt`. */
const isBeforeFirst = (sql: Sql) => sql`(attempts_made = 0 and resumes = 0 and sender is not null)`;

/** A workflow that starts later after its first attempt reads the record, because that may have changed. In ms. */
const firstOutcomeHoldsMs = 1_000;

/** Whether an outbox is to make the round's first attempt. */
export const isFirstAttempt = ({ attemptsMade, resumes, unrecorded, ofOutbox = false }: DeliveryWorkRow): boolean =>
  ofOutbox && attemptsMade === 0 && resumes === 0 && unrecorded === undefined;

/** Empty when the workflow starts late, or when a process of 0.3 may get it. */
const firstOutcome = ({ first }: DeliveryWorkRow, settled: boolean): { first?: FirstOutcome } => {
  if (!first || !settled) return {};
  const { recordedMs, dueInMs, ...outcome } = first;
  const agoMs = performance.now() - recordedMs;
  if (dueInMs === undefined) return { first: outcome };
  return agoMs > firstOutcomeHoldsMs
    ? {}
    : { first: { ...outcome, dueInMs: Math.max(0, Math.round(dueInMs - agoMs)) } };
};

export const deliveryWork: Work<DeliveryWorkRow> = {
  kind: 'delivery',
  table: 'deliveries',
  columns: workColumns,
  selectOverdue: (sql, { limit, beforeWorkflows }) =>
    selectFairly(sql, limit, beforeWorkflows ? isBeforeFirst(sql) : undefined),
  isSameRun: (sql, { round }) => sql`round = ${round}`,
  workflowId: deliveryWorkflowId,
  lane: ({ accountId, webhookId }) => ({ accountId, key: webhookId }),
  claimColumns: (sql) =>
    sql`sender is not null as of_outbox, coalesce(old.sender <> ${nobody}, false) as may_have_been_sent`,
  lease: (sql) => sql`
    sender = case when sender is not null then ${ownProcessId}::uuid end,
    sweep_at = clock_timestamp() + make_interval(secs => case when ${isBeforeFirst(sql)} then ${outboxLeaseSeconds} else 20 end)`,
  releaseGone: (sql) => releaseGone(sql, 'deliveries'),
  start: (row, { eager, settled }: StartMode) => {
    const { contactId, eventName, variant, round, isTest, unrecorded } = row;
    const accountId = showId('account', row.accountId);
    const deliveryId = showId('delivery', row.id);
    const webhookId = showId('webhook', row.webhookId);
    // A process of 0.3 reads the record, as `resumed` says, and shows failed attempts, as `visible` says.
    const input = { deliveryId, webhookId, eventName, variant, round, isTest, resumed: true, visible: true };
    const more = { ...firstOutcome(row, settled), ...(unrecorded && { unrecorded }) };
    return startOf<DeliverEventWorkflow>('deliverEvent', [{ ...input, ...more }], {
      taskQueue: taskQueues.deliveries,
      requestEagerStart: eager,
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
