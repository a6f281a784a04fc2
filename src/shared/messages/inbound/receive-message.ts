import { shareAutomation } from '../../accounts/automation-lock.ts';
import type { InboundMessage } from '../channels/schema.ts';
import { pickFields } from '../../custom-fields/take-fields.ts';
import type { FieldValue } from '../../custom-fields/values.ts';
import type { Fragment, Sql } from '../../platform/db/connect.ts';
import { notFound, type Problem } from '../../errors.ts';
import { emitEvent, type EventTransaction } from '../../events/emit.ts';
import { showId } from '../../ids.ts';

/** An inbound message of a channel of the account; ids are UUIDs. */
export type Incoming = { accountId: string; channelId: string; message: InboundMessage };

/**
 * The message as it is stored. `duplicate`: the channel had it before. `eventId` is null for a message that 0.2 received. `skipped`: what was
 * wrong with fields of the sender.
 */
export type Received = {
  messageId: string;
  contactId: string;
  eventId: string | null;
  duplicate: boolean;
  skipped: readonly Problem[];
};

/** The most tries. Each sees what concurrent messages have committed, so a third is needed only when others keep interfering. */
const maxTries = 5;

/**
 * Records a message that a contact sent, and emits new_message. A new sender becomes a contact first, with new_contact. A conversation is
 * opened when none is open. The same message again changes nothing and is answered as before. Throws `not_found` when the account has no such
 * channel.
 */
export const receiveMessage = async (tx: EventTransaction, incoming: Incoming): Promise<Received> => {
  const { accountId } = incoming;
  const cause = { ...(tx.cause ?? { depth: 0 }), isMessage: true };
  const { sender } = incoming.message;
  let skipped: readonly Problem[] = sender.skipped ?? [];
  for (let tries = 0; tries < maxTries; tries += 1) {
    const found = await insertMessage(tx.sql, incoming);
    if (!found) throw notFound('channel');
    const { contactId, messageId, conversationId, eventId, sentAt, knownMessageId, knownContactId, knownEventId } =
      found;
    if (knownMessageId !== null && knownContactId !== null) {
      return { messageId: knownMessageId, contactId: knownContactId, eventId: knownEventId, duplicate: true, skipped };
    }
    if (contactId === null) {
      const { custom_fields: fields = {}, time_zone: timeZone = null } = sender;
      const picked = await pickFields(tx.sql, { accountId, fields, timeZone });
      const created = await insertSender(tx.sql, incoming, { channel: found.channel, customFields: picked.values });
      if (!created) continue;
      skipped = [...(sender.skipped ?? []), ...picked.skipped];
      await emitEvent(tx, { name: 'new_contact', accountId, ...created, cause });
    } else if (messageId !== null && conversationId !== null && eventId !== null && sentAt !== null) {
      const { text } = incoming.message;
      const message = {
        id: showId('message', messageId),
        text,
        direction: 'inbound',
        sent_at: sentAt.toISOString(),
      } as const;
      const event = { id: eventId, accountId, contactId, conversationId, occurredAt: sentAt, cause };
      await emitEvent(tx, { name: 'new_message', ...event, message });
      return { messageId, contactId, eventId, duplicate: false, skipped };
    }
  }
  throw new Error(`an inbound message was interfered with ${maxTries} times`);
};

type Found = {
  /** The channel's type. */
  channel: string;
  /** The sender's contact; null while it has none. */
  contactId: string | null;
  /** The inserted message; null when its sender has no contact yet, or when the same message was inserted concurrently. */
  messageId: string | null;
  conversationId: string | null;
  /** The id for its event. */
  eventId: string | null;
  sentAt: Date | null;
  /** The message that the channel had under this `message_id` before. */
  knownMessageId: string | null;
  knownContactId: string | null;
  knownEventId: string | null;
};

/**
 * SQL: what a message meets, as tables: its `channel`, the same message if it is `known`, and its `sender` with the open conversation.
 * `lock` is taken with the channel.
 */
