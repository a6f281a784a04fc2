import { showId } from '../ids.ts';
import { asNobody } from '../platform/bulkhead/asker.ts';
import type { Fragment, Sql } from '../platform/db/connect.ts';
import { keepingIfDone, type Autocommit, type Transact, type Transaction } from '../platform/dispatch/transact.ts';
import type { WorkItem } from '../platform/dispatch/work.ts';
import { currentTraceparent, inSpan } from '../platform/telemetry/tracing.ts';
import { payloadOf, type Cause, type DomainEvent } from './domain-event.ts';
import { eventOf } from './names.ts';
import type { PageFact, PrivateFact } from './private-facts.ts';
import { keepLatest, type Talk } from './talked.ts';
import type { TellTopics, Topic } from './topics.ts';

/** An event as the log has it. `channel` is a type, such as `api`. */
export type ToldEvent = DomainEvent & { id: string; channel: string; cause: Cause };

/** What follows an event at once in its transaction, under the contact's lock: the next event sees it. */
export type Reaction<Read = unknown> = {
  /**
   * The query of one JSON value that `react` needs. It is part of the statement that records the event, and costs no round trip. Undefined for
   * an event that nothing follows: `react` is not called.
   */
  read(sql: Sql, event: DomainEvent): Fragment | undefined;
  react(tx: EventTransaction, event: ToldEvent, read: Read): Promise<void>;
};

/** What follows private facts at once in their transaction, those about a contact under its lock. It is called with each of them. */
export type PrivateReaction = (tx: EventTransaction, fact: PrivateFact) => Promise<void>;

/** An event that a transaction has told, with what was read for its deliveries. `traceparent` is that of the span in which it was told. */
export type ToDeliver<Read = unknown> = { event: ToldEvent; read: Read; traceparent: string | undefined };

/** What follows all events of a transaction together, just before it commits. */
export type BeforeCommit<Read = unknown> = {
  /** As that of a reaction; `before` are the events that the transaction has told already. */
  read(sql: Sql, event: DomainEvent, before: readonly ToDeliver<Read>[]): Fragment;
  /** How many deliveries an event makes. */
  count(told: ToDeliver<Read>, all: readonly ToDeliver<Read>[]): number;
  flush(tx: EventTransaction, all: readonly ToDeliver<Read>[]): Promise<void>;
};

/** A run that goes on because of what its transaction has written; ids are UUIDs. */
export type RunToAdvance = {
  id: string;
  resumes: number;
  contactId: string;
  flowId: string;
  version: number;
  /** The start of its workflow, where the transaction has begun it. */
  begun?: WorkItem;
  /** Whether its transaction is one of many that a request makes. */
  inBulk?: boolean;
};

/** Has runs go on at the end of their transaction. Answers what is done after the commit. */
export type Advance = (tx: EventTransaction, runs: readonly RunToAdvance[]) => Promise<(() => void) | undefined>;

/** What follows facts in their transaction; `src/shared/reactions.ts` lists it. */
export type Reactions = {
  toEvents: readonly Reaction[];
  toPrivateFacts: readonly PrivateReaction[];
  advance: Advance;
  beforeCommit: BeforeCommit;
};

/** What a transaction tells. */
export type Fact = DomainEvent | PrivateFact;

/** A transaction that tells what has happened. */
export type EventTransaction = Omit<Transaction, 'savepoint'> & {
  /**
   * Tells a fact in the transaction of the write that it reports, so that after a crash all that follows it is there, or nothing. Its reactions
   * happen at once; pages hear of its topics after the commit. An event is recorded in the log, too, and its deliveries are made just before
   * the commit. It has the type of its conversation's channel; without a conversation that of the contact's last channel, or else `api`.
   */
  tell: (fact: Fact) => Promise<void>;
  /**
   * Has a run go on that the transaction has begun, or has put something before: at its end by a pass, or by its workflow after the commit. The
   * caller has locked the contact.
   */
  advance: (run: RunToAdvance) => void;
  /** The same transaction, one of many that a request makes: their runs go on by their workflows. */
  inBulk: () => EventTransaction;
  /** What causes the events of the transaction that name no cause of their own. */
  cause?: Cause | undefined;
  /** As that of `Transaction`; facts that the work has told are dropped, too. */
  savepoint: <Result>(work: (tx: EventTransaction) => Promise<Result>) => Promise<Result>;
  /** The same transaction, whose events have this cause. */
  causedBy: (cause: Cause) => EventTransaction;
};

/** As `Transact`, for work that tells facts. */
export type EventTransact = <Result>(work: (tx: EventTransaction) => Promise<Result>) => Promise<Result>;

/** As `Autocommit`, for a statement that changes what pages show. */
export type EventAutocommit = <Result>(
  work: (statement: Pick<Transaction, 'sql' | 'start'> & { tell: (fact: PageFact) => void }) => Promise<Result>,
  options?: { elsewhere?: boolean },
) => Promise<Result>;

/** What a write needs: a transaction, or a statement that commits by itself, tells what it has changed. */
export type Writer = Pick<Transaction, 'sql'> & { tell: (fact: PageFact) => void | Promise<void> };

