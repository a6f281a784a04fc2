import type { Database, Sql } from './connect.ts';

/**
 * Reads with plans that are made once for all values. Over the partitions of a log PostgreSQL takes a plan for just these values
 * for the cheaper one each time, and planning it takes ten times as long as the page itself. For queries whose best plan is the
 * same whatever is asked for.
 */
export const withGenericPlan = async <Result>(db: Database, read: (sql: Sql) => Promise<Result>): Promise<Result> => {
  // Boxed: postgres.js unwraps arrays of promises that it gets from the callback.
  const { result } = await db.begin(async (sql) => {
    await sql`set local plan_cache_mode = force_generic_plan`;
    return { result: await read(sql) };
  });
  return result;
};