export const metBy = (
  sql: Sql,
  { accountId, channelId, message }: Incoming,
  lock: Fragment = sql`null`,
): Fragment => sql`
  channel as (
    select id, type, ${lock} from channels where id = ${channelId} and account_id = ${accountId}
  ), known as (
    select m.id, m.contact_id, m.event_id from channel
    join messages m on m.channel_id = channel.id and m.external_id = ${message.message_id} and m.direction = 'inbound'
  ), sender as (
    select i.contact_id, v.id as conversation_id from channel
    join contact_identities i on i.channel_id = channel.id and i.external_id = ${message.sender.external_id}
    left join conversations v on v.contact_id = i.contact_id and v.channel_id = channel.id and v.status = 'open'
  )`;

/**
 * Looks everything up, locks the contact, and inserts the message if its sender is known, in one round trip. Most messages need no other. The lock
 * on the conversation is granted with the row as who closed it meanwhile has left it: the message then opens another.
 */
const insertMessage = async (sql: Sql, incoming: Incoming): Promise<Found | undefined> => {
  const { accountId, channelId, message } = incoming;
  const [found] = await sql<Found[]>`
    with ${metBy(sql, incoming, shareAutomation(sql, accountId))}, held as materialized (
      select c.id from sender join contacts c on c.id = sender.contact_id for no key update of c
    ), open as materialized (
      select v.id from held, sender join conversations v on v.id = sender.conversation_id where v.status = 'open' for key share of v
    ), opened as (
      insert into conversations (id, account_id, contact_id, channel_id)
      select uuidv7(), ${accountId}, id, ${channelId} from held
      where not exists (select from open) and not exists (select from known)
      on conflict (contact_id, channel_id) where status = 'open' do nothing
      returning id
    ), inserted as (
      insert into messages (id, account_id, conversation_id, contact_id, channel_id, direction, text, external_id,
        event_id)
      select uuidv7(), ${accountId}, conversation.id, held.id, ${channelId}, 'inbound', ${message.text}, ${message.message_id}, uuidv7()
      from held, (select id from open union all select id from opened) as conversation
      on conflict (channel_id, external_id) where direction = 'inbound' do nothing
      returning id, conversation_id, event_id, sent_at
    ), used as (
      update contacts set last_channel = channel.type, last_channel_id = channel.id from channel, sender, inserted
      where contacts.id = sender.contact_id and (contacts.last_channel, contacts.last_channel_id) is distinct from (channel.type, channel.id)
    )
    select channel.type as channel, sender.contact_id, inserted.id as message_id, inserted.conversation_id,
      inserted.event_id, inserted.sent_at, known.id as known_message_id, known.contact_id as known_contact_id, known.event_id as known_event_id
    from channel left join known on true left join sender on true left join inserted on true`;
  return found;
};

/** Creates the sender's contact. Undefined when a concurrent message of the same sender has just done so. */
const insertSender = async (
  sql: Sql,
  { accountId, channelId, message: { sender } }: Incoming,
  { channel, customFields }: { channel: string; customFields: Record<string, FieldValue> },
): Promise<{ contactId: string; occurredAt: Date } | undefined> => {
  const [created] = await sql<{ contactId: string; occurredAt: Date }[]>`
    with identity as (
      insert into contact_identities (channel_id, external_id, contact_id)
      values (${channelId}, ${sender.external_id}, uuidv7())
      on conflict (channel_id, external_id) do nothing
      returning contact_id
    )
    insert into contacts (id, account_id, first_name, last_name, email, phone, language, time_zone, custom_fields, last_channel,
      last_channel_id)
    select contact_id, ${accountId}, ${sender.first_name ?? null}, ${sender.last_name ?? null}, ${sender.email ?? null},
      ${sender.phone ?? null}, ${sender.language ?? null}, ${sender.time_zone ?? null},
      ${sql.json(customFields)}, ${channel}, ${channelId}
    from identity
    returning id as contact_id, created_at as occurred_at`;
  return created;
};
