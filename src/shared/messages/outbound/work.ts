import { showId } from '../../ids.ts';
import type { Fragment, Sql } from '../../platform/db/connect.ts';
import { startOf, type Work, type WorkRow } from '../../platform/dispatch/work.ts';
import { fairnessKeyOf } from '../../platform/temporal/fairness.ts';
import { searchAttributes } from '../../platform/temporal/search-attributes.ts';
import { taskQueues } from '../../platform/temporal/task-queues.ts';
import { workflowIdOf } from '../../platform/temporal/workflow-id.ts';
import { nobody } from '../../platform/processes/own-process.ts';
import { releaseGone } from '../../platform/processes/release-gone.ts';
import { startGraceSeconds } from './slots.ts';
import type { AttemptAtMessage, SendMessagesWorkflow } from './types.ts';

/** The lane of a conversation: its queued messages, which an outbox or a workflow sends; ids are UUIDs. */
export type LaneRow = WorkRow & {
  contactId: string;
  channelId: string;
  /** Whether an outbox may take it. */
  ofOutbox?: boolean;
  /** Whether a process may have sent its first message, and not recorded that. */
  mayHaveBeenSent?: boolean;
  /** The process whose outbox has the lane until the workflow that is started records `unrecorded`. */
  from?: string;
  /** An outcome that this process could not record. */
  unrecorded?: AttemptAtMessage;
};

/** The columns of a `LaneRow`. */
const columns = (sql: Sql) => sql`id, account_id, contact_id, channel_id, resumes`;

/**
 * Lanes. An outbox sends the messages of each, and a workflow `sendMessages` those that follow a failed attempt. The row goes with the last of them.
 * `sender` says who has it: null for a workflow.
 */
export const laneWork: Work<LaneRow> = {
  kind: 'sending',
  table: 'sendings',
  columns,
  workflowId: (row) => workflowIdOf('sending', row),
  lane: ({ accountId, channelId }) => ({ accountId, key: channelId }),
  selectOverdue: (sql, { limit, beforeWorkflows }) => sql`
    select id from sendings where sweep_at <= now() ${beforeWorkflows ? sql`and sender is not null` : sql``}
    order by sweep_at limit ${limit} for update skip locked`,
  claimColumns: (sql) => sql`
    sender is not null as of_outbox, exists (
      select from outbound_messages o
      where o.conversation_id = sendings.conversation_id and o.status = 'queued' and o.attempt_since is not null) as may_have_been_sent`,
  // Whoever takes it next has it.
  lease: (sql) => sql`
    sender = case when sender is not null then ${nobody}::uuid end, sweep_at = clock_timestamp() + interval '20 seconds'`,
  releaseGone: (sql) => releaseGone(sql, 'sendings'),
  start: ({ id, resumes, from, unrecorded, ...row }) => {
    const accountId = showId('account', row.accountId);
    const contactId = showId('contact', row.contactId);
    const channelId = showId('channel', row.channelId);
    const input = {
      sendingId: showId('sending', id),
      resumes,
      ...(from && { from }),
      ...(unrecorded && { unrecorded }),
    };
    return startOf<SendMessagesWorkflow>('sendMessages', [input], {
      taskQueue: taskQueues.messages,
      priority: { fairnessKey: fairnessKeyOf(accountId, channelId) },
      staticSummary: `messages to ${contactId} over ${channelId}`,
      typedSearchAttributes: [
        { key: searchAttributes.accountId, value: accountId },
        { key: searchAttributes.contactId, value: contactId },
      ],
    });
  },
};

/** A lane that was opened, and is to be sent after the commit. */
export type NewLane = Pick<LaneRow, 'id' | 'resumes'>;

/**
 * SQL: opens the lane of a conversation, or tells whoever has it up to which message is queued. The conversation is locked; `queued` has its messages
 * that were written, and `fresh` their places. Answers a `NewLane` as JSON, null for a lane that was there.
 */
export const openLane = (
  sql: Sql,
  { accountId, contactId, channelId }: Pick<LaneRow, 'accountId' | 'contactId' | 'channelId'>,
): Fragment => sql`
  insert into sendings (account_id, conversation_id, contact_id, channel_id, sweep_at, sender, queued_to)
  select ${accountId}, queued.conversation_id, ${contactId}, ${channelId},
    clock_timestamp() + make_interval(secs => ${startGraceSeconds}), ${nobody}, max(fresh.seq)
  from queued join fresh on fresh.id = queued.message_id where queued.status = 'queued' group by queued.conversation_id
  on conflict (conversation_id) do update set queued_to = excluded.queued_to
  returning case when old.id is null then json_build_object('id', id, 'resumes', resumes) end as lane`;
