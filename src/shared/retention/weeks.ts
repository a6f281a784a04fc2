import type { Sql } from '../platform/db/connect.ts';
import { isInUse } from '../platform/db/in-use.ts';

/** A week of the logs that is older than the retention; `deliveries` as the planner estimates them. */
export type OldWeek = {
  /** Its Monday, YYYY-MM-DD. */
  week: string;
  deliveries: number;
  bytes: number;
  /** Rounds in progress keep it; parked deliveries do not. */
  roundsInProgress: number;
};

/** The weeks of which every moment is more than `retentionDays` ago, oldest first. */
export const listOldWeeks = (sql: Sql, retentionDays: number): Promise<OldWeek[]> => sql<OldWeek[]>`
  with partition as (
    select i.inhparent, c.oid, c.reltuples,
      to_date(substring(c.relname from '_([0-9]{8})$'), 'YYYYMMDD')::timestamp at time zone 'UTC' as week
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in (select log::regclass from partitioned_logs())
  ), old as (
    select week, sum(pg_total_relation_size(oid))::float8 as bytes,
      coalesce(sum(greatest(reltuples, 0)) filter (where inhparent = 'deliveries'::regclass), 0)::float8 as deliveries
    from partition where week + interval '7 days' <= now() - make_interval(days => ${retentionDays})
    group by week
  )
  select to_char(week, 'YYYY-MM-DD') as week, deliveries, bytes, (
      select count(*)::int from deliveries d
      where d.id >= uuid_from_time(old.week) and d.id < uuid_from_time(old.week + interval '7 days')
        and d.in_progress
    ) as rounds_in_progress
  from old order by old.week`;

/** The outcome of a try to drop a week. */
export type Drop = 'dropped' | 'in progress' | 'in use';

/**
 * Drops a week's partitions of all logs in one transaction. It changes nothing when a round of the week has begun meanwhile (`in progress`), or
 * when a long reader holds the tables (`in use`). Idempotent.
 */
export const dropWeek = async (sql: Sql, week: string): Promise<Drop> => {
  try {
    const [row] = await sql<[{ dropped: boolean }]>`
      select drop_log_week(${week}::date::timestamp at time zone 'UTC') as dropped`;
    return row.dropped ? 'dropped' : 'in progress';
  } catch (error) {
    if (isInUse(error)) return 'in use';
    throw error;
  }
};
