import type { Sql } from '../platform/db/connect.ts';

/** The class of the advisory lock on an account's automation; its key is the hash of the account's id. */
const automationLockClass = 7_205_764;

/**
 * SQL: shares the lock of this account's automation until the transaction ends. Whoever receives a message shares it in a statement before
 * the one that reads `accounts.automated`, so that the account's first publish waits for everybody who has not seen it.
 */
export const shareAutomation = (sql: Sql, accountId: string) =>
  sql`pg_advisory_xact_lock_shared(${automationLockClass}, hashtext(${accountId}::uuid::text))`;

/** Takes the lock of this account's automation exclusively until the transaction ends. */
export const lockAutomation = async (sql: Sql, accountId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${automationLockClass}, hashtext(${accountId}::uuid::text))`;
};
