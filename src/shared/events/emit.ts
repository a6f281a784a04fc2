import { showId } from '../ids.ts';
import type { Fragment, Sql } from '../platform/db/connect.ts';
import { keepingIfDone, type Transact, type Transaction } from '../platform/dispatch/transact.ts';
import { currentTraceparent, inSpan } from '../platform/telemetry/tracing.ts';
import { payloadOf } from './envelope.ts';
import type { Cause, DomainEvent } from './events.ts';

/** An event as the log has it. `channel` is a type, such as `api`. */
export type EmittedEvent = DomainEvent & { id: string; channel: string; cause: Cause };

/** What follows an event at once in its transaction: the next event sees it. */
export type Reaction<Read = unknown> = {
  /**
   * The query of one JSON value that `react` needs. It is part of the statement that records the event, and costs no round trip. Undefined for
   * an event that nothing follows: `react` is not called.
   */
  read(sql: Sql, event: DomainEvent): Fragment | undefined;
  react(tx: EventTransaction, event: EmittedEvent, read: Read): Promise<void>;
};

/** An event that a transaction has told, with what was read for its deliveries. `traceparent` is that of the span in which it was told. */
export type Told<Read = unknown> = { event: EmittedEvent; read: Read; traceparent: string | undefined };

/** What follows all events of a transaction together, just before it commits. */
export type BeforeCommit<Read = unknown> = {
  /** As that of a reaction; `before` are the events that the transaction has told already. */
  read(sql: Sql, event: DomainEvent, before: readonly Told<Read>[]): Fragment;
  /** How many deliveries an event makes. */
  count(told: Told<Read>, all: readonly Told<Read>[]): number;
  flush(tx: Transaction, all: readonly Told<Read>[]): Promise<void>;
};

/** What follows events in their transaction; `src/shared/reactions.ts` lists it. */
export type Reactions = { atOnce: readonly Reaction[]; beforeCommit: BeforeCommit };

/** A transaction that tells what has happened. */
export type EventTransaction = Omit<Transaction, 'savepoint'> & {
  /**
   * Records an event and its reactions in the transaction of the write that it reports, so that after a crash all of it is there, or none. Its
   * deliveries are made just before the commit. The event has the type of its conversation's channel; without a conversation that of the
   * contact's last channel, or else `api`.
   */
  tell: (event: DomainEvent) => Promise<void>;
  /** What causes the events of the transaction that name no cause of their own. */
  cause?: Cause | undefined;
  /** As that of `Transaction`; events that the work has told are dropped, too. */
  savepoint: <Result>(work: (tx: EventTransaction) => Promise<Result>) => Promise<Result>;
  /** The same transaction, whose events have this cause. */
  causedBy: (cause: Cause) => EventTransaction;
};

/** As `Transact`, for work that tells of events. */
export type EventTransact = <Result>(work: (tx: EventTransaction) => Promise<Result>) => Promise<Result>;

/** Runs transactions as `transact` does, and has these reactions follow the events that they tell. */
export const withReactions =
  (reactions: Reactions, transact: Transact): EventTransact =>
  (work) =>
    transact(async (transaction) => {
      const all: Told[] = [];
      const result = await work(telling(transaction, { reactions, all }));
      if (all.length > 0) await reactions.beforeCommit.flush(transaction, all);
      return result;
    });

/** `all` gathers the events of the transaction. */
type Telling = { reactions: Reactions; all: Told[]; cause?: Cause };

const telling = (transaction: Transaction, given: Telling): EventTransaction => {
  const { reactions, all, cause } = given;
  const tx: EventTransaction = {
    ...transaction,
    cause,
    savepoint: (work) => keepingIfDone(all, () => transaction.savepoint((inner) => work(telling(inner, given)))),
    causedBy: (other) => telling(transaction, { ...given, cause: other }),
    tell: (event) =>
      inSpan('event.emit', { attributes: () => ({ 'parley.event': event.name }) }, async (span) => {
        const { id, channel, known, read } = await insertEvent(tx.sql, event, { reactions, all });
        const emitted = { cause: cause ?? { depth: 0 }, ...event, id, channel };
        const told = { event: emitted, read, traceparent: currentTraceparent() };
        all.push(told);
        span.setAttribute('parley.event_id', showId('event', id));
        span.setAttribute('parley.deliveries', reactions.beforeCommit.count(told, all));
        for (const { reaction, read: itsRead } of known) await reaction.react(tx, emitted, itsRead);
      }),
  };
  return tx;
};

type Recorded = { id: string; channel: string; read: unknown; reads: unknown[] };

/** An event with what was read for its deliveries, and the reactions that follow it with what they have read. */
type Following = Omit<Recorded, 'reads'> & { known: { reaction: Reaction; read: unknown }[] };

const insertEvent = async (sql: Sql, event: DomainEvent, { reactions, all }: Telling): Promise<Following> => {
  const { id = null } = event;
  const following = reactions.atOnce.flatMap((reaction) => {
    const read = reaction.read(sql, event);
    return read ? [{ reaction, read }] : [];
  });
  const [first, ...others] = following.map(({ read }) => read);
  const reads = others.reduce((some, read) => sql`${some}, (${read})`, first ? sql`(${first})` : sql``);
  const [recorded] = await sql<Recorded[]>`
    ${insertOfEvent(sql, event, { id: sql`coalesce(${id}::uuid, uuidv7())`, channel: sql`coalesce(${channelOf(sql, event)}, 'api')` })}
    returning id, channel, (${reactions.beforeCommit.read(sql, event, all)}) as read, json_build_array(${reads}) as reads`;
  if (!recorded) throw new Error('the event was not inserted');
  const { reads: values, ...told } = recorded;
  return { ...told, known: following.map(({ reaction }, index) => ({ reaction, read: values[index] })) };
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
