import type { Sql } from '../../../src/shared/platform/db/connect.ts';

// States of sendings and outbound messages that only time makes.

/** The sweep looks at this conversation's sending now, or should have so many seconds ago. */
export const makeSendingOverdue = async (
  sql: Sql,
  { contactId, channelId }: { contactId: string; channelId: string },
  { seconds = 0 }: { seconds?: number } = {},
): Promise<void> => {
  await sql`
    update sendings set sweep_at = now() - make_interval(secs => ${seconds}) where contact_id = ${contactId} and channel_id = ${channelId}`;
};

/** The message was queued so many seconds earlier than it was. */
export const queueEarlier = async (sql: Sql, messageId: string, seconds: number): Promise<void> => {
  await sql`
    update outbound_messages set queued_at = queued_at - make_interval(secs => ${seconds}) where message_id = ${messageId}`;
};

/** Another process has the lane of this message, or none; so many seconds of its lease are left. */
export const handLaneTo = async (
  sql: Sql,
  messageId: string,
  { sender, seconds }: { sender: string; seconds: number },
): Promise<void> => {
  await sql`
    update sendings set sender = ${sender}, sweep_at = clock_timestamp() + make_interval(secs => ${seconds})
    where conversation_id = (select conversation_id from messages where id = ${messageId})`;
};

/** A process has begun an attempt at the message, and is gone. */
export const markAttempt = async (sql: Sql, messageId: string): Promise<void> => {
  await sql`update outbound_messages set attempt_since = clock_timestamp() where message_id = ${messageId}`;
};

/** The pause that the service of a channel has asked for is over. */
export const endPause = async (sql: Sql, channelId: string): Promise<void> => {
  await sql`update channels set paused_until = clock_timestamp() where id = ${channelId}`;
};

/** The message is one of a flow's run, which is gone. */
export const makeItOfFlow = async (sql: Sql, messageId: string): Promise<void> => {
  await sql`update outbound_messages set run_id = uuidv7(), run_step = 1, position = 1 where message_id = ${messageId}`;
};
