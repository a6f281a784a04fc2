import { shareAutomation, tryToShareAutomation } from '../../accounts/automation-lock.ts';
import { joinFirstRead, type ReadWithInsert } from '../../deliveries/first-read.ts';
import { insertOfDeliveries, type ReadsWithInsert, type Sent } from '../../deliveries/insert.ts';
import { insertOfEvents, type ToldEvent } from '../../facts/tell.ts';
import type { Fragment, Sql } from '../../platform/db/connect.ts';
import type { Incoming } from './message.ts';
import { isFree } from './read-messages.ts';

/** A message that nothing but deliveries follows, with all that is written of it. */
export type PreparedMessage = {
  incoming: Incoming;
  messageId: string;
  conversationId: string;
  event: ToldEvent;
  sent: Sent;
  /** Whether its account has published a flow. */
  besideFlows: boolean;
};

/** A message that was written: the revision of its conversation, and what the first attempts of its deliveries need. */
export type Written = ReadsWithInsert & { revision: number };

/**
 * Writes messages with their events and deliveries by one statement, and says which it wrote, at which revision of its conversation, and with what
 * first attempts need: not one that came in between, not one that something else than deliveries follows by now, and not one that an answer has
 * overtaken: it would stand before that, and be taken for read. Messages get their places, `seq`, in the order given, and revisions in the order of their
 * places. Unless it `waits`, the statement leaves out what meets a row that somebody else has locked.
 */
export const writeMessages = async (
  sql: Sql,
  messages: readonly PreparedMessage[],
  { waits }: { waits: boolean },
): Promise<(message: PreparedMessage) => Written | undefined> => {
  const beside = messages.filter(({ besideFlows }) => besideFlows);
  const without = messages.filter(({ besideFlows }) => !besideFlows);
  const held = [
    ...(without.length > 0 ? [heldWithoutFlows(sql, without, waits)] : []),
    ...(beside.length > 0 ? [heldBesideFlows(sql, beside, waits)] : []),
  ].reduce((one, other) => sql`${one} union all ${other}`);
  const events = messages.map(({ event }) => event);
  const sent = messages.map((message) => message.sent);
  const askedMs = performance.now();
  const rows = await sql<({ eventId: string; revision: number } & (ReadWithInsert | { id: null }))[]>`
    with locked as materialized (
      ${held}
    ), held as materialized (
      select * from locked where not is_overtaken(conversation_id, id)
    ), counted as (
      update conversations v set revision = v.revision + many.count
      from (select conversation_id, count(*) as count from held group by conversation_id) as many
      where v.id = many.conversation_id returning v.id, v.revision - many.count as before
    ), message as (
      ${insertOfMessages(
        sql,
        sql`
        select held.*, null::jsonb as content, counted.before + row_number() over (partition by conversation_id order by held.seq) as revision
        from held join counted on counted.id = held.conversation_id`,
      )}
      returning event_id, revision
    ), event as (
      ${insertOfEvents(sql, events)} where event.id in (select event_id from message)
    ), delivery as (
      ${insertOfDeliveries(sql, sent)} where delivery.event_id in (select event_id from message)
      returning id, event_id, webhook_id, created_at
    )
    select message.event_id, message.revision::float8 as revision, first_read.*
    from message left join delivery on delivery.event_id = message.event_id ${joinFirstRead(sql)}`;
  const revisions = new Map(rows.map(({ eventId, revision }) => [eventId, revision]));
  const byDelivery = new Map(rows.flatMap((row) => (row.id === null ? [] : [[row.id, row]])));
  return ({ event }) => {
    const revision = revisions.get(event.id);
    return revision === undefined ? undefined : { byDelivery, askedMs, revision };
  };
};

/** SQL: the insert of inbound messages that their channels have not got. It is in the order of their keys, so that no two statements wait for each other. */
export const insertOfMessages = (sql: Sql, messages: Fragment): Fragment => sql`
  insert into messages (id, account_id, conversation_id, contact_id, channel_id, direction, text, content, external_id, event_id, sent_at, seq,
    routed_to, revision)
  select id, account_id, conversation_id, contact_id, channel_id, 'inbound', text, content, external_id, event_id, sent_at, seq, routed_to, revision
  from (${messages}) as message order by channel_id, external_id
  on conflict (channel_id, external_id) where direction = 'inbound' do nothing`;

/** SQL: messages as a table, `given`. */
const tableOf = (sql: Sql, messages: readonly PreparedMessage[]): Fragment => sql`
  unnest(
    ${messages.map(({ messageId }) => messageId)}::uuid[], ${messages.map(({ incoming }) => incoming.accountId)}::uuid[],
    ${messages.map(({ conversationId }) => conversationId)}::uuid[], ${messages.map(({ event }) => event.contactId)}::uuid[],
    ${messages.map(({ incoming }) => incoming.channelId)}::uuid[], ${messages.map(({ incoming }) => incoming.message.text)}::text[],
    ${messages.map(({ incoming }) => incoming.message.message_id)}::text[], ${messages.map(({ event }) => event.id)}::uuid[],
    ${messages.map(({ event }) => event.occurredAt.toISOString())}::timestamptz[]
  ) as given (id, account_id, conversation_id, contact_id, channel_id, text, external_id, event_id, sent_at)`;

/**
 * SQL: those of accounts that have published no flow, while their conversations are open. The first publish waits for the lock, or has it first:
 * locking the account's row afterwards reads what that publish has committed meanwhile. So it is with who closes the conversation.
 */
const heldWithoutFlows = (sql: Sql, messages: readonly PreparedMessage[], waits: boolean): Fragment => sql`
  select given.*, nextval('messages_seq') as seq, null::jsonb as routed_to
  from (
    select * from ${tableOf(sql, messages)} where ${
      waits
        ? sql`${shareAutomation(sql, sql`given.account_id`)} is not null`
        : tryToShareAutomation(sql, sql`given.account_id`)
    } offset 0
  ) as given cross join lateral (
    select from accounts where id = given.account_id and not automated for key share ${unlessLocked(sql, waits)}
  ) as account ${openConversation(sql, waits)}`;

/**
 * SQL: those beside live flows, while automation still has nothing to do with their contacts. The contact's lock orders messages and runs: it is
 * granted with the row as its last holder has left it, and the message gets its place, `seq`, after that.
 */
const heldBesideFlows = (sql: Sql, messages: readonly PreparedMessage[], waits: boolean): Fragment => sql`
  select given.*, nextval('messages_seq') as seq, ${sql.json({ to: 'nobody', because: 'no_trigger' })}::jsonb as routed_to
  from ${tableOf(sql, messages)} cross join lateral (
    select from contacts c where id = given.contact_id and ${isFree(sql)} for no key update ${unlessLocked(sql, waits)}
  ) as contact ${openConversation(sql, waits)}`;

/** SQL: joins the message's conversation, locked, while it is open. */
const openConversation = (sql: Sql, waits: boolean): Fragment => sql`
  cross join lateral (
    select from conversations where id = given.conversation_id and status = 'open' for no key update ${unlessLocked(sql, waits)}
  ) as conversation`;

/** SQL: whether a row that somebody else has locked is waited for, or left out. */
const unlessLocked = (sql: Sql, waits: boolean): Fragment => (waits ? sql`` : sql`skip locked`);
