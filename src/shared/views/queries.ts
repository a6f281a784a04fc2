import type { Sql } from '../platform/db/connect.ts';
import type { ListName, ViewRow } from './schema.ts';

const columns = (sql: Sql) => sql`id, list, name, query, user_id is null as is_shared, created_at`;

/** A user of an account, UUIDs. */
export type Viewer = { accountId: string; userId: string };

/** The user's views of a list, and those of the account, by name. Both are few. */
export const listViews = (sql: Sql, { accountId, userId }: Viewer, list: ListName) =>
  sql<ViewRow[]>`
    select ${columns(sql)} from list_views
    where account_id = ${accountId} and list = ${list} and (user_id = ${userId} or user_id is null)
    order by lower(name), id`;

/** A view that the user has, or undefined; `id` is its UUID. It is locked until the transaction ends. */
export const holdView = async (sql: Sql, { accountId, userId }: Viewer, id: string): Promise<ViewRow | undefined> => {
  const [row] = await sql<ViewRow[]>`
    select ${columns(sql)} from list_views
    where id = ${id} and account_id = ${accountId} and (user_id = ${userId} or user_id is null) for update`;
  return row;
};

/** The columns of a view that its writers set. `owner`: the UUID of its user, null for the account's. */
type Written = { accountId: string; owner: string | null; name: string; query: string };

/** Undefined where the user, or the account, has a view of this name. */
export const insertView = async (
  sql: Sql,
  { accountId, owner, list, name, query }: Written & { list: ListName },
): Promise<ViewRow | undefined> => {
  const [row] = await sql<ViewRow[]>`
    insert into list_views (account_id, user_id, list, name, query)
    values (${accountId}, ${owner}, ${list}, ${name}, ${query}) on conflict do nothing returning ${columns(sql)}`;
  return row;
};

/** Undefined where another view has the name. */
export const updateView = async (
  sql: Sql,
  { id, accountId, owner, list, name, query }: Written & { id: string; list: ListName },
): Promise<ViewRow | undefined> => {
  const [row] = await sql<ViewRow[]>`
    update list_views set user_id = ${owner}, name = ${name}, query = ${query}
    where id = ${id} and not exists (
      select from list_views o
      where o.account_id = ${accountId} and o.list = ${list} and o.user_id is not distinct from ${owner}::uuid
        and lower(o.name) = lower(${name}) and o.id <> ${id})
    returning ${columns(sql)}`;
  return row;
};

export const deleteView = async (sql: Sql, id: string): Promise<void> => {
  await sql`delete from list_views where id = ${id}`;
};

/** How many views of a list a user, or the account, has. */
export const countViews = async (
  sql: Sql,
  { accountId, owner, list }: Pick<Written, 'accountId' | 'owner'> & { list: ListName },
): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from list_views
    where account_id = ${accountId} and list = ${list} and user_id is not distinct from ${owner}::uuid`;
  return row?.count ?? 0;
};

/** The columns that a user has chosen for a list; null where there is no choice. */
export const findColumns = async (sql: Sql, userId: string, list: ListName): Promise<string[] | null> => {
  const [row] = await sql<{ columns: string[] }[]>`
    select columns from list_columns where user_id = ${userId} and list = ${list}`;
  return row?.columns ?? null;
};

/** Keeps a user's choice; null forgets it. */
export const keepColumns = async (
  sql: Sql,
  { userId, list, columns: chosen }: { userId: string; list: ListName; columns: readonly string[] | null },
): Promise<void> => {
  if (chosen === null) await sql`delete from list_columns where user_id = ${userId} and list = ${list}`;
  else
    await sql`
      insert into list_columns (user_id, list, columns) values (${userId}, ${list}, ${[...chosen]}::text[])
      on conflict (user_id, list) do update set columns = excluded.columns`;
};
