import postgres from 'postgres';
import type { Sql } from '../platform/db/connect.ts';
import { pageOf, type Page } from '../platform/db/page.ts';
import type { CannedReplyRow, NewCannedReply } from './schema.ts';

const columns = (sql: Sql) => sql`id, shortcut, text, created_at, updated_at`;

/** A page of the account's canned replies, newest first; of a search only those that contain it in any letter case. */
export const listCannedReplies = (
  sql: Sql,
  accountId: string,
  { search, ...page }: Page & { search?: string | undefined },
) => sql<CannedReplyRow[]>`
  select ${columns(sql)} from canned_replies
  where account_id = ${accountId}
    ${search === undefined ? sql`` : sql`and (strpos(lower(shortcut), lower(${search})) > 0 or strpos(lower(text), lower(${search})) > 0)`}
    ${pageOf(sql, page)}`;

/** The account's canned reply, or undefined; `id` is its UUID. */
export const findCannedReply = async (sql: Sql, accountId: string, id: string): Promise<CannedReplyRow | undefined> => {
  const [row] = await sql<CannedReplyRow[]>`
    select ${columns(sql)} from canned_replies where account_id = ${accountId} and id = ${id}`;
  return row;
};

/** The account's canned reply of this shortcut in any letter case, or undefined. */
export const findByShortcut = async (
  sql: Sql,
  accountId: string,
  shortcut: string,
): Promise<CannedReplyRow | undefined> => {
  const [row] = await sql<CannedReplyRow[]>`
    select ${columns(sql)} from canned_replies where account_id = ${accountId} and lower(shortcut) = lower(${shortcut})`;
  return row;
};

/** Undefined where another one has the shortcut. */
export const insertCannedReply = async (
  sql: Sql,
  accountId: string,
  { shortcut, text }: NewCannedReply,
): Promise<CannedReplyRow | undefined> => {
  const [row] = await sql<CannedReplyRow[]>`
    insert into canned_replies (account_id, shortcut, text) values (${accountId}, ${shortcut}, ${text})
    on conflict (account_id, lower(shortcut)) do nothing returning ${columns(sql)}`;
  return row;
};

/** Undefined when it is gone. Throws PostgreSQL's error where another one has the shortcut: see `isShortcutTaken`. */
export const updateCannedReply = async (
  sql: Sql,
  { accountId, id, shortcut, text }: NewCannedReply & { accountId: string; id: string },
): Promise<CannedReplyRow | undefined> => {
  const [row] = await sql<CannedReplyRow[]>`
    update canned_replies set shortcut = ${shortcut}, text = ${text}, updated_at = clock_timestamp()
    where account_id = ${accountId} and id = ${id} returning ${columns(sql)}`;
  return row;
};

export const isShortcutTaken = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.constraint_name === 'canned_replies_shortcut';

/** Answers whether there was one. */
export const deleteCannedReply = async (sql: Sql, accountId: string, id: string): Promise<boolean> => {
  const { count } = await sql`delete from canned_replies where account_id = ${accountId} and id = ${id}`;
  return count > 0;
};

/** How many canned replies the account has. */
export const countCannedReplies = async (sql: Sql, accountId: string): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from canned_replies where account_id = ${accountId}`;
  return row?.count ?? 0;
};
