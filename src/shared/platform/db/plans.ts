import type { Database, Sql } from './connect.ts';

/**
 * Reads with generic plans, which PostgreSQL makes once for all values. Over the partitions of a log it would plan each query anew,
 * which takes ten times as long as reading the page. Use it for queries whose best plan is the same for all values.
 */
export const withGenericPlan = <Result>(db: Database, read: (sql: Sql) => Promise<Result>): Promise<Result> =>
  withPlans(db, 'force_generic_plan', read);

/** Reads with a plan of its own for each query. Use it for queries whose best plan depends on how frequent their values are. */
export const withOwnPlan = <Result>(db: Database, read: (sql: Sql) => Promise<Result>): Promise<Result> =>
  withPlans(db, 'force_custom_plan', read);

const withPlans = async <Result>(
  db: Database,
  mode: 'force_generic_plan' | 'force_custom_plan',
  read: (sql: Sql) => Promise<Result>,
): Promise<Result> => {
  // postgres.js unwraps an array of promises that the callback returns, so the result stands in an object.
  const { result } = await db.begin(async (sql) => {
    await sql`select set_config('plan_cache_mode', ${mode}, true)`;
    return { result: await read(sql) };
  });
  return result;
};
