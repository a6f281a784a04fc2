import type { Span } from '@opentelemetry/api';
import { showId } from '../ids.ts';
import type { Fragment, Sql } from '../platform/db/connect.ts';
import type { Transact, Transaction } from '../platform/dispatch/transact.ts';
import { inSpan } from '../platform/telemetry/tracing.ts';
import { payloadOf } from './envelope.ts';
import type { Cause, DomainEvent } from './events.ts';

/** An event as the log has it. `channel` is a type, such as `api`. */
export type EmittedEvent = DomainEvent & { id: string; channel: string; cause: Cause };

/**
 * What follows an event in its transaction, such as a delivery to each subscribed webhook. `src/shared/reactions.ts` lists all of them.
 */
export type Reaction<Read = unknown> = {
  /**
   * The query of one JSON value that `react` needs. It is part of the statement that records the event, and costs no round trip. Undefined for
   * an event that nothing follows: `react` is not called.
   */
  read(sql: Sql, event: DomainEvent): Fragment | undefined;
  react(tx: EventTransaction, event: EmittedEvent, known: { read: Read; span: Span }): Promise<void>;
};

/** A transaction that tells what has happened. */
export type EventTransaction = Transaction & {
  /**
   * Records an event and its reactions in the transaction of the write that it reports, so that after a crash all of it is there, or none. The
   * event has the type of its conversation's channel; without a conversation that of the contact's last channel, or else `api`.
   */
  tell: (event: DomainEvent) => Promise<void>;
  /** What causes the events of the transaction that name no cause of their own. */
  cause?: Cause | undefined;
  /** The same transaction, whose events have this cause. */
  causedBy: (cause: Cause) => EventTransaction;
};

/** As `Transact`, for work that tells of events. */
export type EventTransact = <Result>(work: (tx: EventTransaction) => Promise<Result>) => Promise<Result>;

/** Runs transactions as `transact` does, and has these reactions follow the events that they tell. */
export const withReactions =
  (reactions: readonly Reaction[], transact: Transact): EventTransact =>
  (work) =>
    transact((tx) => work(telling(tx, reactions)));

const telling = (transaction: Transaction, reactions: readonly Reaction[], cause?: Cause): EventTransaction => {
  const tx: EventTransaction = {
    ...transaction,
    cause,
    causedBy: (other) => telling(transaction, reactions, other),
    tell: (event) =>
      inSpan('event.emit', { attributes: () => ({ 'parley.event': event.name }) }, async (span) => {
        const { id, channel, known } = await insertEvent(tx.sql, reactions, event);
        span.setAttribute('parley.event_id', showId('event', id));
        const emitted = { cause: cause ?? { depth: 0 }, ...event, id, channel };
        for (const { reaction, read } of known) await reaction.react(tx, emitted, { read, span });
      }),
  };
  return tx;
};

type Recorded = { id: string; channel: string; reads: unknown[] };

/** The reactions that follow an event, with what they have read. */
type Following = Omit<Recorded, 'reads'> & { known: { reaction: Reaction; read: unknown }[] };

const insertEvent = async (sql: Sql, reactions: readonly Reaction[], event: DomainEvent): Promise<Following> => {
  const { id = null } = event;
  const following = reactions.flatMap((reaction) => {
    const read = reaction.read(sql, event);
    return read ? [{ reaction, read }] : [];
  });
  const [first, ...others] = following.map(({ read }) => read);
  const reads = others.reduce((all, read) => sql`${all}, (${read})`, first ? sql`(${first})` : sql``);
  const [recorded] = await sql<Recorded[]>`
    ${insertOfEvent(sql, event, { id: sql`coalesce(${id}::uuid, uuidv7())`, channel: sql`coalesce(${channelOf(sql, event)}, 'api')` })}
    returning id, channel, json_build_array(${reads}) as reads`;
  if (!recorded) throw new Error('the event was not inserted');
  const { reads: values, ...ids } = recorded;
  return { ...ids, known: following.map(({ reaction }, index) => ({ reaction, read: values[index] })) };
};

/** SQL: the insert of an event into the log, to which a condition may be added. */
const insertOfEvent = (
  sql: Sql,
  event: DomainEvent,
  { id, channel }: { id: Fragment | string; channel: Fragment | string },
): Fragment => sql`
  insert into events (id, account_id, name, contact_id, channel, data, occurred_at)
  select ${id}, ${event.accountId}, ${event.name}, ${event.contactId}, ${channel}, ${sql.json(payloadOf(event))}, ${event.occurredAt}`;

/** SQL: the same of events whose ids and channels are known; a condition may be on `event`. */
export const insertOfEvents = (sql: Sql, events: readonly EmittedEvent[]): Fragment => sql`
  insert into events (id, account_id, name, contact_id, channel, data, occurred_at)
  select id, account_id, name, contact_id, channel, data::jsonb, occurred_at
  from unnest(
    ${events.map(({ id }) => id)}::uuid[], ${events.map(({ accountId }) => accountId)}::uuid[],
    ${events.map(({ name }) => name)}::text[], ${events.map(({ contactId }) => contactId)}::uuid[],
    ${events.map(({ channel }) => channel)}::text[], ${events.map((event) => JSON.stringify(payloadOf(event)))}::text[],
    ${events.map(({ occurredAt }) => occurredAt.toISOString())}::timestamptz[]
  ) as event (id, account_id, name, contact_id, channel, data, occurred_at)`;

const channelOf = (sql: Sql, { conversationId, contactId }: DomainEvent) =>
  conversationId === undefined
    ? sql`(select last_channel from contacts where id = ${contactId})`
    : sql`(select c.type from conversations v join channels c on c.id = v.channel_id where v.id = ${conversationId})`;
