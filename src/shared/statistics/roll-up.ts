import type { Database, Fragment, Sql } from '../platform/db/connect.ts';
import { bucketOf, endedInVain, hourMs, kindOfAttempt, mayHaveSince, type Kind, type Within } from './counts.ts';
import { eachBucket } from './latency.ts';

/**
 * How long after its end an hour is rolled up, in minutes: what happened in it is committed by then. What the database could be told only later,
 * because it was away, is counted with the next hour, which rolls up the one before it once more.
 */
const marginMinutes = 5;

/** The most hours of one call: what a long outage has left is caught up with in steps. */
const hoursAtOnce = 48;

/** An hour of a very busy installation takes PostgreSQL some seconds. In ms. */
const statementTimeoutMs = 600_000;

/** Ids and times of one delivery may be of clocks that differ by so much. */
const clocksDifferMs = 60_000;

type RollUpOptions = { now?: Date | undefined; signal?: AbortSignal | undefined };

/**
 * Rolls up the hours that are over, in their order: counts them from the logs into `statistics_hours`. An hour is counted whole and replaced, in the
 * transaction that moves `rolled_up_until`, so that nothing counts twice however often it is done. One process does it at a time: another one finds
 * the row locked, and leaves. Answers how many hours it has rolled up. Hours are over on the clock of the database, unless `now` is given. `signal`
 * cancels the hour under way; it then rejects.
 */
export const rollUp = async (db: Database, { now, signal }: RollUpOptions = {}): Promise<number> => {
  // Each hour would read all attempts.
  if (!(await isIndexed(db))) return 0;
  for (let rolledUp = 0; rolledUp < hoursAtOnce; rolledUp += 1) {
    if (signal?.aborted || !(await rollUpNext(db, { now, signal }))) return rolledUp;
  }
  return hoursAtOnce;
};

/** SQL: when the next hour of `statistics_progress` is to be rolled up. */
export const dueAt = (sql: Sql): Fragment =>
  sql`(rolled_up_until + interval '1 hour' + make_interval(mins => ${marginMinutes}))`;

/** Whether the index of attempts by their time is built, which after an upgrade may take a while. */
const isIndexed = async (sql: Sql): Promise<boolean> => {
  const [index] = await sql<{ indisvalid: boolean }[]>`
    select indisvalid from pg_index where indexrelid = 'attempts_started'::regclass`;
  return index?.indisvalid ?? false;
};

/** False when no hour is due, or another process is at it. */
const rollUpNext = (db: Database, { now, signal }: RollUpOptions): Promise<boolean> =>
  db.begin(async (sql) => {
    const [next] = await sql<{ hour: Date }[]>`
      select rolled_up_until as hour from statistics_progress
      where ${dueAt(sql)} <= ${now ?? sql`now()`} for update skip locked`;
    if (!next) return false;
    // A plan for this hour alone leaves out the weeks that have nothing of it. One core is busy with it at most.
    await sql`
      select set_config('statement_timeout', ${String(statementTimeoutMs)}, true),
        set_config('plan_cache_mode', 'force_custom_plan', true), set_config('max_parallel_workers_per_gather', '0', true),
        set_config('work_mem', '32MB', true)`;
    for (const hour of [after(next.hour, -hourMs), next.hour]) await replaceHour(sql, hour, signal);
    await sql`update statistics_progress set rolled_up_until = ${next.hour}::timestamptz + interval '1 hour'`;
    return true;
  });

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
  const cancel = (): void => counting.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  await counting.finally(() => signal?.removeEventListener('abort', cancel));
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

const after = (time: Date, ms: number): Date => new Date(time.getTime() + ms);

/** SQL: how many of these kinds there are. */
const counts = (sql: Sql, ...kinds: readonly Kind[]): Fragment =>
  sql`coalesce(sum(count) filter (where kind = any(${[...kinds]})), 0)::int`;

/** SQL: how many attempts each bucket has; null where there are none. */
const latency = (sql: Sql): Fragment => {
  const each = eachBucket((bucket) => `coalesce(sum(count) filter (where bucket = ${bucket}), 0)::int`);
  return sql`case when count(bucket) > 0 then array[${sql.unsafe(each.join(', '))}] end`;
};
