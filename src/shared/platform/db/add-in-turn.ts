import type { Sql } from './connect.ts';

/**
 * Has the transactions that add one of these things to an account, a UUID, take turns until they end, so that a bound on them is exact. Count them in
 * a statement of its own afterwards: it sees what the one before has added.
 */
export const addInTurn = async (sql: Sql, things: string, accountId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`parley.${things}/${accountId}`}, 0))`;
};
