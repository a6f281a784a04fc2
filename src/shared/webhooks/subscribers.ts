import { subscribes, type EventName, type Variant } from '../events/names.ts';
import type { Sql } from '../platform/db/connect.ts';
import { shareWebhooks } from './locks.ts';
import { unmetPrecondition, type UnmetPrecondition } from './preconditions.ts';

/** A webhook that an event goes to; `deliveryId` is new, by the database's clock. */
export type Subscriber = { id: string; variant: Variant; sendable: boolean; deliveryId: string };

type Webhook = { id: string; variant: Variant; events: string[]; unmet: UnmetPrecondition | null };

/** What a transaction has read of an account, and of which webhooks it is decided under their locks whether they may be sent to. */
type Known = Read & { decided: Set<string> };
type Read = { webhooks: Webhook[]; newIds: string[] };

/** By transaction and by account. */
const knownIn = new WeakMap<Sql, Map<string, Promise<Known>>>();

/**
 * The account's webhooks that an event goes to, read once in a transaction. An unverified one receives and keeps nothing. Where one
 * may not be sent to, that is decided again while nobody can change it, until the transaction ends: a delivery is either parked
 * before a re-enabling or a plan change, and found by it, or sent after it.
 */
export const listSubscribers = async (sql: Sql, accountId: string, name: EventName): Promise<Subscriber[]> => {
  const known = await know(sql, accountId);
  const concerned = () => known.webhooks.filter((webhook) => subscribes(webhook.variant, webhook.events, name));
  const undecided = concerned().filter(({ id, unmet }) => unmet !== null && !known.decided.has(id));
  if (undecided.length > 0) {
    const ids = undecided.map(({ id }) => id);
    await shareWebhooks(sql, ids);
    for (const id of ids) known.decided.add(id);
    // Read after the locks are there: what whoever had them before has changed is seen.
    Object.assign(known, await read(sql, accountId));
  }
  const subscribers = concerned();
  const newIds = await takeIds(sql, known, subscribers.length);
  return subscribers.map(({ id, variant, unmet }, index) => {
    const deliveryId = newIds[index];
    if (deliveryId === undefined) throw new Error('a delivery has no id');
    // One that is not locked was sendable a moment ago: it stays pending, and its attempt parks it under a lock of its own.
    return { id, variant, sendable: unmet === null || !known.decided.has(id), deliveryId };
  });
};

const know = (sql: Sql, accountId: string): Promise<Known> => {
  const accounts = knownIn.get(sql) ?? new Map<string, Promise<Known>>();
  knownIn.set(sql, accounts);
  const known =
    accounts.get(accountId) ?? read(sql, accountId).then((found) => ({ ...found, decided: new Set<string>() }));
  accounts.set(accountId, known);
  return known;
};

/** With a new id for each, so that the first event of a transaction, most often its only one, asks for none. */
const read = async (sql: Sql, accountId: string): Promise<Read> => {
  const rows = await sql<(Webhook & { newId: string })[]>`
    select w.id, w.variant, w.events, ${unmetPrecondition(sql)} as unmet, uuidv7() as new_id
    from webhooks w join accounts a on a.id = w.account_id
    where w.account_id = ${accountId} and w.deleted_at is null and w.disabled_reason is distinct from 'unverified'
    order by w.id`;
  return { webhooks: rows, newIds: rows.map(({ newId }) => newId) };
};

const takeIds = async (sql: Sql, known: Known, count: number): Promise<string[]> => {
  if (known.newIds.length < count) {
    const rows = await sql<{ id: string }[]>`select uuidv7() as id from generate_series(1, ${known.webhooks.length})`;
    known.newIds.push(...rows.map(({ id }) => id));
  }
  return known.newIds.splice(0, count);
};
