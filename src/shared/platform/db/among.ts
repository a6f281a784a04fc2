import type { Fragment, Sql } from './connect.ts';

/** SQL: whether a log's id is one of these UUIDs. */
export const among = (sql: Sql, id: Fragment, ids: readonly string[]): Fragment =>
  sql`${id} = any(${[...ids]}::uuid[]) and ${inRangeOf(sql, id, ids)}`;

/**
 * SQL: whether a log's id lies between the first and the last of these UUIDs. By a range, one plan for all values leaves out the weeks in which
 * none of them lies. By a list it reads all of them, or is made anew for each list, which takes longer than running it.
 */
export const inRangeOf = (sql: Sql, id: Fragment, ids: readonly string[]): Fragment => {
  const sorted = ids.toSorted();
  return sql`${id} between ${sorted[0] ?? null}::uuid and ${sorted.at(-1) ?? null}::uuid`;
};
