import type { Sql } from './connect.ts';

/** A page of a list of rows, newest first; `before` is the UUID of the last row of the page before. */
export type Page = { limit: number; before?: string | undefined };

/** SQL: the end of a query that lists rows by their id, behind its conditions. */
export const pageOf = (sql: Sql, { limit, before }: Page) => sql`
  ${before === undefined ? sql`` : sql`and id < ${before}`} order by id desc limit ${limit}`;
