import type { Sql } from '../platform/db/connect.ts';
import { changed } from '../facts/changed.ts';
import type { Writer } from '../facts/tell.ts';
import { endSessions } from './sessions.ts';

/**
 * Sets a user's password, ends every session of the user, and forgets the networks that the user has signed in from, the links that set a
 * password and those that sign in. False when there is no such user, or when `replaces` is no longer the hash of the password.
 */
export const changePassword = async (
  { sql, tell }: Writer,
  { userId, passwordHash, replaces }: { userId: string; passwordHash: string; replaces?: string },
): Promise<boolean> => {
  const [user] = await sql<{ accountId: string }[]>`
    update users set password_hash = ${passwordHash}
    where id = ${userId} ${replaces === undefined ? sql`` : sql`and password_hash = ${replaces}`} returning account_id`;
  if (!user) return false;
  await endSessions(sql, userId);
  await sql`delete from user_networks where user_id = ${userId}`;
  await sql`delete from link_tokens where user_id = ${userId} or sign_in_user_id = ${userId}`;
  await tell(changed(user.accountId, 'users', 'sessions'));
  return true;
};

/** The hash of a user's password. */
export const findPasswordHash = async (sql: Sql, userId: string): Promise<string | undefined> => {
  const [user] = await sql<{ passwordHash: string }[]>`select password_hash from users where id = ${userId}`;
  return user?.passwordHash;
};

/**
 * Locks a user's password until the transaction ends. False when it has changed. Without the lock, a sign-in with the old password could open
 * a session after the change of the password has ended them all.
 */
export const holdPassword = async (
  sql: Sql,
  { userId, passwordHash }: { userId: string; passwordHash: string },
): Promise<boolean> => {
  const { count } = await sql`
    select from users where id = ${userId} and password_hash = ${passwordHash} for no key update`;
  return count > 0;
};
