import type { Fragment, Sql } from '../../platform/db/connect.ts';
import type { Incoming } from './message.ts';

/** SQL: messages as a table, `given`, by what they are looked up; `place` is from 1, in their order. */
export const givenMessages = (sql: Sql, messages: readonly Incoming[]): Fragment => {
  const [first, ...others] = messages;
  return first && others.length === 0 ? givenMessage(sql, first) : manyGiven(sql, messages);
};

/** PostgreSQL takes an array that it does not know yet for ten rows, and would plan the statement anew each time, which takes longer than to run it. */
const givenMessage = (sql: Sql, { accountId, channelId, message }: Incoming): Fragment => sql`
  given as materialized (
    select ${accountId}::uuid as account_id, ${channelId}::uuid as channel_id, ${message.message_id}::text as message_id,
      ${message.sender.external_id}::text as sender, 1::bigint as place
  )`;

const manyGiven = (sql: Sql, messages: readonly Incoming[]): Fragment => sql`
  given as materialized (
    select * from unnest(
      ${messages.map(({ accountId }) => accountId)}::uuid[], ${messages.map(({ channelId }) => channelId)}::uuid[],
      ${messages.map(({ message }) => message.message_id)}::text[],
      ${messages.map(({ message }) => message.sender.external_id)}::text[]
    ) with ordinality as given (account_id, channel_id, message_id, sender, place)
  )`;

/**
 * SQL: looks up, for each message of `given`, its `channel`, the same message if it is `known`, its `sender`, and the open `conversation`. A
 * message whose channel the account does not have is no row. All look-ups are lateral with a limit: each goes by its index, however small the
 * tables were when the plan was made.
 */
export const lookUpGiven = (sql: Sql): Fragment => sql`
  given cross join lateral (
    select id, type from channels where id = given.channel_id and account_id = given.account_id and deleted_at is null limit 1
  ) as channel left join lateral (
    select json_build_object('messageId', id, 'contactId', contact_id, 'eventId', event_id) as message from messages
    where channel_id = channel.id and external_id = given.message_id and direction = 'inbound' limit 1
  ) as known on true left join lateral (
    select contact_id, blocked_at is not null as has_blocked from contact_identities
    where channel_id = channel.id and external_id = given.sender limit 1
  ) as sender on true left join lateral (
    select id from conversations where contact_id = sender.contact_id and channel_id = channel.id and status = 'open' limit 1
  ) as conversation on true`;
