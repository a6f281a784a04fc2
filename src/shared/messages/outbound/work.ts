import { showId } from '../../ids.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { startOf, type Work, type WorkRow } from '../../platform/dispatch/work.ts';
import { fairnessKeyOf } from '../../platform/temporal/fairness.ts';
import { searchAttributes } from '../../platform/temporal/search-attributes.ts';
import { taskQueues } from '../../platform/temporal/task-queues.ts';
import { workflowIdOf } from '../../platform/temporal/workflow-id.ts';
import type { SendMessagesWorkflow } from './types.ts';

/** The lane of a conversation: its queued messages, which a workflow sends; ids are UUIDs. */
export type LaneRow = WorkRow & { contactId: string; channelId: string };

/** The columns of a `LaneRow`. */
const columns = (sql: Sql) => sql`id, account_id, contact_id, channel_id, resumes`;

/** Lanes. Each is carried by a workflow `sendMessages` as long as messages are queued in it. The row goes with the last of them. */
export const laneWork: Work<LaneRow> = {
  kind: 'sending',
  table: 'sendings',
  columns,
  workflowId: (row) => workflowIdOf('sending', row),
  lane: ({ accountId, channelId }) => ({ accountId, key: channelId }),
  start: ({ id, resumes, ...row }) => {
    const accountId = showId('account', row.accountId);
    const contactId = showId('contact', row.contactId);
    const channelId = showId('channel', row.channelId);
    return startOf<SendMessagesWorkflow>('sendMessages', [{ sendingId: showId('sending', id), resumes }], {
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

/** The sweep looks after a lane that is not finished after this long, in seconds: longer than a start and a first attempt take. */
const startGraceSeconds = 15;

/** Opens the lane of a conversation, unless it is open. The conversation is locked. Answers the row whose workflow is to be started. */
export const openLane = async (
  sql: Sql,
  { accountId, conversationId, contactId, channelId }: Omit<LaneRow, 'id' | 'resumes'> & { conversationId: string },
): Promise<LaneRow | undefined> => {
  const [row] = await sql<LaneRow[]>`
    insert into sendings (account_id, conversation_id, contact_id, channel_id, sweep_at)
    values (${accountId}, ${conversationId}, ${contactId}, ${channelId}, clock_timestamp() + make_interval(secs => ${startGraceSeconds}))
    on conflict (conversation_id) do nothing returning ${columns(sql)}`;
  return row;
};
