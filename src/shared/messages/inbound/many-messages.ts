import { tryToShareAutomation } from '../../accounts/automation-lock.ts';
import { selectHandoverWords } from '../../accounts/handover-settings.ts';
import { insertOfManyDeliveries } from '../../deliveries/insert.ts';
import { insertOfEvents } from '../../events/emit.ts';
import { triggersOfMessages } from '../../flows/definition/triggers.ts';
import { selectTriggers } from '../../flows/live-triggers.ts';
import type { Fragment, Sql } from '../../platform/db/connect.ts';
import { readWebhooks, type SubscribersRead } from '../../webhooks/subscribers.ts';
import type { Incoming } from './receive-message.ts';
import { isFree, toNobody, type Met, type Usual } from './usual-message.ts';

// As `usual-message.ts`, for many messages in one statement, which waits for no row that somebody else has locked. For a single message it takes
// half as long again.

/**
 * Reads what messages meet, by one statement that locks nothing. A message whose channel the account does not have meets nothing. All look-ups are
 * lateral with a limit: each goes by its index, however small the tables were when the plan was made.
 */
export const readMetOfMany = async (
  sql: Sql,
  messages: readonly Incoming[],
): Promise<(message: Incoming) => Met | undefined> => {
  const rows = await sql<(Met & { place: string; webhooks: SubscribersRead; newIds: string[] })[]>`
    with given as materialized (
      select * from unnest(
        ${messages.map(({ accountId }) => accountId)}::uuid[], ${messages.map(({ channelId }) => channelId)}::uuid[],
        ${messages.map(({ message }) => message.message_id)}::text[],
        ${messages.map(({ message }) => message.sender.external_id)}::text[]
      ) with ordinality as given (account_id, channel_id, message_id, sender, place)
    ), account as materialized (
      select account_id, (${readWebhooks(sql, sql`given.account_id`)}) as webhooks,
        (${selectTriggers(sql, sql`given.account_id`, triggersOfMessages)}) as triggers,
        (${selectHandoverWords(sql, sql`given.account_id`)}) as words
      from (select distinct account_id from given) as given
    )
    select place, channel.type as channel, known.found as known, sender.contact_id, conversation.id as conversation_id,
      contact.is_free, contact.is_last_channel, account.webhooks, account.triggers, account.words,
      (select coalesce(json_agg(uuidv7()), '[]') from json_array_elements(account.webhooks -> 'newIds')) as new_ids,
      uuidv7() as message_id, uuidv7() as event_id, clock_timestamp() as sent_at
    from given join account using (account_id)
    cross join lateral (
      select id, type from channels where id = given.channel_id and account_id = given.account_id limit 1
    ) as channel
    left join lateral (
      select json_build_object('messageId', id, 'contactId', contact_id, 'eventId', event_id) as found from messages
      where channel_id = channel.id and external_id = given.message_id and direction = 'inbound' limit 1
    ) as known on true
    left join lateral (
      select contact_id from contact_identities where channel_id = channel.id and external_id = given.sender limit 1
    ) as sender on true
    left join lateral (
      select id from conversations where contact_id = sender.contact_id and channel_id = channel.id and status = 'open' limit 1
    ) as conversation on true
    left join lateral (
      select ${isFree(sql)} as is_free, (last_channel, last_channel_id) is not distinct from (channel.type, channel.id) as is_last_channel
      from contacts c where id = sender.contact_id limit 1
    ) as contact on true`;
  const byMessage = new Map<Incoming, Met>();
  for (const { place, webhooks, newIds, ...met } of rows) {
    const message = messages[Number(place) - 1];
    if (message) byMessage.set(message, { ...met, subscribers: { ...webhooks, newIds } });
  }
  return (message) => byMessage.get(message);
};

/**
 * Writes messages with their events and deliveries, and says which it wrote: not one that came in between, is no usual one any more, or meets what
 * somebody else has locked. Messages get their places, `seq`, in the order given. They are inserted in that of their keys, so that no two
 * statements wait for each other.
 */
export const writeMany = async (sql: Sql, messages: readonly Usual[]): Promise<(message: Usual) => boolean> => {
  const beside = messages.filter(({ besideFlows }) => besideFlows);
  const without = messages.filter(({ besideFlows }) => !besideFlows);
  const usual = [
    ...(without.length > 0 ? [manyWithoutFlows(sql, without)] : []),
    ...(beside.length > 0 ? [manyBesideFlows(sql, beside)] : []),
  ].reduce((one, other) => sql`${one} union all ${other}`);
  const events = messages.map(({ event }) => event);
  const sent = messages.map((message) => message.sent);
  const written = await sql<{ eventId: string }[]>`
    with message as (
      insert into messages (id, account_id, conversation_id, contact_id, channel_id, direction, text, external_id, event_id, sent_at, seq, routed_to)
      select id, account_id, conversation_id, contact_id, channel_id, 'inbound', text, external_id, event_id, sent_at, seq, routed_to
      from (${usual}) as usual order by channel_id, external_id
      on conflict (channel_id, external_id) where direction = 'inbound' do nothing
      returning event_id
    ), event as (
      ${insertOfEvents(sql, events)} where event.id in (select event_id from message)
    ), delivery as (
      ${insertOfManyDeliveries(sql, sent)} where delivery.event_id in (select event_id from message)
    )
    select event_id from message`;
  const ids = new Set(written.map(({ eventId }) => eventId));
  return ({ event }) => ids.has(event.id);
};

/** SQL: messages as a table, `given`. */
const tableOf = (sql: Sql, messages: readonly Usual[]): Fragment => sql`
  unnest(
    ${messages.map(({ messageId }) => messageId)}::uuid[], ${messages.map(({ incoming }) => incoming.accountId)}::uuid[],
    ${messages.map(({ conversationId }) => conversationId)}::uuid[], ${messages.map(({ event }) => event.contactId)}::uuid[],
    ${messages.map(({ incoming }) => incoming.channelId)}::uuid[], ${messages.map(({ incoming }) => incoming.message.text)}::text[],
    ${messages.map(({ incoming }) => incoming.message.message_id)}::text[], ${messages.map(({ event }) => event.id)}::uuid[],
    ${messages.map(({ event }) => event.occurredAt.toISOString())}::timestamptz[]
  ) as given (id, account_id, conversation_id, contact_id, channel_id, text, external_id, event_id, sent_at)`;

/** SQL: those of accounts that have published no flow, while their conversations are open (see `usualWithoutFlows`). */
const manyWithoutFlows = (sql: Sql, messages: readonly Usual[]): Fragment => sql`
  select given.*, nextval('messages_seq') as seq, null::jsonb as routed_to
  from (
    select * from ${tableOf(sql, messages)} where ${tryToShareAutomation(sql, sql`given.account_id`)} offset 0
  ) as given cross join lateral (
    select from accounts where id = given.account_id and not automated for key share skip locked
  ) as account ${openConversation(sql)}`;

/** SQL: those beside live flows, while automation still has nothing to do with their contacts (see `usualBesideFlows`). */
const manyBesideFlows = (sql: Sql, messages: readonly Usual[]): Fragment => sql`
  select given.*, nextval('messages_seq') as seq, ${toNobody(sql)} as routed_to
  from ${tableOf(sql, messages)} cross join lateral (
    select from contacts c where id = given.contact_id and ${isFree(sql)} for no key update skip locked
  ) as contact ${openConversation(sql)}`;

/** SQL: joins the message's conversation, locked, while it is open. */
const openConversation = (sql: Sql): Fragment => sql`
  cross join lateral (
    select from conversations where id = given.conversation_id and status = 'open' for key share skip locked
  ) as conversation`;
