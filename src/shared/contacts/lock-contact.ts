import type { Sql } from '../platform/db/connect.ts';

/** The line of those that are about to lock this contact, a UUID; see `inLine`. */
export const contactLine = (contactId: string): string => `contact/${contactId}`;

/**
 * Locks a contact, and answers its time zone; undefined when the account has no such contact. Whatever touches a contact's automation begins with this; then come its runs, in
 * the order of their ids, then the rest.
 */
export const lockContact = async (
  sql: Sql,
  { accountId, contactId }: { accountId: string; contactId: string },
): Promise<{ timeZone: string | null } | undefined> => {
  const [locked] = await sql<{ timeZone: string | null }[]>`
    select time_zone from contacts where id = ${contactId} and account_id = ${accountId} for no key update`;
  return locked;
};
