import type { Fragment, Sql } from '../../platform/db/connect.ts';

/**
 * The most runs of one account whose first pass is still to come. At `refused`, requests that would begin another one are refused: they are sent
 * again. What cannot be refused, because a run or a contact causes it, has the room up to `leftOut`.
 */
export const backlogBounds = { refused: 10_000, leftOut: 50_000 } as const;

/** From here on an account is counted every second, because a flood may fill the rest soon. */
const watchedFrom = 5_000;

/** The share of new runs at which the others are counted: a flood meets it long before it is one, and everybody else hardly ever. */
const sampledShare = 0.01;

/** SQL: whether the account has no room for another run, and whether that should be counted anew; `b` is its row of `run_backlogs`, if any. */
export const backlogColumns = (sql: Sql, { most }: { most: number }): Fragment => sql`
  coalesce(b.runs >= ${most}, false) as is_full,
  case when b.runs >= ${watchedFrom} then b.counted_at < clock_timestamp() - interval '1 second'
    else random() < ${sampledShare} end as is_stale`;

const countLockClass = 7_205_784;

/** Counts the runs of an account whose first pass is still to come, and keeps the number. Does nothing while another transaction counts them. */
export const countBacklog = async (sql: Sql, accountId: string): Promise<void> => {
  await sql`
    insert into run_backlogs (account_id, runs, counted_at)
    select ${accountId}, (
      select count(*)::int from (
        select from runs where account_id = ${accountId} and step = 0 and status = 'running' limit ${backlogBounds.leftOut}) as unseen
    ), clock_timestamp()
    from (select pg_try_advisory_xact_lock(${countLockClass}, hashtext(${accountId}::uuid::text)) as is_first) as turn where is_first
    on conflict (account_id) do update set runs = excluded.runs, counted_at = excluded.counted_at`;
};
