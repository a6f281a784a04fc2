import { shareAutomation } from '../accounts/automation-lock.ts';
import { selectHandoverWords } from '../accounts/handover-settings.ts';
import { deliveriesOf } from '../deliveries/deliver-to-webhooks.ts';
import { insertOfDeliveries, startDeliveries } from '../deliveries/insert.ts';
import { notFound } from '../errors.ts';
import { insertOfEvent } from '../events/emit.ts';
import { triggersOfMessages } from '../flows/definition/triggers.ts';
import { asksForPerson } from '../flows/handover-words.ts';
import { listFired, selectTriggers, type LiveTrigger } from '../flows/live-triggers.ts';
import { showId } from '../ids.ts';
import type { Database, Fragment, Sql } from '../platform/db/connect.ts';
import type { Autocommit } from '../platform/dispatch/transact.ts';
import { inSpan } from '../platform/telemetry/tracing.ts';
import { listSendable, readSubscribers, type Subscriber, type SubscribersRead } from '../webhooks/subscribers.ts';
import { readConsent } from './consent.ts';
import { metBy, type Incoming, type Received } from './receive-message.ts';

type Deps = { db: Database; autocommit: Autocommit };

/**
 * Records the usual message by two statements: one that reads what it meets, and one that writes message, event and deliveries and commits by
 * itself. Usual is one in an open conversation that starts no flow, answers none and asks for nobody, in an account whose webhooks may all be sent to: nothing but
 * deliveries follows it. Undefined, with nothing written, for any other: `receiveMessage` takes it in a transaction. What was read holds, or nothing is written.
 */
export const receiveAtOnce = async (deps: Deps, incoming: Incoming): Promise<Received | undefined> => {
  const { message } = incoming;
  if (readConsent(message.text) !== undefined) return undefined;
  const met = await readMet(deps.db, incoming);
  if (!met) throw notFound('channel');
  const { known, contactId, conversationId, isLastChannel, triggers } = met;
  if (known) return { ...known, duplicate: true, skipped: [] };
  if (asksForPerson(met.words, message.text)) return undefined;
  const subscribers = listSendable(met.subscribers, 'new_message');
  if (contactId === null || conversationId === null || !isLastChannel || !subscribers) return undefined;
  if (triggers && (!met.isFree || listFired(triggers, message.text).length > 0)) return undefined;
  const { messageId, eventId } = met;
  const isWritten = await write(deps, incoming, { ...met, contactId, conversationId, subscribers });
  return isWritten ? { messageId, contactId, eventId, duplicate: false, skipped: [] } : undefined;
};

type Met = {
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

const readMet = async (sql: Sql, incoming: Incoming): Promise<Met | undefined> => {
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

type Usual = Omit<Met, 'subscribers'> & {
  contactId: string;
  conversationId: string;
  subscribers: readonly Subscriber[];
};

/** SQL: whether automation may talk to a contact `c`, and no run has the conversation. */
const isFree = (sql: Sql) => sql`
  (c.status = 'active' and c.foreground_run_id is null and c.handover_id is null and coalesce(c.automation_paused_until <= clock_timestamp(), true))`;

/** Whether it was written: not when the same message came in between, or what makes it another than the usual one. */
const write = ({ autocommit }: Deps, { accountId, channelId, message }: Incoming, usual: Usual): Promise<boolean> => {
  const { contactId, conversationId, messageId, eventId, channel, sentAt, subscribers, triggers } = usual;
  const attributes = () => ({
    'parley.event': 'new_message',
    'parley.event_id': showId('event', eventId),
    'parley.deliveries': subscribers.length,
  });
  return inSpan('event.emit', { attributes }, () => {
    const told = { id: showId('message', messageId), text: message.text, direction: 'inbound', sentAt } as const;
    const ids = { id: eventId, accountId, contactId, conversationId, channel };
    const event = { ...ids, name: 'new_message', message: told, occurredAt: sentAt, cause: { depth: 0 } } as const;
    const sent = deliveriesOf(event, subscribers);
    return autocommit(async ({ sql, start }) => {
      const [written] = await sql<[{ isWritten: boolean }]>`
        with ${triggers ? usualBesideFlows(sql, usual) : usualWithoutFlows(sql, { accountId, ...usual })}, message as (
          insert into messages (id, account_id, conversation_id, contact_id, channel_id, direction, text, external_id, event_id, sent_at, routed_to)
          select ${messageId}, ${accountId}, ${conversationId}, ${contactId}, ${channelId}, 'inbound', ${message.text},
            ${message.message_id}, ${eventId}, ${sentAt}, ${triggers && sql.json({ to: 'nobody', because: 'no_trigger' })} from usual
          on conflict (channel_id, external_id) where direction = 'inbound' do nothing
          returning id
        ), event as (
          ${insertOfEvent(sql, event, event)} where exists (select from message)
        ), delivery as (
          ${insertOfDeliveries(sql, sent.told, sent.deliveries)} where exists (select from message)
        )
        select exists (select from message) as is_written`;
      if (written.isWritten) startDeliveries({ start }, sent.told, sent.deliveries);
      return written.isWritten;
    });
  });
};

/**
 * SQL: one row, `usual`, while the conversation is open and the account has published no flow. The first publish waits for the lock, or has it
 * first: locking the account's row afterwards reads what that publish has committed meanwhile. So it is with who closes the conversation.
 */
const usualWithoutFlows = (
  sql: Sql,
  { accountId, conversationId }: { accountId: string; conversationId: string },
): Fragment => sql`
  shared as materialized (
    select ${shareAutomation(sql, accountId)}
  ), usual as materialized (
    select from shared, conversations v join accounts a on a.id = v.account_id
    where v.id = ${conversationId} and v.status = 'open' and a.id = ${accountId} and not a.automated for key share of a, v
  )`;

/**
 * SQL: the same beside live flows, while automation still has nothing to do with the contact. The contact's lock orders messages and runs: it
 * is granted with the row as its last holder has left it, and the message gets its place, `seq`, after that.
 */
const usualBesideFlows = (sql: Sql, { contactId, conversationId }: Usual): Fragment => sql`
  usual as materialized (
    select from contacts c join conversations v on v.contact_id = c.id
    where c.id = ${contactId} and ${isFree(sql)} and v.id = ${conversationId} and v.status = 'open'
    for no key update of c for key share of v
  )`;
