import type { Sql } from '../platform/db/connect.ts';

/**
 * SQL: the channel of the last inbound message of contact `c`, null for one that has never written. A contact that wrote to 0.2 alone has its
 * latest conversation's.
 */
export const sendingChannel = (sql: Sql) => sql`
  coalesce(c.last_channel_id, (select channel_id from conversations where contact_id = c.id order by id desc limit 1))`;

/** The same of the account's contact, a UUID; undefined also when the channel is deleted. */
export const findSendingChannel = async (
  sql: Sql,
  { accountId, contactId }: { accountId: string; contactId: string },
): Promise<string | undefined> => {
  const [row] = await sql<{ id: string }[]>`
    select ch.id from contacts c join channels ch on ch.id = ${sendingChannel(sql)} and ch.deleted_at is null
    where c.id = ${contactId} and c.account_id = ${accountId}`;
  return row?.id;
};
