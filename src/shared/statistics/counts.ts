import type { Fragment, Sql } from '../platform/db/connect.ts';
import { latencyBoundsMs } from './histogram.ts';

export const hourMs = 3_600_000;

/** From `since`, and before `until`. */
export type Within = { since: Date; until: Date };

/** SQL: the hour of a time. `date_trunc` takes fifty times as long, because it knows time zones. */
export const hourIn = (sql: Sql, at: Fragment): Fragment => sql`date_bin('1 hour', ${at}, 'epoch'::timestamptz)`;

/** What is counted: events, deliveries by what they ended as unsent, attempts that succeeded, each of which delivered one, and attempts that failed. */
export const kinds = ['event', 'failed', 'dropped', 'cancelled', 'succeeded', 'unsuccessful'] as const;

export type Kind = (typeof kinds)[number];

/** SQL: what an attempt `t` counts as. */
export const kindOfAttempt = (sql: Sql): Fragment =>
  sql`case t.outcome when 'succeeded' then 'succeeded' else 'unsuccessful' end`;

/** SQL: the bucket of an attempt `t` by how long it took, from 0. */
export const bucketOf = (sql: Sql): Fragment => sql`width_bucket(t.duration_ms, ${[...latencyBoundsMs]}::int[])`;

/**
 * SQL: the deliveries of webhook `w` that ended without success within a time: as what (`kind`), and when. The indexes `deliveries_lost_since` and
 * `deliveries_cancelled` find them. `most`: only so many of both, the latest.
 */
export const endedInVain = (sql: Sql, { since, until }: Within, most?: Fragment): Fragment => {
  const finished = sql`
    webhook_id = w.id and finished_at >= ${since} and finished_at < ${until} and not is_test
    ${most ? sql`order by finished_at desc limit ${most}` : sql``}`;
  return sql`
    (select id, event_name, status as kind, finished_at as at from deliveries where status in ('failed', 'dropped') and ${finished})
    union all
    (select id, event_name, status, finished_at from deliveries where status = 'cancelled' and ${finished})`;
};

/** SQL: whether webhook `w` may have deliveries that ended after `since`. Those of a deleted one are cancelled soon. */
export const mayHaveSince = (sql: Sql, since: Date): Fragment =>
  sql`(w.deleted_at is null or w.deleted_at > ${since}::timestamptz - interval '1 day')`;
