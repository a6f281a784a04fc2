import { found } from '../errors.ts';
import type { Sql } from '../platform/db/connect.ts';
import { pageOf, type Page } from '../platform/db/page.ts';
import type { HadStatus, ListedOrderRow, NewOrder, OrderRow } from './schema.ts';

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

/** The statuses of an order, none for one that is not there, and the present time. Of the order of an id (UUID), or of an external id. */
export type Statuses = { history: readonly HadStatus[]; now: Date };

export const readStatuses = async (
  sql: Sql,
  accountId: string,
  order: { id: string } | { external_id: string },
): Promise<Statuses> => {
  const isIt = 'id' in order ? sql`id = ${order.id}` : sql`external_id = ${order.external_id}`;
  const [row] = await sql<[Statuses]>`
    select coalesce((select status_history from orders where account_id = ${accountId} and ${isIt}), '[]') as history,
      clock_timestamp() as now`;
  return row;
};

/** The statuses that an order has from now on; the last one is its status. */
type NextStatuses = { status: string; history: readonly HadStatus[]; now: Date };

/** Makes an order, or changes the one of its external id. Undefined when that one is another contact's. */
export const upsertOrder = async (
  sql: Sql,
  accountId: string,
  { order, placedAt, next }: { order: NewOrder; placedAt: Date | null; next: NextStatuses },
): Promise<WrittenOrder | undefined> => {
  const given = order.metadata === undefined ? null : sql.json(order.metadata);
  const [row] = await sql<WrittenOrder[]>`
    insert into orders (account_id, contact_id, external_id, number, status, currency, total, items, metadata, status_history,
      placed_at, created_at, updated_at)
    select ${accountId}, ${order.contact_id}, ${order.external_id}, ${order.number}, ${next.status}, ${order.currency}, ${order.total},
      ${sql.json(order.items)}, coalesce(${given}::jsonb, '{}'), ${sql.json(next.history)}, coalesce(${placedAt}::timestamptz, moment),
      moment, moment
    from (select ${next.now}::timestamptz as moment) now
    on conflict (account_id, external_id) do update set
      number = excluded.number, status = excluded.status, currency = excluded.currency, total = excluded.total, items = excluded.items,
      metadata = coalesce(${given}::jsonb, orders.metadata), placed_at = coalesce(${placedAt}::timestamptz, orders.placed_at),
      status_history = excluded.status_history, updated_at = excluded.updated_at
    where orders.contact_id = excluded.contact_id
    returning ${columns(sql)}, old.status as previous_status`;
  return row;
};

/** Gives the account's order its next statuses. The caller has locked its contact. Throws `not_found`. */
export const updateStatus = async (
  sql: Sql,
  { accountId, id, next }: { accountId: string; id: string; next: NextStatuses },
): Promise<WrittenOrder> => {
  const [row] = await sql<WrittenOrder[]>`
    update orders set status = ${next.status}, status_history = ${sql.json(next.history)}, updated_at = ${next.now}
    where account_id = ${accountId} and id = ${id}
    returning ${columns(sql)}, old.status as previous_status`;
  return found('order', row);
};
