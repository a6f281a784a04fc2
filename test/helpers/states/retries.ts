import type { Sql } from '../../../src/shared/platform/db/connect.ts';

// States of bulk retries that no writer of the product makes, and why tests need them.

/** Time passes: the sweep's look at a retry that runs is due. */
export const makeRetryOverdue = async (sql: Sql, id: string): Promise<void> => {
  await sql`update retries set sweep_at = now() where id = ${id} and in_progress`;
};
