import type { Sql } from '../../../src/shared/platform/db/connect.ts';

// States of contacts, conversations and messages that no writer of the product makes, and why tests need them.

/** Nothing closes a conversation yet; a message that comes after that opens another. */
export const closeConversations = async (sql: Sql, accountId: string): Promise<void> => {
  await sql`update conversations set status = 'closed', closed_at = now() where account_id = ${accountId}`;
};

/** Messages as version 0.2 has received them: it did not keep their event. */
export const forgetEventsOfMessages = async (sql: Sql): Promise<void> => {
  await sql`update messages set event_id = null`;
};

/** An open conversation on a channel of this type: nothing makes another type than `api` yet. Answers its UUID. */
export const aConversation = async (
  sql: Sql,
  { accountId, contactId, channel }: { accountId: string; contactId: string; channel: string },
): Promise<string> => {
  const [conversation] = await sql<[{ id: string }]>`
    with channel as (
      insert into channels (account_id, type, name) values (${accountId}, ${channel}, 'A channel') returning id)
    insert into conversations (account_id, contact_id, channel_id) select ${accountId}, ${contactId}, id from channel
    returning id`;
  return conversation.id;
};

/** A contact that was last heard on a channel of this type: there is none but `api` yet. */
export const setLastChannel = async (sql: Sql, contactId: string, channel: string): Promise<void> => {
  await sql`update contacts set last_channel = ${channel} where id = ${contactId}`;
};
