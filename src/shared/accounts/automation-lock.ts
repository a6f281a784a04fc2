import type { Fragment, Sql } from '../platform/db/connect.ts';

/** The class of the advisory lock on an account's automation; its key is the hash of the account's id. */
const automationLockClass = 7_205_764;

/**
 * SQL: shares the lock of this account's automation until the transaction ends. Whoever receives a message shares it before
 * `accounts.automated` is read: in an earlier statement, or in the same one that then locks the account's row `for key share`. So the account's
 * first publish waits for everybody who has not seen it.
 */
export const shareAutomation = (sql: Sql, accountId: string | Fragment): Fragment =>
  sql`pg_advisory_xact_lock_shared(${automationLockClass}, hashtext(${accountId}::uuid::text))`;

/** SQL: whether the same lock could be shared at once. */
export const tryToShareAutomation = (sql: Sql, accountId: string | Fragment): Fragment =>
  sql`pg_try_advisory_xact_lock_shared(${automationLockClass}, hashtext(${accountId}::uuid::text))`;

/**
 * Takes the lock of this account's automation exclusively until the transaction ends, and then the account's row as a deletion would: without
 * that, a `for key share` that waited for the lock would be content with the row as it was before.
 */
export const lockAutomation = async (sql: Sql, accountId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${automationLockClass}, hashtext(${accountId}::uuid::text))`;
  await sql`select from accounts where id = ${accountId} for update`;
};
