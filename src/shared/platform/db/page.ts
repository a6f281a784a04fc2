import type { Fragment, Sql } from './connect.ts';

/** A page of a list of rows, newest first; `before` is the UUID of the last row of the page before. */
export type Page = { limit: number; before?: string | undefined };

/** SQL: the end of a query that lists rows by their id, behind its conditions. */
export const pageOf = (sql: Sql, { limit, before }: Page) => sql`
  ${before === undefined ? sql`` : sql`and id < ${before}`} order by id desc limit ${limit}`;

/**
 * SQL: a page of an account's rows in a log, behind further conditions on them. Its plan is made for all accounts, see `withGenericPlan`. Where
 * one account has nearly all rows, PostgreSQL would otherwise take the primary key, which has the same order, and read all of them for an
 * account that has few. Only an index that begins with the account has the order of account and id, and only a list of accounts makes that an
 * order to ask for.
 */
export const accountPageOf = (
  sql: Sql,
  accountId: string,
  { conditions, page: { limit, before } }: { conditions: Fragment; page: Page },
) => sql`
  where account_id = any(${[accountId]}::uuid[]) ${conditions} ${before === undefined ? sql`` : sql`and id < ${before}`}
  order by account_id desc, id desc limit ${limit}`;

/** A span of time; a bound that is null or not given bounds nothing. */
export type Span = { since?: Date | null | undefined; until?: Date | null | undefined };

/** SQL: the further condition that rows were made at `since` or later, and before `until`: their ids are in the order of time. */
export const madeWithin = (sql: Sql, { since, until }: Span) => sql`
  ${since ? sql`and id >= uuid_from_time(greatest(${since}::timestamptz, 'epoch'))` : sql``}
  ${until ? sql`and id < uuid_from_time(greatest(${until}::timestamptz, 'epoch'))` : sql``}`;
