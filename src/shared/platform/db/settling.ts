import type { Sql } from './connect.ts';

/** The migration with which this version's upgrade began. */
const firstMigration = '0007_log_indexes.sql';

/**
 * How long an operator may still go back to the version before, in ms: a week from the upgrade, and no time where this
 * version came first, before any account. Until then nothing is written into a workflow that the version before cannot go on with.
 */
export const readSettlingMs = async (sql: Sql): Promise<number> => {
  const [upgrade] = await sql<{ settlingMs: number }[]>`
    select greatest(0, 1000 * extract(epoch from applied_at + interval '7 days' - clock_timestamp()))::float8 as settling_ms
    from migrations
    where name = ${firstMigration} and exists (select from accounts where created_at < applied_at)`;
  return upgrade?.settlingMs ?? 0;
};
