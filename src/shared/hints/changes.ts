import type { Topic } from '../facts/topics.ts';
import { among } from '../platform/db/among.ts';
import type { Fragment, Sql } from '../platform/db/connect.ts';
import { isNew, type Window } from './snapshots.ts';

// What has changed for these accounts, UUIDs, since a snapshot. Each list is read by an index, in its order, to a bound: a row that stands in it
// and was written by a transaction which the snapshot did not see has changed. What has gone is told by what is left.

/** A row that has changed; ids are UUIDs. */
export type Change = { accountId: string; topic: Topic; id: string };

/** The most deliveries in progress of an account that are followed. */
export const followedPerAccount = 200;

/**
 * SQL: the accounts, as rows `a`. Lists are read in the order of account and id, as `accountPageOf` says why: by an index that begins with the
 * account.
 */
const each = (sql: Sql, accounts: readonly string[]): Fragment => sql`unnest(${[...accounts]}::uuid[]) as a (id)`;

/** What a look sees of a topic's lists: which of their rows have changed, UUIDs, and a number that stands for all that are in them. */
export type ListLook = { accountId: string; topic: Topic; changed: string[]; contents: string };

/**
 * The newest rows of the lists that are short, or of which the newest matter; and the newest of each status that rows may have for long. Nothing of
 * a topic that has none. Without a window none has changed. Sessions are used all the time, which is not told: they come and go.
 */
export const lookAtLists = (sql: Sql, accounts: readonly string[], window?: Window) => sql<ListLook[]>`
  select a.id as account_id, row.topic, sum(uuid_hash_extended(row.id, 0))::text as contents,
    coalesce(array_agg(row.id) filter (where ${window ? isNew(sql, sql`row.version`, window) : sql`false`}), '{}') as changed
  from ${each(sql, accounts)} cross join lateral (
    (select 'webhooks' as topic, id, xmin as version from webhooks where account_id = any(array[a.id]) and deleted_at is null order by account_id desc, id desc limit 100)
    union all (select 'flows', id, xmin from flows where account_id = any(array[a.id]) order by account_id desc, id desc limit 100)
    union all (select 'replays', id, xmin from replays where account_id = any(array[a.id]) order by account_id desc, id desc limit 20)
    union all (select 'orders', id, xmin from orders where account_id = any(array[a.id]) order by account_id desc, id desc limit 100)
    union all (select 'contacts', id, xmin from contacts where account_id = a.id order by updated_at desc, id desc limit 100)
    union all (select 'conversations', id, xmin from conversations where account_id = any(array[a.id]) and status = 'open' order by account_id desc, id desc limit 100)
    union all (select 'conversations', id, xmin from conversations where account_id = any(array[a.id]) and status = 'closed' order by account_id desc, id desc limit 50)
    union all (select 'handovers', id, xmin from handovers where account_id = any(array[a.id]) and status = 'open' order by account_id desc, id desc limit 100)
    union all (select 'handovers', id, xmin from handovers where account_id = any(array[a.id]) order by account_id desc, id desc limit 50)
    union all (select 'runs', id, xmin from runs where account_id = any(array[a.id]) order by account_id desc, id desc limit 100)
    union all (select 'runs', of_status.id, of_status.version from unnest('{running,waiting,failed,cancelled}'::text[]) as s (status) cross join lateral (
      select id, xmin as version from runs where account_id = any(array[a.id]) and status = s.status and status <> 'completed' order by account_id desc, id desc limit 50) of_status)
    union all (select 'tags', id, xmin from tags where account_id = any(array[a.id]) order by account_id desc, id desc limit 100)
    union all (select 'custom-fields', id, xmin from custom_fields where account_id = any(array[a.id]) order by account_id desc, id desc limit 100)
    union all (select 'channels', id, xmin from channels where account_id = any(array[a.id]) order by account_id desc, id desc limit 100)
    union all (select 'credentials', id, xmin from credentials where account_id = any(array[a.id]) order by account_id desc, name desc limit 200)
    union all (select 'users', id, xmin from users where account_id = any(array[a.id]) order by account_id desc, id desc limit 100)
    union all (select 'invitations', id, xmin from invitations where account_id = any(array[a.id]) order by account_id desc, id desc limit 100)
    union all (select 'api-keys', id, xmin from api_keys where account_id = any(array[a.id]) order by account_id desc, id desc limit 100)
    union all (select 'account', id, xmin from accounts where id = a.id)
    union all (select 'account', account_id, xmin from handover_settings where account_id = a.id)
    union all (select 'sessions', newest.id, null from (
      select id from users where account_id = any(array[a.id]) order by account_id desc, id desc limit 50) u cross join lateral (
      select id from sessions where user_id = any(array[u.id]) order by user_id desc, id desc limit 10) newest)
  ) as row group by a.id, row.topic`;

