import type { Sql } from '../platform/db/connect.ts';

/** Class of the advisory lock on an account's plan; its key is the hash of the account's id. Who shares it: `webhooks/locks.ts`. */
export const planLockClass = 7_205_762;

/** Has the plan of this account alone until the transaction ends, and with it all of its webhooks. */
export const lockPlan = async (sql: Sql, accountId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${planLockClass}, hashtext(${accountId}::uuid::text))`;
};
