import type { Database, Fragment, Sql } from '../platform/db/connect.ts';
import { bucketOf, endedInVain, hourMs, kindOfAttempt, mayHaveSince, type Kind, type Within } from './counts.ts';
import { eachBucket, latencyBoundsMs } from './histogram.ts';
import { after, cancellable, rollUpHours, type RollUpOptions } from './rolling.ts';

/** Ids and times of one delivery may be of clocks that differ by so much. */
const clocksDifferMs = 60_000;

/** Counts hours of events, deliveries and attempts from the logs into `statistics_hours`, as `rollUpHours` does. */
export const rollUp = (db: Database, options?: RollUpOptions): Promise<number> =>
  rollUpHours(db, { progress: 'statistics_progress', index: 'attempts_started', replaceHour }, options);

const replaceHour = async (sql: Sql, since: Date, signal: AbortSignal | undefined): Promise<void> => {
  const until = after(since, hourMs);
  await sql`delete from statistics_hours where hour = ${since}`;
  const counting = sql`
    with counted (account_id, webhook_id, event_name, kind, bucket, count) as materialized (
      select account_id, null::uuid, name, 'event', null::int, count(*) from events
      where id >= uuid_from_time(${since}) and id < uuid_from_time(${until})
      group by account_id, name
      union all
      select w.account_id, w.id, event_name, kind, null, count(*)
      -- Webhook by webhook, as the indexes are: "offset 0" keeps the planner from reading all deliveries.
      from webhooks w cross join lateral (select * from (${endedInVain(sql, { since, until })}) as ended offset 0) as ended
      where ${mayHaveSince(sql, since)}
      group by w.account_id, w.id, event_name, kind
      union all
      ${attempts(sql, { since, until })}
    )
    insert into statistics_hours (hour, account_id, webhook_id, event_name, events, failed, dropped, cancelled, attempts, attempts_failed, latency)
    select ${since}, account_id, webhook_id, event_name, case when grouping(webhook_id) = 1 then ${counts(sql, 'event')} end,
      ${counts(sql, 'failed')}, ${counts(sql, 'dropped')}, ${counts(sql, 'cancelled')},
      ${counts(sql, 'succeeded', 'unsuccessful')}, ${counts(sql, 'unsuccessful')}, ${latency(sql)}
    from counted
    group by grouping sets ((account_id), (account_id, event_name), (account_id, webhook_id), (account_id, webhook_id, event_name))
    -- Events have no webhook: they are no group beside the webhooks.
    having webhook_id is not null or grouping(webhook_id) = 1`;
  await cancellable(counting, signal);
};

/**
 * SQL: the attempts that began within an hour, by what their deliveries say of them. Nearly all are of deliveries that were made in that hour or the
 * one before: those lie side by side in both logs. The others are retries after an outage, and replays: each looks for its delivery.
 */
const attempts = (sql: Sql, { since, until }: Within): Fragment => {
  const [first, last] = [after(since, -hourMs), after(until, clocksDifferMs)];
  const began = sql`t.started_at >= ${since} and t.started_at < ${until} and t.kind <> 'check' and not d.is_test`;
  const grouped = sql`
    select t.account_id, t.webhook_id, d.event_name, ${kindOfAttempt(sql)} as counted_as, ${bucketOf(sql)} as bucket, count(*)`;
  const groups = sql`group by t.account_id, t.webhook_id, d.event_name, counted_as, bucket`;
  return sql`
    ${grouped}
    from attempts t join deliveries d on d.id = t.delivery_id
    where ${began} and t.delivery_id >= uuid_from_time(${first}) and t.delivery_id < uuid_from_time(${last})
      and d.id >= uuid_from_time(${first}) and d.id < uuid_from_time(${last})
    ${groups}
    union all
    ${grouped}
    from attempts t cross join lateral (select event_name, is_test from deliveries where id = t.delivery_id offset 0) as d
    where ${began} and t.delivery_id < uuid_from_time(${first})
    ${groups}`;
};

/** SQL: how many of these kinds there are. */
const counts = (sql: Sql, ...kinds: readonly Kind[]): Fragment =>
  sql`coalesce(sum(count) filter (where kind = any(${[...kinds]})), 0)::int`;

/** SQL: how many attempts each bucket has; null where there are none. */
const latency = (sql: Sql): Fragment => {
  const each = eachBucket(
    latencyBoundsMs,
    (bucket) => `coalesce(sum(count) filter (where bucket = ${bucket}), 0)::int`,
  );
  return sql`case when count(bucket) > 0 then array[${sql.unsafe(each.join(', '))}] end`;
};
