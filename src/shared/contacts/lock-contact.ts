import type { Sql } from '../platform/db/connect.ts';

/** The line of those that are about to lock this contact, a UUID; see `inLine`. */
export const contactLine = (contactId: string): string => `contact/${contactId}`;

/**
 * Locks a contact, and answers its time zone, else its account's; undefined when the account has no such contact. Whatever touches a contact's
 * automation begins with this (`Transact` has the order of all locks).
 */
export const lockContact = async (
  sql: Sql,
  { accountId, contactId }: { accountId: string; contactId: string },
): Promise<{ timeZone: string } | undefined> => {
  const [locked] = await sql<{ timeZone: string }[]>`
    select coalesce(c.time_zone, a.time_zone) as time_zone from contacts c join accounts a on a.id = c.account_id
    where c.id = ${contactId} and c.account_id = ${accountId} for no key update of c`;
  return locked;
};
