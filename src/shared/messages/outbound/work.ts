import { showId } from '../../ids.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { startOf, type Work, type WorkRow } from '../../platform/dispatch/work.ts';
import { fairnessKeyOf } from '../../platform/temporal/fairness.ts';
import { searchAttributes } from '../../platform/temporal/search-attributes.ts';
import { taskQueues } from '../../platform/temporal/task-queues.ts';
import { workflowIdOf } from '../../platform/temporal/workflow-id.ts';
import type { SendMessagesWorkflow } from './types.ts';

/** A conversation whose queued messages a workflow shall send; ids are UUIDs. */
export type SendingWorkRow = WorkRow & { contactId: string; channelId: string };

/** The columns of a `SendingWorkRow`. */
const columns = (sql: Sql) => sql`id, account_id, contact_id, channel_id, resumes`;

/** The messages of a conversation, carried by a workflow `sendMessages` as long as some are queued. The row goes with the last of them. */
export const sendingWork: Work<SendingWorkRow> = {
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

/** The sweep looks after a sending that is not finished after this long, in seconds: longer than a start and a first attempt take. */
const startGraceSeconds = 15;

/** Opens the sending of a conversation, unless it is open. The conversation is locked. Answers the row whose workflow is to be started. */
export const openSending = async (
  sql: Sql,
  {
    accountId,
    conversationId,
    contactId,
    channelId,
  }: Omit<SendingWorkRow, 'id' | 'resumes'> & { conversationId: string },
): Promise<SendingWorkRow | undefined> => {
  const [row] = await sql<SendingWorkRow[]>`
    insert into sendings (account_id, conversation_id, contact_id, channel_id, sweep_at)
    values (${accountId}, ${conversationId}, ${contactId}, ${channelId}, clock_timestamp() + make_interval(secs => ${startGraceSeconds}))
    on conflict (conversation_id) do nothing returning ${columns(sql)}`;
  return row;
};
