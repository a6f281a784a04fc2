import type { Sql } from '../platform/db/connect.ts';
import type { Transaction } from '../platform/dispatch/transact.ts';
import { endSessions } from './sessions.ts';

/**
 * Sets a user's password, and ends all that the one before gave: every session, and what is known of where the user signs in.
 * False when there is no such user, or when `replaces` is not the hash of the password any more.
 */
export const changePassword = async (
  { sql }: Transaction,
  { userId, passwordHash, replaces }: { userId: string; passwordHash: string; replaces?: string },
): Promise<boolean> => {
  const { count } = await sql`
    update users set password_hash = ${passwordHash}
    where id = ${userId} ${replaces === undefined ? sql`` : sql`and password_hash = ${replaces}`}`;
  if (count === 0) return false;
  await endSessions(sql, userId);
  await sql`delete from user_networks where user_id = ${userId}`;
  return true;
};

/** The hash of a user's password. */
export const findPasswordHash = async (sql: Sql, userId: string): Promise<string | undefined> => {
  const [user] = await sql<{ passwordHash: string }[]>`select password_hash from users where id = ${userId}`;
  return user?.passwordHash;
};

/**
 * Keeps a user's password as it is until the transaction ends; false when it has changed. Without it a sign-in that has just
 * been proved would open a session after a change of the password has ended them all.
 */
export const holdPassword = async (
  sql: Sql,
  { userId, passwordHash }: { userId: string; passwordHash: string },
): Promise<boolean> => {
  const { count } = await sql`
    select from users where id = ${userId} and password_hash = ${passwordHash} for no key update`;
  return count > 0;
};
