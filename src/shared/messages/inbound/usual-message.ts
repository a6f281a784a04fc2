import { shareAutomation, tryToShareAutomation } from '../../accounts/automation-lock.ts';
import { selectHandoverWords } from '../../accounts/handover-settings.ts';
import { insertOfDeliveries, type Sent } from '../../deliveries/insert.ts';
import { insertOfEvent, type EmittedEvent } from '../../events/emit.ts';
import { triggersOfMessages } from '../../flows/definition/triggers.ts';
import { selectTriggers, type LiveTrigger } from '../../flows/live-triggers.ts';
import type { Fragment, Sql } from '../../platform/db/connect.ts';
import { readSubscribers, type SubscribersRead } from '../../webhooks/subscribers.ts';
import { metBy, type Incoming } from './receive-message.ts';

/** What a message meets. */
export type Met = {
  channel: string;
  /** The same message from before. */
  known: { messageId: string; contactId: string; eventId: string | null } | null;
  /** The sender's, and its open conversation. */
  contactId: string | null;
  conversationId: string | null;
  /** Whether the sender's contact need not be told that it writes here. */
  isLastChannel: boolean | null;
  /** Whether automation may talk to the sender's contact, and no run has the conversation. */
  isFree: boolean | null;
  /** Null for an account that has never published a flow. */
  triggers: readonly LiveTrigger[] | null;
  /** By which contacts ask for a person; null where there are none. */
  words: readonly string[] | null;
  subscribers: SubscribersRead;
  /** New ids and the time, by the database's clock. */
  messageId: string;
  eventId: string;
  sentAt: Date;
};

/** Reads what a message meets, and locks nothing. Undefined where the account has no such channel. */
export const readMet = async (sql: Sql, incoming: Incoming): Promise<Met | undefined> => {
  const { accountId } = incoming;
  const [met] = await sql<Met[]>`
    with ${metBy(sql, incoming)}
    select channel.type as channel, sender.contact_id, sender.conversation_id, ${isFree(sql)} as is_free,
      (c.last_channel, c.last_channel_id) is not distinct from (channel.type, channel.id) as is_last_channel,
      (select json_build_object('messageId', id, 'contactId', contact_id, 'eventId', event_id) from known) as known,
      (${readSubscribers(sql, accountId)}) as subscribers, (${selectTriggers(sql, accountId, triggersOfMessages)}) as triggers,
      (${selectHandoverWords(sql, accountId)}) as words,
      uuidv7() as message_id, uuidv7() as event_id, clock_timestamp() as sent_at
    from channel left join sender on true left join contacts c on c.id = sender.contact_id`;
  return met;
};

/** SQL: whether automation may talk to a contact `c`, and no run has the conversation. */
export const isFree = (sql: Sql) => sql`
  (c.status = 'active' and c.foreground_run_id is null and c.handover_id is null and coalesce(c.automation_paused_until <= clock_timestamp(), true))`;

/** A message that nothing but deliveries follows, as `readMet` has found it. */
export type Usual = {
  incoming: Incoming;
  messageId: string;
  conversationId: string;
  event: EmittedEvent;
  sent: Sent;
  /** Whether its account has published a flow. */
  besideFlows: boolean;
};

/** SQL: why nobody got a message beside flows. */
export const toNobody = (sql: Sql): Fragment => sql`${sql.json({ to: 'nobody', because: 'no_trigger' })}::jsonb`;

/**
 * Writes a message with its event and deliveries, and says whether it did: not when the same message came in between, or what makes it another than
 * the usual one. Where it does not wait, it does not write either what somebody else has locked.
 */
export const writeUsual = async (sql: Sql, usual: Usual, { waits }: { waits: boolean }): Promise<boolean> => {
  const { incoming, messageId, conversationId, event, sent, besideFlows } = usual;
  const { accountId, channelId, message } = incoming;
  const [written] = await sql<[{ isWritten: boolean }]>`
    with ${besideFlows ? usualBesideFlows(sql, usual, waits) : usualWithoutFlows(sql, usual, waits)}, message as (
      insert into messages (id, account_id, conversation_id, contact_id, channel_id, direction, text, external_id, event_id, sent_at, routed_to)
      select ${messageId}, ${accountId}, ${conversationId}, ${event.contactId}, ${channelId}, 'inbound', ${message.text},
        ${message.message_id}, ${event.id}, ${event.occurredAt}, ${besideFlows ? toNobody(sql) : null} from usual
      on conflict (channel_id, external_id) where direction = 'inbound' do nothing
      returning id
    ), event as (
      ${insertOfEvent(sql, event, event)} where exists (select from message)
    ), delivery as (
      ${insertOfDeliveries(sql, sent.told, sent.deliveries)} where exists (select from message)
    )
    select exists (select from message) as is_written`;
  return written.isWritten;
};

/**
 * SQL: one row, `usual`, while the conversation is open and the account has published no flow. The first publish waits for the lock, or has it
 * first: locking the account's row afterwards reads what that publish has committed meanwhile. So it is with who closes the conversation.
 */
const usualWithoutFlows = (
  sql: Sql,
  { incoming: { accountId }, conversationId }: Usual,
  waits: boolean,
): Fragment => sql`
  shared as materialized (
    ${waits ? sql`select ${shareAutomation(sql, accountId)}` : sql`select where ${tryToShareAutomation(sql, accountId)}`}
  ), usual as materialized (
    select from shared, conversations v join accounts a on a.id = v.account_id
    where v.id = ${conversationId} and v.status = 'open' and a.id = ${accountId} and not a.automated
    for key share of a, v ${unlessLocked(sql, waits)}
  )`;

/**
 * SQL: the same beside live flows, while automation still has nothing to do with the contact. The contact's lock orders messages and runs: it
 * is granted with the row as its last holder has left it, and the message gets its place, `seq`, after that.
 */
const usualBesideFlows = (sql: Sql, { event: { contactId }, conversationId }: Usual, waits: boolean): Fragment => sql`
  usual as materialized (
    select from contacts c join conversations v on v.contact_id = c.id
    where c.id = ${contactId} and ${isFree(sql)} and v.id = ${conversationId} and v.status = 'open'
    for no key update of c ${unlessLocked(sql, waits)} for key share of v ${unlessLocked(sql, waits)}
  )`;

/** SQL: whether a row that somebody else has locked is waited for, or left out. */
const unlessLocked = (sql: Sql, waits: boolean): Fragment => (waits ? sql`` : sql`skip locked`);