/** What is known of an account's changed topics, or of one of its conversations. */
type Touched = { accountId: string; topics: readonly Topic[]; talk?: Talk };

/** Runs transactions as `transact` does, has these reactions follow what they tell, and tells the topics after the commit. */
export const withReactions =
  (reactions: Reactions, transact: Transact, tellTopics: TellTopics = () => {}): EventTransact =>
  async (work) => {
    const { result, touched, advanced } = await transact(async (transaction) => {
      const given: Telling = { reactions, events: [], touched: [], runs: [] };
      const tx = telling(transaction, given);
      const made = await work(tx);
      const done = given.runs.length > 0 ? await reactions.advance(tx, given.runs) : undefined;
      if (given.events.length > 0) await reactions.beforeCommit.flush(tx, given.events);
      return { result: made, touched: given.touched, advanced: done };
    });
    tellAll(touched, tellTopics);
    advanced?.();
    return result;
  };

/** Runs statements as `autocommit` does, and tells the topics after the commit. */
export const withTopics =
  (autocommit: Autocommit, tellTopics: TellTopics = () => {}): EventAutocommit =>
  async (work, options) => {
    const { result, touched } = await autocommit(async (statement) => {
      const all: Touched[] = [];
      return { result: await work({ ...statement, tell: (fact) => void all.push(fact) }), touched: all };
    }, options);
    tellAll(touched, tellTopics);
    return result;
  };

/** Tells for no account, because those who listen outlive the request. */
const tellAll = (touched: readonly Touched[], tellTopics: TellTopics): void => {
  if (touched.length === 0) return;
  const byAccount = new Map<string, Set<Topic>>();
  const talks = new Map<string, Talk>();
  for (const { accountId, topics, talk } of touched)
    if (talk) keepLatest(talks, talk);
    else byAccount.set(accountId, new Set([...(byAccount.get(accountId) ?? []), ...topics]));
  asNobody(() => tellTopics(byAccount, [...talks.values()]));
};

/** `events` and `touched` gather what the transaction tells, and `runs` those that go on at its end. */
type Telling = {
  reactions: Reactions;
  events: ToDeliver[];
  touched: Touched[];
  runs: RunToAdvance[];
  cause?: Cause;
  inBulk?: boolean;
};

const telling = (transaction: Transaction, given: Telling): EventTransaction => {
  const { reactions, events, touched, runs, cause, inBulk = false } = given;
  const tx: EventTransaction = {
    ...transaction,
    cause,
    savepoint: (work) =>
      keepingIfDone([events, touched, runs], () => transaction.savepoint((inner) => work(telling(inner, given)))),
    advance: (run) => void runs.push({ ...run, inBulk }),
    inBulk: () => telling(transaction, { ...given, inBulk: true }),
    causedBy: (other) => telling(transaction, { ...given, cause: other }),
    tell: async (fact) => {
      if ('topics' in fact) {
        touched.push(fact);
        for (const react of reactions.toPrivateFacts) await react(tx, fact);
        return;
      }
      touched.push({ accountId: fact.accountId, topics: eventOf(fact.name).topics });
      await tellEvent(tx, fact, given);
    },
  };
  return tx;
};

const tellEvent = (tx: EventTransaction, event: DomainEvent, { reactions, events, cause }: Telling): Promise<void> =>
  inSpan('event.emit', { attributes: () => ({ 'parley.event': event.name }) }, async (span) => {
    const { id, channel, known, read } = await insertEvent(tx.sql, event, { reactions, events });
    const told = { cause: cause ?? { depth: 0 }, ...event, id, channel };
    const toDeliver = { event: told, read, traceparent: currentTraceparent() };
    events.push(toDeliver);
    span.setAttribute('parley.event_id', showId('event', id));
    span.setAttribute('parley.deliveries', reactions.beforeCommit.count(toDeliver, events));
    for (const { reaction, read: itsRead } of known) await reaction.react(tx, told, itsRead);
  });

type Recorded = { id: string; channel: string; read: unknown; reads: unknown[] };

/** An event with what was read for its deliveries, and the reactions that follow it with what they have read. */
type Following = Omit<Recorded, 'reads'> & { known: { reaction: Reaction; read: unknown }[] };

const insertEvent = async (
  sql: Sql,
  event: DomainEvent,
  { reactions, events }: Pick<Telling, 'reactions' | 'events'>,
): Promise<Following> => {
  const { id = null } = event;
  const following = reactions.toEvents.flatMap((reaction) => {
    const read = reaction.read(sql, event);
    return read ? [{ reaction, read }] : [];
  });
  const [first, ...others] = following.map(({ read }) => read);
  const reads = others.reduce((some, read) => sql`${some}, (${read})`, first ? sql`(${first})` : sql``);
  const [recorded] = await sql<Recorded[]>`
    ${insertOfEvent(sql, event, { id: sql`coalesce(${id}::uuid, uuidv7())`, channel: sql`coalesce(${channelOf(sql, event)}, 'api')` })}
    returning id, channel, (${reactions.beforeCommit.read(sql, event, events)}) as read, json_build_array(${reads}) as reads`;
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
export const insertOfEvents = (sql: Sql, events: readonly ToldEvent[]): Fragment => sql`
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
