import { subscribes, type EventName, type Variant } from '../facts/names.ts';
import type { Fragment, Sql } from '../platform/db/connect.ts';
import { shareWebhooks } from './locks.ts';
import { unmetPrecondition, type UnmetPrecondition } from './preconditions.ts';

/** A webhook that an event goes to; `deliveryId` is new, by the database's clock. */
export type Subscriber = { id: string; variant: Variant; sendable: boolean; deliveryId: string };

type Webhook = { id: string; variant: Variant; events: string[]; unmet: UnmetPrecondition | null };

/** An account's webhooks, and at least as many new ids. */
export type SubscribersRead = { webhooks: Webhook[]; newIds: string[] };

/** An event, with its account's webhooks and new ids. */
export type Addressed = SubscribersRead & { accountId: string; eventName: EventName };

/** SQL: the account's webhooks with new ids, as one JSON value; `accountId` may be a column. An unverified webhook receives and keeps nothing. */
export const readWebhooks = (sql: Sql, accountId: string | Fragment): Fragment => sql`
  select json_build_object(
    'webhooks', coalesce(json_agg(json_build_object(
      'id', w.id, 'variant', w.variant, 'events', w.events, 'unmet', ${unmetPrecondition(sql)}) order by w.id), '[]'),
    'newIds', coalesce(json_agg(uuidv7()), '[]'))
  from webhooks w join accounts a on a.id = w.account_id
  where w.account_id = ${accountId} and w.deleted_at is null and w.disabled_reason is distinct from 'unverified'`;

/** SQL: new ids for the webhooks that have been read, as one JSON value. */
export const readNewIds = (sql: Sql, { webhooks }: Pick<SubscribersRead, 'webhooks'>): Fragment => sql`
  select json_build_object('newIds', coalesce(json_agg(uuidv7()), '[]')) from generate_series(1, ${webhooks.length})`;

/** How many webhooks an event goes to. */
export const countSubscribers = ({ webhooks, eventName }: Pick<Addressed, 'webhooks' | 'eventName'>): number =>
  concerned(webhooks, eventName).length;

/**
 * The webhooks that each of a transaction's events goes to. Where one may not be sent to, that is decided again while nobody can change it, until
 * the transaction ends: a delivery is either parked before a re-enabling or a plan change, and found by it, or sent after it.
 */
export const listSubscribers = async (sql: Sql, events: readonly Addressed[]): Promise<Subscriber[][]> => {
  const undecided = events.filter((event) => unsendableTo(event).length > 0);
  if (undecided.length === 0) return events.map((event) => subscribersOf(event, () => true));
  const decided = new Set(undecided.flatMap(unsendableTo));
  await shareWebhooks(sql, [...decided]);
  const accountIds = new Set(undecided.map(({ accountId }) => accountId));
  const present = await readAgain(
    sql,
    events.filter(({ accountId }) => accountIds.has(accountId)),
  );
  // One that is not locked was sendable a moment ago: it stays pending, and its attempt parks it under a lock of its own.
  const isSendable = ({ id, unmet }: Webhook) => unmet === null || !decided.has(id);
  return events.map((event) => subscribersOf(present.get(event) ?? event, isSendable));
};

/** The same of one event without locks: undefined where one may not be sent to, which has to be decided under its lock. */
export const listSendable = (event: Omit<Addressed, 'accountId'>): Subscriber[] | undefined =>
  unsendableTo(event).length > 0 ? undefined : subscribersOf(event, () => true);

/** Reads the webhooks of events after their locks are granted, to see what their last holders have changed. */
const readAgain = async (sql: Sql, events: readonly Addressed[]): Promise<Map<Addressed, Addressed>> => {
  const byAccount = Map.groupBy(events, ({ accountId }) => accountId);
  const rows = await sql<(SubscribersRead & { accountId: string })[]>`
    with account as materialized (
      select id, told, (${readWebhooks(sql, sql`given.id`)}) as read
      from unnest(${[...byAccount.keys()]}::uuid[], ${[...byAccount.values()].map(({ length }) => length)}::int[]) as given (id, told)
    )
    select id as account_id, read -> 'webhooks' as webhooks,
      array(select uuidv7() from generate_series(1, told * json_array_length(read -> 'webhooks'))) as new_ids
    from account`;
  const present = new Map<Addressed, Addressed>();
  for (const { accountId, webhooks, newIds } of rows) {
    for (const [index, event] of (byAccount.get(accountId) ?? []).entries()) {
      const from = index * webhooks.length;
      present.set(event, { ...event, webhooks, newIds: newIds.slice(from, from + webhooks.length) });
    }
  }
  return present;
};

const subscribersOf = (
  { webhooks, newIds, eventName }: Omit<Addressed, 'accountId'>,
  isSendable: (webhook: Webhook) => boolean,
): Subscriber[] =>
  concerned(webhooks, eventName).map((webhook, index) => ({
    id: webhook.id,
    variant: webhook.variant,
    sendable: isSendable(webhook),
    deliveryId: idAt(newIds, index),
  }));

const unsendableTo = ({ webhooks, eventName }: Pick<Addressed, 'webhooks' | 'eventName'>): string[] =>
  concerned(webhooks, eventName).flatMap(({ id, unmet }) => (unmet === null ? [] : [id]));

const concerned = (webhooks: readonly Webhook[], eventName: EventName): Webhook[] =>
  webhooks.filter(({ variant, events }) => subscribes(variant, events, eventName));

const idAt = (newIds: readonly string[], index: number): string => {
  const id = newIds[index];
  if (id === undefined) throw new Error('a delivery has no id');
  return id;
};
