import { subscribes, type EventName, type Variant } from '../events/names.ts';
import type { Fragment, Sql } from '../platform/db/connect.ts';
import { shareWebhooks } from './locks.ts';
import { unmetPrecondition, type UnmetPrecondition } from './preconditions.ts';

/** A webhook that an event goes to; `deliveryId` is new, by the database's clock. */
export type Subscriber = { id: string; variant: Variant; sendable: boolean; deliveryId: string };

type Webhook = { id: string; variant: Variant; events: string[]; unmet: UnmetPrecondition | null };

/** An account's webhooks, unless its transaction has read them before, and at least as many new ids. */
export type SubscribersRead = { webhooks?: Webhook[]; newIds: string[] };

/** What a transaction knows of an account, and of which webhooks it is decided under their locks whether they may be sent to. */
type Known = { webhooks: Webhook[]; decided: Set<string> };

/** By transaction and by account. */
const knownIn = new WeakMap<Sql, Map<string, Known>>();

/** The query of what `listSubscribers` needs to know, as one JSON value. */
export const readSubscribers = (sql: Sql, accountId: string): Fragment => {
  const known = knownIn.get(sql)?.get(accountId);
  if (!known) return readWebhooks(sql, accountId);
  return sql`
    select json_build_object('newIds', coalesce(json_agg(uuidv7()), '[]')) from generate_series(1, ${known.webhooks.length})`;
};

/** SQL: the same of an account of which nothing is known; one that `accountId` names may be a column. */
export const readWebhooks = (sql: Sql, accountId: string | Fragment): Fragment => sql`
  select json_build_object(
    'webhooks', coalesce(json_agg(json_build_object(
      'id', w.id, 'variant', w.variant, 'events', w.events, 'unmet', ${unmetPrecondition(sql)}) order by w.id), '[]'),
    'newIds', coalesce(json_agg(uuidv7()), '[]'))
  from webhooks w join accounts a on a.id = w.account_id
  where w.account_id = ${accountId} and w.deleted_at is null and w.disabled_reason is distinct from 'unverified'`;

/**
 * The account's webhooks that an event goes to, read once in a transaction. An unverified one receives and keeps nothing. Where one
 * may not be sent to, that is decided again while nobody can change it, until the transaction ends: a delivery is either parked
 * before a re-enabling or a plan change, and found by it, or sent after it.
 */
export const listSubscribers = async (
  sql: Sql,
  { accountId, eventName }: { accountId: string; eventName: EventName },
  { webhooks = [], newIds: readIds }: SubscribersRead,
): Promise<Subscriber[]> => {
  let newIds = readIds;
  const known = know(sql, accountId, webhooks);
  const undecided = concerned(known.webhooks, eventName).filter(
    ({ id, unmet }) => unmet !== null && !known.decided.has(id),
  );
  if (undecided.length > 0) {
    const ids = undecided.map(({ id }) => id);
    await shareWebhooks(sql, ids);
    for (const id of ids) known.decided.add(id);
    // Read after the locks are granted, to see what their last holders have changed.
    const [row] = await sql<[{ read: Required<SubscribersRead> }]>`select (${readWebhooks(sql, accountId)}) as read`;
    known.webhooks = row.read.webhooks;
    newIds = row.read.newIds;
  }
  // One that is not locked was sendable a moment ago: it stays pending, and its attempt parks it under a lock of its own.
  const isSendable = ({ id, unmet }: Webhook) => unmet === null || !known.decided.has(id);
  return concerned(known.webhooks, eventName).map((webhook, index) => ({
    id: webhook.id,
    variant: webhook.variant,
    sendable: isSendable(webhook),
    deliveryId: idAt(newIds, index),
  }));
};

/** The same without locks: undefined where one may not be sent to, which has to be decided under its lock. */
export const listSendable = (
  { webhooks = [], newIds }: SubscribersRead,
  eventName: EventName,
): Subscriber[] | undefined => {
  const subscribers = concerned(webhooks, eventName);
  if (subscribers.some(({ unmet }) => unmet !== null)) return undefined;
  return subscribers.map(({ id, variant }, index) => ({
    id,
    variant,
    sendable: true,
    deliveryId: idAt(newIds, index),
  }));
};

const concerned = (webhooks: readonly Webhook[], eventName: EventName): Webhook[] =>
  webhooks.filter(({ variant, events }) => subscribes(variant, events, eventName));

const idAt = (newIds: readonly string[], index: number): string => {
  const id = newIds[index];
  if (id === undefined) throw new Error('a delivery has no id');
  return id;
};

const know = (sql: Sql, accountId: string, webhooks: Webhook[]): Known => {
  const accounts = knownIn.get(sql) ?? new Map<string, Known>();
  knownIn.set(sql, accounts);
  const known = accounts.get(accountId) ?? { webhooks, decided: new Set<string>() };
  accounts.set(accountId, known);
  return known;
};