/**
 * The newest deliveries, and those that succeeded lately: an old one that is replayed may begin and end between two looks. `since` is an age in
 * seconds.
 */
export const changesOfDeliveries = (
  sql: Sql,
  accounts: readonly string[],
  { window, sinceSeconds }: { window: Window; sinceSeconds: number },
) => sql<Change[]>`
  select a.id as account_id, 'deliveries' as topic, row.id from ${each(sql, accounts)} cross join lateral (
    (select id, xmin as version from deliveries where account_id = any(array[a.id]) order by account_id desc, id desc limit 100)
    union all (select late.id, late.version from webhooks w cross join lateral (
      select id, xmin as version from deliveries d
      where d.webhook_id = w.id and d.succeeded_at > now() - make_interval(secs => ${sinceSeconds}) and d.succeeded_at is not null and not d.is_test
      order by d.succeeded_at desc limit 60) late where w.account_id = a.id and w.deleted_at is null)
  ) as row where ${isNew(sql, sql`row.version`, window)}`;

/** Deliveries in progress, to be followed until they end, and which of them have changed. Without a window none has. */
export const deliveriesInProgress = (sql: Sql, accounts: readonly string[], window?: Window) => sql<
  { accountId: string; id: string; isNew: boolean }[]
>`
  select a.id as account_id, row.id, ${window ? isNew(sql, sql`row.version`, window) : sql`false`} as is_new
  from ${each(sql, accounts)} cross join lateral (
    select id, xmin as version from deliveries where account_id = a.id and sweep_at is not null
    order by webhook_id, sweep_at limit ${followedPerAccount + 1}) as row`;

/** Those of these deliveries, UUIDs, that have changed. */
export const changesAmongDeliveries = (sql: Sql, ids: readonly string[], window: Window) => sql<Change[]>`
  select account_id, 'deliveries' as topic, id from deliveries where ${among(sql, sql`id`, ids)} and ${isNew(sql, sql`xmin`, window)}`;

/** What an event says of other things. Ids in its data are TypeIDs. */
export type EventChange = { accountId: string; id: string; contactId: string | null; orderId: string | null };

/** The newest events. An event may be about an old contact or order. */
export const changesOfEvents = (sql: Sql, accounts: readonly string[], window: Window) => sql<EventChange[]>`
  select a.id as account_id, row.id, row.contact_id, row.order_id from ${each(sql, accounts)} cross join lateral (
    select id, contact_id, data -> 'order' ->> 'id' as order_id, xmin as version from events where account_id = any(array[a.id]) order by account_id desc, id desc limit 100
  ) as row where ${isNew(sql, sql`row.version`, window)}`;

/** A message that was written or sent, with what it belongs to; ids are UUIDs. */
type MessageChange = { accountId: string; id: string; conversationId: string; contactId: string };

/** `isCut`: there are older messages in that time which nobody has looked at, of whichever account. */
export type MessagesLook = { isCut: boolean; changed: MessageChange[] };

/** The most messages that a look reads, of all accounts together. */
const messagesAtOnce = 2_000;

/** The newest messages, by the time in their ids: those of all accounts, since no index has an account's in their order. `since` is an age in seconds. */
export const changesOfMessages = (
  sql: Sql,
  accounts: readonly string[],
  { window, sinceSeconds }: { window: Window; sinceSeconds: number },
) => sql<[MessagesLook]>`
  with newest as (
    select id, account_id, conversation_id, contact_id, xmin as version from messages
    where id > uuid_from_time(now() - make_interval(secs => ${sinceSeconds})) order by id desc limit ${messagesAtOnce})
  select (select count(*) from newest) = ${messagesAtOnce} as is_cut, coalesce(json_agg(json_build_object(
    'accountId', row.account_id, 'id', row.id, 'conversationId', row.conversation_id, 'contactId', row.contact_id)), '[]') as changed
  from newest as row left join outbound_messages o on o.message_id = row.id
  where row.account_id = any(${[...accounts]}::uuid[])
    and (${isNew(sql, sql`row.version`, window)} or (o.message_id is not null and ${isNew(sql, sql`o.xmin`, window)}))`;
