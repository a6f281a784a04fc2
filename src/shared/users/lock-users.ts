import { RequestError } from '../errors.ts';
import type { Sql } from '../platform/db/connect.ts';

/** A change of an account's users, and the user who makes it; ids are UUIDs. */
export type ByOwner = { accountId: string; by: string };

/**
 * Locks who belongs to an account until the transaction ends, so that two changes at once cannot each leave the other's owner as the last one.
 * Throws `forbidden` when the asker is no owner any more.
 */
export const lockUsers = async (sql: Sql, { accountId, by }: ByOwner): Promise<void> => {
  // The row of the account stands for the list. What refers to the account does not wait for this.
  await sql`select from accounts where id = ${accountId} for no key update`;
  const { count } = await sql`select from users where id = ${by} and account_id = ${accountId} and role = 'owner'`;
  if (count === 0) throw new RequestError('forbidden', 'This needs the role owner.');
};
