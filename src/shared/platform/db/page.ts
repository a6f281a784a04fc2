import type { Sql } from './connect.ts';

/** A page of a list of rows, newest first; `before` is the UUID of the last row of the page before. */
export type Page = { limit: number; before?: string | undefined };

/** SQL: the end of a query that lists rows by their id, behind its conditions. */
export const pageOf = (sql: Sql, { limit, before }: Page) => sql`
  ${before === undefined ? sql`` : sql`and id < ${before}`} order by id desc limit ${limit}`;

/** A span of time; a bound that is null or not given bounds nothing. */
export type Span = { since?: Date | null | undefined; until?: Date | null | undefined };

/** SQL: the further condition that rows were made at `since` or later, and before `until`: their ids are in the order of time. */
export const madeWithin = (sql: Sql, { since, until }: Span) => sql`
  ${since ? sql`and id >= uuid_from_time(greatest(${since}::timestamptz, 'epoch'))` : sql``}
  ${until ? sql`and id < uuid_from_time(greatest(${until}::timestamptz, 'epoch'))` : sql``}`;
