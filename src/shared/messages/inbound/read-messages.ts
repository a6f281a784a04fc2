import { selectHandoverWords } from '../../accounts/handover-settings.ts';
import { triggersOfMessages } from '../../flows/definition/triggers.ts';
import { selectTriggers, type LiveTrigger } from '../../flows/live-triggers.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { readWebhooks, type SubscribersRead } from '../../webhooks/subscribers.ts';
import { givenMessages, lookUpGiven } from './look-up.ts';
import type { Incoming, KnownMessage } from './message.ts';

/** What a message meets. */
export type Met = {
  /** The channel's type. */
  channel: string;
  /** The same message from before. */
  known: KnownMessage | null;
  /** The sender's, and its open conversation. */
  contactId: string | null;
  conversationId: string | null;
  /** Whether the sender's contact need not be told that it writes here. */
  isLastChannel: boolean | null;
  /** Whether the sender has blocked the channel, which is over with this message. */
  hasBlocked: boolean | null;
  /** Whether automation may talk to the sender's contact, and no run has the conversation. */
  isFree: boolean | null;
  /** Null for an account that has never published a flow. */
  triggers: readonly LiveTrigger[] | null;
  /** By which contacts ask for an agent; null where there are none. */
  words: readonly string[] | null;
  subscribers: SubscribersRead;
  /** New ids and the time, by the database's clock. */
  messageId: string;
  eventId: string;
  sentAt: Date;
};

/** Reads what messages meet by one statement, which locks nothing. A message whose channel the account does not have meets nothing. */
export const readMessages = async (
  sql: Sql,
  messages: readonly Incoming[],
): Promise<(message: Incoming) => Met | undefined> => {
  const rows = await sql<(Met & { place: string; webhooks: SubscribersRead; newIds: string[] })[]>`
    with ${givenMessages(sql, messages)}, account as materialized (
      select account_id, (${readWebhooks(sql, sql`given.account_id`)}) as webhooks,
        (${selectTriggers(sql, sql`given.account_id`, triggersOfMessages)}) as triggers,
        (${selectHandoverWords(sql, sql`given.account_id`)}) as words
      from (select distinct account_id from given) as given
    )
    select place, channel.type as channel, known.message as known, sender.contact_id, sender.has_blocked, conversation.id as conversation_id,
      contact.is_free, contact.is_last_channel, account.webhooks, account.triggers, account.words,
      (select coalesce(json_agg(uuidv7()), '[]') from json_array_elements(account.webhooks -> 'newIds')) as new_ids,
      uuidv7() as message_id, uuidv7() as event_id, clock_timestamp() as sent_at
    from ${lookUpGiven(sql)} join account using (account_id) left join lateral (
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

/** SQL: whether automation may talk to a contact `c`, and no run has the conversation. */
export const isFree = (sql: Sql) => sql`
  (c.status = 'active' and c.foreground_run_id is null and c.handover_id is null and coalesce(c.automation_paused_until <= clock_timestamp(), true))`;
