import { shareAutomation } from '../../accounts/automation-lock.ts';
import { pickFields } from '../../custom-fields/take-fields.ts';
import type { FieldValue } from '../../custom-fields/values.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { notFound, type Problem } from '../../errors.ts';
import { changed } from '../../facts/changed.ts';
import { talked } from '../../facts/talked.ts';
import type { EventTransaction } from '../../facts/tell.ts';
import { adoptHandover } from '../../handovers/adopt.ts';
import { tellOpened } from '../conversations/changes/revisions.ts';
import type { StoredAttachment } from '../../media/attachments.ts';
import { useAttachments } from '../../media/use-attachments.ts';
import { givenMessages, lookUpGiven } from './look-up.ts';
import { tellMessage, type Incoming, type KnownMessage, type Received } from './message.ts';
import { insertOfMessages } from './write-messages.ts';

/** The most tries. Each sees what concurrent messages have committed, so a third is needed only when others keep interfering. */
const maxTries = 5;

/**
 * Records a message that a contact sent, and tells new_message. A new sender becomes a contact first, with new_contact. A conversation is
 * opened when none is open. The same message again changes nothing and is answered as before. Throws `not_found` when the account has no such
 * channel.
 */
export const receiveInTransaction = async (tx: EventTransaction, incoming: Incoming): Promise<Received> => {
  const { accountId } = incoming;
  const cause = { ...(tx.cause ?? { depth: 0 }), isMessage: true };
  const { sender } = incoming.message;
  const attachments = await useAttachments(tx.sql, accountId, incoming.message.attachments);
  let skipped: readonly Problem[] = sender.skipped ?? [];
  for (let tries = 0; tries < maxTries; tries += 1) {
    const found = await insertMessage(tx.sql, incoming, attachments);
    if (!found) throw notFound('channel');
    const { known, contactId, messageId, conversationId, eventId, sentAt, revision } = found;
    if (known) return { ...known, duplicate: true, skipped };
    if (contactId === null) {
      const { custom_fields: fields = {}, time_zone: timeZone = null } = sender;
      const picked = await pickFields(tx.sql, { accountId, fields, timeZone });
      const created = await insertSender(tx.sql, incoming, { channel: found.channel, customFields: picked.values });
      if (!created) continue;
      skipped = [...(sender.skipped ?? []), ...picked.skipped];
      await tx.tell({ name: 'new_contact', accountId, ...created, cause });
    } else if (
      messageId !== null &&
      conversationId !== null &&
      eventId !== null &&
      sentAt !== null &&
      revision !== null
    ) {
      await tx.tell(talked(accountId, conversationId, revision));
      if (found.hasUnblocked) await tx.tell(changed(accountId, 'contacts'));
      if (found.hasOpened) {
        await tellOpened(tx, { accountId, conversationId });
        await adoptHandover(tx, { accountId, conversationId });
      }
      const { text } = incoming.message;
      const message = tellMessage({ messageId, text, sentAt, attachments });
      const event = { id: eventId, accountId, contactId, conversationId, occurredAt: sentAt, cause };
      await tx.tell({ name: 'new_message', ...event, message });
      return { messageId, contactId, eventId, duplicate: false, skipped };
    } else {
      // The same message came in between, and its conversation has counted up all the same.
      await tx.tell(changed(accountId, 'conversations'));
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
  /** That of the conversation. */
  revision: number | null;
  /** Whether the message has opened the conversation. */
  hasOpened: boolean;
  /** Whether its sender had blocked the channel. */
  hasUnblocked: boolean;
  known: KnownMessage | null;
};

/**
 * Looks everything up, locks the contact, and inserts the message if its sender is known, in one round trip. Most messages need no other. The lock
 * on the conversation is granted with the row as who closed it meanwhile has left it: the message then opens another.
 */
const insertMessage = async (
  sql: Sql,
  incoming: Incoming,
  attachments: readonly StoredAttachment[],
): Promise<Found | undefined> => {
  const { accountId, channelId, message } = incoming;
  const [found] = await sql<Found[]>`
    with ${givenMessages(sql, [incoming])}, met as materialized (
      select channel.id as channel_id, channel.type as channel, known.message as known, sender.contact_id,
        conversation.id as conversation_id, ${shareAutomation(sql, accountId)} as shared
      from ${lookUpGiven(sql)}
    ), held as materialized (
      select c.id from met join contacts c on c.id = met.contact_id for no key update of c
    ), open as materialized (
      select v.id from held, met join conversations v on v.id = met.conversation_id
      where v.status = 'open' and met.known is null for no key update of v
    ), counted as (
      update conversations v set revision = v.revision + 1 from open where v.id = open.id returning v.id, v.revision
    ), opened as (
      insert into conversations (id, account_id, contact_id, channel_id, revision)
      select uuidv7(), ${accountId}, id, ${channelId}, 1 from held
      where not exists (select from open) and (select known is null from met)
      on conflict (contact_id, channel_id) where status = 'open' do nothing
      returning id, revision
    ), inserted as (
      ${insertOfMessages(
        sql,
        sql`
        select uuidv7() as id, ${accountId}::uuid as account_id, conversation.id as conversation_id, held.id as contact_id,
          ${channelId}::uuid as channel_id, ${message.text}::text as text, ${attachments.length > 0 ? sql.json({ attachments: [...attachments] }) : null}::jsonb as content, ${message.message_id}::text as external_id,
          uuidv7() as event_id, now() as sent_at, nextval('messages_seq') as seq, null::jsonb as routed_to, conversation.revision
        from held, (select * from counted union all select * from opened) as conversation`,
      )}
      returning id, conversation_id, event_id, sent_at, revision
    ), used as (
      update contacts set last_channel = met.channel, last_channel_id = met.channel_id from met, inserted
      where contacts.id = met.contact_id and (contacts.last_channel, contacts.last_channel_id) is distinct from (met.channel, met.channel_id)
    ), unblocked as (
      update contact_identities i set blocked_at = null from inserted
      where i.channel_id = ${channelId} and i.external_id = ${message.sender.external_id} and i.blocked_at is not null
      returning i.contact_id
    )
    select met.channel, met.known, met.contact_id, inserted.id as message_id, inserted.conversation_id, inserted.event_id, inserted.sent_at,
      inserted.revision::float8 as revision, exists (select from opened) as has_opened,
      exists (select from unblocked) as has_unblocked
    from met left join inserted on true`;
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
