import type { Fragment, Sql } from '../platform/db/connect.ts';
import { pageOf, type Page } from '../platform/db/page.ts';
import { orderLimits, type ListedOrderRow, type NewOrder, type OrderRow } from './schema.ts';

const listedColumns = (sql: Sql) => sql`
  id, external_id, contact_id, number, status, currency, total::float8, placed_at, metadata, created_at, updated_at`;

const columns = (sql: Sql) => sql`${listedColumns(sql)}, items, status_history`;

/** The account's order, or undefined; `id` is its UUID. */
export const findOrder = async (sql: Sql, accountId: string, id: string): Promise<OrderRow | undefined> => {
  const [row] = await sql<OrderRow[]>`
    select ${columns(sql)} from orders where account_id = ${accountId} and id = ${id}`;
  return row;
};

/** The UUID of the account's order with this external id, or undefined. */
export const findOrderByExternalId = async (
  sql: Sql,
  accountId: string,
  externalId: string,
): Promise<string | undefined> => {
  const [row] = await sql<{ id: string }[]>`
    select id from orders where account_id = ${accountId} and external_id = ${externalId}`;
  return row?.id;
};

/** Which orders; ids are UUIDs. */
type OrderFilter = {
  contact_id?: string | undefined;
  status?: string | undefined;
  external_id?: string | undefined;
};

/** A page of the account's orders, newest first. */
export const listOrders = (sql: Sql, accountId: string, { filter, page }: { filter: OrderFilter; page: Page }) =>
  sql<ListedOrderRow[]>`
    select ${listedColumns(sql)} from orders
    where account_id = ${accountId}
      ${filter.contact_id === undefined ? sql`` : sql`and contact_id = ${filter.contact_id}`}
      ${filter.status === undefined ? sql`` : sql`and status = ${filter.status}`}
      ${filter.external_id === undefined ? sql`` : sql`and external_id = ${filter.external_id}`}
      ${pageOf(sql, page)}`;

/** An order after a write, and the status that it had before; null for one that is new. */
export type WrittenOrder = OrderRow & { previousStatus: string | null };

/** Makes an order, or changes the one of its external id. Undefined when that one is another contact's. */
export const upsertOrder = async (
  sql: Sql,
  accountId: string,
  { contact_id: contactId, placed_at, metadata, ...order }: NewOrder,
): Promise<WrittenOrder | undefined> => {
  const placedAt = placed_at ?? null;
  const given = metadata === undefined ? null : sql.json(metadata);
  const [row] = await sql<WrittenOrder[]>`
    insert into orders (account_id, contact_id, external_id, number, status, currency, total, items, metadata, status_history,
      placed_at, created_at, updated_at)
    select ${accountId}, ${contactId}, ${order.external_id}, ${order.number}, ${order.status}, ${order.currency}, ${order.total},
      ${sql.json(order.items)}, coalesce(${given}::jsonb, '{}'), jsonb_build_array(${statusSince(sql, order.status, sql`moment`)}),
      coalesce(${placedAt}::timestamptz, moment), moment, moment
    from clock_timestamp() as moment
    on conflict (account_id, external_id) do update set
      number = excluded.number, status = excluded.status, currency = excluded.currency, total = excluded.total, items = excluded.items,
      metadata = coalesce(${given}::jsonb, orders.metadata), placed_at = coalesce(${placedAt}::timestamptz, orders.placed_at),
      status_history = ${historyWith(sql, order.status, sql`excluded.updated_at`)}, updated_at = excluded.updated_at
    where orders.contact_id = excluded.contact_id
    returning ${columns(sql)}, old.status as previous_status`;
  return row;
};

/** Gives the account's order another status. Undefined when it has this one already, and when there is no such order. */
export const updateStatus = async (
  sql: Sql,
  { accountId, id, status }: { accountId: string; id: string; status: string },
): Promise<WrittenOrder | undefined> => {
  const [row] = await sql<WrittenOrder[]>`
    update orders set status = ${status}, status_history = ${historyWith(sql, status, sql`moment`)}, updated_at = moment
    from clock_timestamp() as moment
    where account_id = ${accountId} and id = ${id} and status <> ${status}
    returning ${columns(sql)}, old.status as previous_status`;
  return row;
};

/** SQL: an entry of the history. */
const statusSince = (sql: Sql, status: string, at: Fragment) =>
  sql`jsonb_build_object('status', ${status}::text, 'changed_at', ${at})`;

/** SQL: the history with one entry more where the status is another one, and without its oldest where there would be too many. */
const historyWith = (sql: Sql, status: string, at: Fragment) => sql`
  case when orders.status = ${status} then orders.status_history
    when jsonb_array_length(orders.status_history) < ${orderLimits.statuses} then orders.status_history || ${statusSince(sql, status, at)}
    else (orders.status_history - 0) || ${statusSince(sql, status, at)} end`;
