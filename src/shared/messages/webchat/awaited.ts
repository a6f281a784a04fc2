import type { Sql } from '../../platform/db/connect.ts';

/**
 * An agent has answered in a conversation: its visitor gets a mail unless they come back within the minutes of the channel, if it has such and their
 * address is proven. Visitors who wait already go on doing so. Ids are UUIDs.
 */
export const awaitVisitor = async (
  sql: Sql,
  { conversationId, messageId }: { conversationId: string; messageId: string },
): Promise<void> => {
  await sql`
    insert into visitor_waits (visitor_id, account_id, conversation_id, message_id, due_at)
    select v.id, t.account_id, t.id, ${messageId}, clock_timestamp() + make_interval(mins => (c.config ->> 'mail_after_minutes')::integer)
    from conversations t join channels c on c.id = t.channel_id
    join contact_identities i on i.contact_id = t.contact_id and i.channel_id = t.channel_id
    join webchat_visitors v on v.channel_id = i.channel_id and v.external_id = i.external_id
    where t.id = ${conversationId} and c.type = 'webchat' and c.config ->> 'mail_after_minutes' is not null
      and v.proven_email is not null and not v.wants_no_mail
    on conflict (visitor_id) do nothing`;
};

/**
 * The page to which a mail about an answer leads, and the channel, a UUID. Undefined once the answer waits no more for the visitor, or they want no
 * mails.
 */
export const findAwaited = async (
  sql: Sql,
  { visitorId, messageId }: { visitorId: string; messageId: string },
): Promise<{ channelId: string; page: string | null; origins: string[] } | undefined> => {
  const [awaited] = await sql<{ channelId: string; page: string | null; origins: string[] }[]>`
    select c.id as channel_id, v.page ->> 'url' as page, coalesce(c.config -> 'origins', '[]') as origins
    from visitor_waits w join webchat_visitors v on v.id = w.visitor_id join channels c on c.id = v.channel_id
    where w.visitor_id = ${visitorId} and w.message_id = ${messageId} and not v.wants_no_mail and v.proven_email is not null
      and c.deleted_at is null`;
  return awaited;
};

/** Ends the mails to a visitor, a UUID, until the site names another address of theirs. */
export const endMailsToVisitor = async (sql: Sql, visitorId: string): Promise<void> => {
  await sql`update webchat_visitors set wants_no_mail = true where id = ${visitorId}`;
};

/** A browser of the visitor, a UUID, is there: no answer waits any more. */
export const endWaitOfVisitor = async (sql: Sql, visitorId: string): Promise<void> => {
  await sql`delete from visitor_waits where visitor_id = ${visitorId}`;
};
