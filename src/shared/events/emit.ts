import type { Span } from '@opentelemetry/api';
import { showId } from '../ids.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { Transact, Transaction } from '../platform/dispatch/transact.ts';
import { inSpan } from '../platform/telemetry/tracing.ts';
import { payloadOf } from './envelope.ts';
import type { Cause, DomainEvent } from './events.ts';

/** What the log has of an event, with the channel that it carries (a type, such as `api`). */
type RecordedEvent = { id: string; channel: string };

/** An event that is being written: `recorded` is there after one round trip. */
type EmittedEvent = { event: DomainEvent & { cause: Cause }; recorded: Promise<RecordedEvent>; span: Span };

/**
 * What follows an event in its own transaction, such as a delivery to each webhook that subscribes to it; all of them are in
 * `src/shared/reactions.ts`. It begins before the event is recorded, so that what it reads first is asked for together with that,
 * in one round trip.
 */
export type Reaction = (tx: EventTransaction, emitted: EmittedEvent) => Promise<void>;

/** A transaction in which events are emitted. */
export type EventTransaction = Transaction<Reaction>;
export type EventTransact = Transact<Reaction>;

/**
 * Records that something happened, and all that follows from it, inside the transaction of the write that it reports: either all of
 * it is there after a crash, or none. The event carries the type of its conversation's channel, else that of the contact's last
 * used one, else `api`.
 */
export const emitEvent = (tx: EventTransaction, event: DomainEvent): Promise<void> =>
  inSpan('event.emit', { attributes: { 'parley.event': event.name } }, async (span) => {
    const recorded = insertEvent(tx.sql, event);
    const emitted = { event: { cause: { depth: 0 }, ...event }, recorded, span };
    const work = [recorded, ...tx.reactions.map((react) => react(tx, emitted))];
    try {
      await Promise.all(work);
    } finally {
      // A reaction that went on after the transaction's rollback would write outside of it.
      await Promise.allSettled(work);
    }
    span.setAttribute('parley.event_id', showId('event', (await recorded).id));
  });

const insertEvent = async (sql: Sql, event: DomainEvent): Promise<RecordedEvent> => {
  const { id = null, accountId, name, contactId, occurredAt } = event;
  const [recorded] = await sql<RecordedEvent[]>`
    insert into events (id, account_id, name, contact_id, channel, data, occurred_at)
    values (coalesce(${id}::uuid, uuidv7()), ${accountId}, ${name}, ${contactId},
      coalesce(${channelOf(sql, event)}, 'api'),
      ${sql.json(payloadOf(event))}, ${occurredAt})
    returning id, channel`;
  if (!recorded) throw new Error('the event was not inserted');
  return recorded;
};

const channelOf = (sql: Sql, { conversationId, contactId }: DomainEvent) =>
  conversationId === undefined
    ? sql`(select last_channel from contacts where id = ${contactId})`
    : sql`(select c.type from conversations v join channels c on c.id = v.channel_id where v.id = ${conversationId})`;
