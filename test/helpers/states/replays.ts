import type { Sql } from '../../../src/shared/platform/db/connect.ts';

// States of bulk replays that no writer of the product makes, and why tests need them.

/** Time passes: the sweep's look at a replay that runs is due. */
export const makeReplayOverdue = async (sql: Sql, id: string): Promise<void> => {
  await sql`update replays set sweep_at = now() where id = ${id} and in_progress`;
};

/** A database that no replay has used. */
export const forgetReplays = async (sql: Sql): Promise<void> => {
  await sql`delete from replays`;
};
