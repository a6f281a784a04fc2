import { closeConversation } from '../../../src/shared/messages/conversations/close.ts';
import type { EventTransact } from '../../../src/shared/facts/tell.ts';
import type { Sql } from '../../../src/shared/platform/db/connect.ts';

// States of contacts, conversations and messages that no writer of the product makes, and why tests need them.

/** Closes all conversations of an account. */
export const closeConversations = async (
  { db, transact }: { db: Sql; transact: EventTransact },
  accountId: string,
): Promise<void> => {
  const all = await db<{ id: string }[]>`select id from conversations where account_id = ${accountId}`;
  for (const { id } of all) await transact((tx) => closeConversation(tx, { accountId, id }));
};

/**
 * As many contacts of an account as a planner takes for many, each with an open and a closed conversation and messages in both: by the API they
 * would take long. Answers the UUID of one of the contacts.
 */
export const haveManyConversations = async (
  sql: Sql,
  accountId: string,
  { contacts, messages }: { contacts: number; messages: number } = { contacts: 2_000, messages: 5 },
): Promise<string> => {
  const [first] = await sql<{ id: string }[]>`
    with channel as (
      insert into channels (account_id, type, name) values (${accountId}, 'api', 'Shop') returning id
    ), added as (
      insert into contacts (account_id) select ${accountId} from generate_series(1, ${contacts}) returning id
    ), talks as (
      insert into conversations (account_id, contact_id, channel_id, status)
      select ${accountId}, added.id, channel.id, status from added, channel, unnest('{open,closed}'::text[]) as status
      returning id, contact_id, channel_id
    ), said as (
      insert into messages (account_id, conversation_id, contact_id, channel_id, direction, text, external_id, revision)
      select ${accountId}, talks.id, contact_id, channel_id, 'inbound', 'Hello', gen_random_uuid()::text, 0 from talks, generate_series(1, ${messages})
    )
    select id from added`;
  await sql`analyze conversations, messages, contacts`;
  return first?.id ?? '';
};

/** So many newer messages in each closed conversation of an account, ten a statement: a busy machine still does each within its deadline. */
export const sayMuchInClosed = async (sql: Sql, accountId: string, times: number): Promise<void> => {
  for (let said = 0; said < times; said += 10)
    await sql`
      insert into messages (account_id, conversation_id, contact_id, channel_id, direction, text, external_id, revision)
      select account_id, id, contact_id, channel_id, 'inbound', 'Again', gen_random_uuid()::text, 0
      from conversations, generate_series(1, ${Math.min(10, times - said)}) where account_id = ${accountId} and status = 'closed'`;
  await sql`vacuum analyze conversations, messages, contacts`;
};

/** Gives each of these contacts a name, and each of their messages a text, that no other has: a page shows them as soon as it has them. */
export const tellConversationsApart = async (sql: Sql, accountId: string): Promise<void> => {
  await sql`update contacts set first_name = 'Ada', last_name = left(id::text, 13) where account_id = ${accountId}`;
  await sql`update messages set text = 'Message ' || id where account_id = ${accountId}`;
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

/** What STOP and an agent's block will write. */
export const setContactStatus = async (
  sql: Sql,
  contactId: string,
  status: 'active' | 'unsubscribed' | 'blocked',
): Promise<void> => {
  await sql`update contacts set status = ${status} where id = ${contactId}`;
};

/** A contact whose messages version 0.2 has received: it did not keep their channel with the contact. */
export const forgetLastChannel = async (sql: Sql, contactId: string): Promise<void> => {
  await sql`update contacts set last_channel_id = null where id = ${contactId}`;
};

/** As many more messages in the queue of this one: by the API they would take long. */
export const queueMany = async (sql: Sql, messageId: string, count: number): Promise<void> => {
  await sql`
    with more as (
      insert into messages (account_id, conversation_id, contact_id, channel_id, direction, text, revision)
      select account_id, conversation_id, contact_id, channel_id, direction, text, 0 from messages, generate_series(1, ${count})
      where id = ${messageId} returning id, account_id, conversation_id, seq)
    insert into outbound_messages (message_id, account_id, conversation_id, seq)
    select id, account_id, conversation_id, seq from more`;
};

/** As many new contacts with this tag: by the API they would take long. */
export const tagManyContacts = async (sql: Sql, tagId: string, count: number): Promise<void> => {
  await sql`
    with added as (
      insert into contacts (account_id) select account_id from tags, generate_series(1, ${count}) where id = ${tagId} returning id)
    insert into contact_tags (contact_id, tag_id) select id, ${tagId} from added`;
};

/** Custom fields as version 0.2 has written them, also by a key that is reserved now: it defined none. */
export const setUndefinedFields = async (
  sql: Sql,
  contactId: string,
  fields: Record<string, string>,
): Promise<void> => {
  await sql`update contacts set custom_fields = custom_fields || ${sql.json(fields)} where id = ${contactId}`;
};

/** As many notes on a conversation: by the API they would take long. */
export const writeManyNotes = async (sql: Sql, conversationId: string, count: number): Promise<void> => {
  await sql`
    insert into conversation_notes (account_id, conversation_id, text, revision)
    select account_id, id, 'A note', 0 from conversations, generate_series(1, ${count}) where id = ${conversationId}`;
};

/** So many channels on which nobody has written, in one statement: each would take its turn. */
export const haveManyChannels = async (sql: Sql, accountId: string, count: number): Promise<void> => {
  await sql`
    insert into channels (account_id, type, name) select ${accountId}, 'api', 'Shop' from generate_series(1, ${count}::int)`;
};

/** As many drafts of a user, each in a conversation of its own that is closed: by the API they would take long. */
export const haveManyDrafts = async (sql: Sql, userId: string, count: number): Promise<void> => {
  await sql`
    with one as (
      select v.account_id, v.contact_id, v.channel_id from conversations v join users u on u.account_id = v.account_id
      where u.id = ${userId} limit 1
    ), more as (
      insert into conversations (account_id, contact_id, channel_id, status, closed_at)
      select account_id, contact_id, channel_id, 'closed', now() from one, generate_series(1, ${count}) returning id
    )
    insert into conversation_drafts (user_id, conversation_id, kind, text) select ${userId}, id, 'reply', 'A draft' from more`;
};

/** As many canned replies of an account: by the API they would take long. */
export const haveManyCannedReplies = async (sql: Sql, accountId: string, count: number): Promise<void> => {
  await sql`
    insert into canned_replies (account_id, shortcut, text)
    select ${accountId}, 'reply-' || number, 'Thank you!' from generate_series(1, ${count}::int) as number`;
};

/** A conversation whose snooze is over: nobody can snooze one for less than a moment. */
export const letSnoozesLapse = async (sql: Sql, conversationId: string): Promise<void> => {
  await sql`update conversations set snoozed_until = now() where id = ${conversationId} and snoozed_until is not null`;
};

/** Lets minutes pass for all waits for an agent's look. */
export const letWaitsPass = async (sql: Sql, minutes: number): Promise<void> => {
  await sql`update unseen_waits set since = since - make_interval(mins => ${minutes}), due_at = due_at - make_interval(mins => ${minutes})`;
};

/** Every wait for an agent's look is due now, as when a process looks late. */
export const letWaitsBeDue = async (sql: Sql): Promise<void> => {
  await sql`update unseen_waits set due_at = clock_timestamp()`;
};

/** Lets minutes pass for all visitors who left before an answer. */
export const letVisitorsWait = async (sql: Sql, minutes: number): Promise<void> => {
  await sql`update visitor_waits set due_at = due_at - make_interval(mins => ${minutes})`;
};
