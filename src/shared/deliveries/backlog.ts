import type { Sql } from '../db/connect.ts';

/** How many deliveries are unfinished, by status; served by the index of the unfinished ones. */
export const countUnfinished = (sql: Sql) => sql<{ status: string; count: number }[]>`
  select status, count(*)::int as count from deliveries where status in ('pending', 'retrying', 'parked') group by status`;
