import type { Database, Sql } from './connect.ts';

/**
 * Reads with generic plans, which PostgreSQL makes once for all values. Over the partitions of a log it would plan each query anew,
 * which takes ten times as long as reading the page. Use it for queries whose best plan is the same for all values.
 */
export const withGenericPlan = async <Result>(db: Database, read: (sql: Sql) => Promise<Result>): Promise<Result> => {
  // postgres.js unwraps an array of promises that the callback returns, so the result stands in an object.
  const { result } = await db.begin(async (sql) => {
    await sql`set local plan_cache_mode = force_generic_plan`;
    return { result: await read(sql) };
  });
  return result;
};
