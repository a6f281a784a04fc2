import { normalizeEmail } from '../accounts/email.ts';
import { parseId } from '../ids.ts';
import type { Sql } from '../platform/db/connect.ts';
import { pageOf, type Page } from '../platform/db/page.ts';
import type { UserRow } from './schema.ts';

/** A session that is over is deleted; the networks of a user then still tell when it last signed in. */
const lastSeenAt = (sql: Sql) => sql`
  greatest((select max(s.last_used_at) from sessions s where s.user_id = users.id),
    (select max(n.last_used_at) from user_networks n where n.user_id = users.id)) as last_seen_at`;

/** What a user is shown from, of the table `users`. */
export const userColumns = (sql: Sql) => sql`id, email, name, role, created_at, ${lastSeenAt(sql)}`;

/** An account's users, newest first. */
export const listUsers = (sql: Sql, accountId: string, page: Page): Promise<UserRow[]> => sql<UserRow[]>`
  select ${userColumns(sql)} from users where account_id = ${accountId} ${pageOf(sql, page)}`;

/** The user of this TypeID or e-mail address, of any account. Only for the operator. */
export const findUser = async (sql: Sql, idOrEmail: string): Promise<UserRow | undefined> => {
  const id = parseId('user', idOrEmail);
  const [user] = await sql<UserRow[]>`
    select ${userColumns(sql)} from users
    where ${id === undefined ? sql`lower(email collate "C") = ${normalizeEmail(idOrEmail)}` : sql`id = ${id}`}
    order by email = ${idOrEmail} desc limit 1`;
  return user;
};
