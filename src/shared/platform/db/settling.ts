import type { Sql } from './connect.ts';

/** The first migration of this version's upgrade. */
const firstMigration = '0095_delivery_senders.sql';

/**
 * How long an operator may still go back to the version before, in ms: a week from the upgrade; 0 for a new installation. Until then
 * no workflow is given anything that the version before cannot go on with.
 */
export const readSettlingMs = async (sql: Sql): Promise<number> => {
  const [upgrade] = await sql<{ settlingMs: number }[]>`
    select greatest(0, 1000 * extract(epoch from applied_at + interval '7 days' - clock_timestamp()))::float8 as settling_ms
    from migrations
    where name = ${firstMigration} and exists (select from accounts where created_at < applied_at)`;
  return upgrade?.settlingMs ?? 0;
};
