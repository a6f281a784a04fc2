import type { Sql } from '../platform/db/connect.ts';
import type { Page } from '../platform/db/page.ts';
import type { MessageRow } from './schema.ts';
import { selectSentBy } from './sent-by.ts';

/** SQL: what a `MessageRow` has of message `m` and its sending side `o`, if it has one. */
export const messageColumns = (sql: Sql) => sql`
  m.id, m.contact_id, m.conversation_id, m.channel_id, m.direction, m.text, m.content ->> 'image_url' as image_url,
  coalesce(m.content -> 'quick_replies', '[]') as quick_replies, coalesce(m.content -> 'attachments', '[]') as attachments,
  o.status, o.reason, o.detail, o.status_code,
  o.attempts_made, o.next_attempt_at, o.client_ref, o.run_id, ${selectSentBy(sql)} as sent_by, o.read_at, m.routed_to, m.edited_at,
  m.sent_at as created_at, case when m.direction = 'inbound' then m.sent_at else o.sent_at end as sent_at,
  coalesce(greatest(m.revision, o.revision), 0)::float8 as revision`;

/** The account's message, or undefined; `id` is its UUID. */
export const findMessage = async (sql: Sql, accountId: string, id: string): Promise<MessageRow | undefined> => {
  const [row] = await sql<MessageRow[]>`
    select ${messageColumns(sql)} from messages m left join outbound_messages o on o.message_id = m.id
    where m.account_id = ${accountId} and m.id = ${id}`;
  return row;
};

/** The account's outbound message that its sender has given this name, or undefined. */
export const findMessageByRef = async (
  sql: Sql,
  accountId: string,
  clientRef: string,
): Promise<MessageRow | undefined> => {
  const [row] = await sql<MessageRow[]>`
    select ${messageColumns(sql)} from outbound_messages o join messages m on m.id = o.message_id
    where o.account_id = ${accountId} and o.client_ref = ${clientRef}`;
  return row;
};

/** A page of a contact's messages in both directions, newest first, conversation by conversation: there is no index by contact. */
export const listMessages = (sql: Sql, contactId: string, { limit, before }: Page): Promise<MessageRow[]> => sql<
  MessageRow[]
>`
  select ${messageColumns(sql)}
  from (
    select latest.* from conversations v cross join lateral (
      select * from messages where conversation_id = v.id ${before === undefined ? sql`` : sql`and id < ${before}`}
      order by id desc limit ${limit}) as latest
    where v.contact_id = ${contactId} order by latest.id desc limit ${limit}) as m
  left join outbound_messages o on o.message_id = m.id
  order by m.id desc`;

/** A page of a conversation's messages, newest first. */
export const listMessagesOf = (sql: Sql, conversationId: string, { limit, before }: Page): Promise<MessageRow[]> => sql<
  MessageRow[]
>`
  select ${messageColumns(sql)}
  from messages m left join outbound_messages o on o.message_id = m.id
  where m.conversation_id = ${conversationId} ${before === undefined ? sql`` : sql`and m.id < ${before}`}
  order by m.id desc limit ${limit}`;

/** Whether a contact's open conversation on a channel has `most` queued messages or more. */
export const isQueueFull = async (
  sql: Sql,
  { contactId, channelId, most }: { contactId: string; channelId: string; most: number },
): Promise<boolean> => {
  const { count } = await sql`
    select from conversations v join outbound_messages o on o.conversation_id = v.id and o.status = 'queued'
    where v.contact_id = ${contactId} and v.channel_id = ${channelId} and v.status = 'open' limit ${most}`;
  return count >= most;
};
