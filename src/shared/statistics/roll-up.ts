import type { Database, Fragment, Sql } from '../platform/db/connect.ts';
import { bucketOf, endedInVain, hourMs, kindOfAttempt, mayHaveSince, type Kind, type Within } from './counts.ts';
import { eachBucket, latencyBoundsMs } from './histogram.ts';
import { after, ofCounted, sumOf, timeAfter, type Counted, type RollUp } from './roll-up-kind.ts';
import { rollUpHours, type RollUpOptions } from './rolling.ts';

/** Ids and times of one delivery may be of clocks that differ by so much. */
const clocksDifferMs = 60_000;

/** Counts hours of events, deliveries and attempts from the logs into `statistics_hours`, as `rollUpHours` does. */
export const rollUp = (db: Database, options?: RollUpOptions): Promise<number> =>
  rollUpHours(db, statisticsRollUp, options);

const statisticsRollUp: RollUp = {
  progress: 'statistics_progress',
  hours: 'statistics_hours',
  index: 'attempts_started',
  timesAfter: (sql, account, within, rows) =>
    (['events', 'deliveries'] as const).map((table) => timeAfter(sql, table, account, { ...within, rows })),
  add: (sql, hour, within, which) => sql`
    with counted (account_id, webhook_id, event_name, kind, bucket, count) as materialized (
      select account_id, null::uuid, name, 'event', null::int, count(*) from events
      where id >= uuid_from_time(${within.since}) and id < uuid_from_time(${within.until}) ${ofCounted(sql, which, sql`account_id`)}
      group by account_id, name
      union all
      select w.account_id, w.id, event_name, kind, null, count(*)
      -- Webhook by webhook, as the indexes are: "offset 0" keeps the planner from reading all deliveries.
      from webhooks w cross join lateral (select * from (${endedInVain(sql, within)}) as ended offset 0) as ended
      where ${mayHaveSince(sql, within.since)} ${ofCounted(sql, which, sql`w.account_id`)}
      group by w.account_id, w.id, event_name, kind
      union all
      ${attempts(sql, within, which)}
    )
    insert into statistics_hours as h (hour, account_id, webhook_id, event_name, events, failed, dropped, cancelled, attempts, attempts_failed, latency)
    select ${hour}, account_id, webhook_id, event_name, case when grouping(webhook_id) = 1 then ${counts(sql, 'event')} end,
      ${counts(sql, 'failed')}, ${counts(sql, 'dropped')}, ${counts(sql, 'cancelled')},
      ${counts(sql, 'succeeded', 'unsuccessful')}, ${counts(sql, 'unsuccessful')}, ${latency(sql)}
    from counted
    group by grouping sets ((account_id), (account_id, event_name), (account_id, webhook_id), (account_id, webhook_id, event_name))
    -- Events have no webhook: they are no group beside the webhooks.
    having webhook_id is not null or grouping(webhook_id) = 1
    on conflict (account_id, webhook_id, event_name, hour) do update
    set events = h.events + excluded.events, failed = h.failed + excluded.failed, dropped = h.dropped + excluded.dropped,
      cancelled = h.cancelled + excluded.cancelled, attempts = h.attempts + excluded.attempts,
      attempts_failed = h.attempts_failed + excluded.attempts_failed, latency = ${sumOf(sql, [sql`h.latency`, sql`excluded.latency`])}`,
};

/**
 * SQL: the attempts that began within a time, by what their deliveries say of them. Nearly all are of deliveries that were made then or as long
 * before: those lie side by side in both logs. The others are retries after an outage, and replays: each looks for its delivery.
 */
const attempts = (sql: Sql, { since, until }: Within, which: Counted): Fragment => {
  const spanMs = Math.min(hourMs, until.getTime() - since.getTime());
  const [first, last] = [after(since, -spanMs), after(until, clocksDifferMs)];
  const began = sql`
    t.started_at >= ${since} and t.started_at < ${until} and t.kind <> 'check' and not d.is_test ${ofCounted(sql, which, sql`t.account_id`)}`;
  const grouped = sql`
    select t.account_id, t.webhook_id, d.event_name, ${kindOfAttempt(sql)} as counted_as, ${bucketOf(sql)} as bucket, count(*)`;
  const groups = sql`group by t.account_id, t.webhook_id, d.event_name, counted_as, bucket`;
  return sql`
    ${grouped}
    from attempts t join deliveries d on d.id = t.delivery_id
    where ${began} and t.delivery_id >= uuid_from_time(${first}) and t.delivery_id < uuid_from_time(${last})
      and d.id >= uuid_from_time(${first}) and d.id < uuid_from_time(${last}) ${ofCounted(sql, which, sql`d.account_id`)}
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
