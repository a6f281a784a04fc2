import type { Sql } from '../platform/db/connect.ts';

/** The class of the advisory lock on an account's plan; its key is the hash of the account's id. `webhooks/locks.ts` says who shares it. */
export const planLockClass = 7_205_762;

/** Takes the lock of this account's plan, and with it of all its webhooks, exclusively until the transaction ends. */
export const lockPlan = async (sql: Sql, accountId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${planLockClass}, hashtext(${accountId}::uuid::text))`;
};
