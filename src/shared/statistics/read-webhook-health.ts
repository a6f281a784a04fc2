import type { Sql } from '../platform/db/connect.ts';
import { healthHours, liveDeliveriesAtMost, type WebhookHealth } from '../webhooks/health-schema.ts';
import { hourMs } from './counts.ts';

/** A webhook is failing from so many failed attempts of a delivery on: a single one may be a blip. */
const failuresAtLeast = 2;

/** The most retries of a webhook that are looked at, from the oldest on. */
const retriesAtMost = 100;

type Row = { id: string; failingSince: Date | null; hours: { hour: string; succeeded: number; failed: number }[] };

/**
 * Reads how deliveries to these webhooks (UUIDs) have gone within a day, all by one statement. A webhook is failing by the rule that
 * disables it (`disableExhaustedWebhook`), only earlier. Of hours that are not rolled up the latest deliveries are counted in the hour in which they
 * were made.
 */
export const readWebhookHealth = async (
  sql: Sql,
  webhookIds: readonly string[],
): Promise<(webhookId: string) => WebhookHealth> => {
  const firstHour = Math.floor(Date.now() / hourMs) * hourMs - (healthHours - 1) * hourMs;
  const since = new Date(firstHour);
  const consecutive = sql`
    not is_test and attempts_made >= ${failuresAtLeast} and first_attempt_at > last.success and first_attempt_generation = w.generation`;
  const rows = await sql<Row[]>`
    select w.id, failing.since as failing_since, hours.told as hours
    from webhooks w
    cross join (select greatest(rolled_up_until, ${since}) as live from statistics_progress) as progress
    cross join lateral (
      select coalesce((
        select succeeded_at from deliveries
        where webhook_id = any(array[w.id]) and succeeded_at is not null and not is_test
        order by webhook_id desc, succeeded_at desc limit 1), w.created_at) as success) as last
    cross join lateral (
      select min(first_attempt_at) as since from (
        (select * from (
          select first_attempt_at, attempts_made, first_attempt_generation, is_test from deliveries
          where webhook_id = any(array[w.id]) and status = 'retrying' and id >= uuid_from_time(last.success)
          order by webhook_id, id limit ${retriesAtMost}) as retries where ${consecutive})
        union all
        (select * from (
          select first_attempt_at, attempts_made, first_attempt_generation, is_test from deliveries
          where webhook_id = any(array[w.id]) and status in ('failed', 'dropped') and finished_at >= last.success
          order by webhook_id desc, finished_at desc limit ${retriesAtMost}) as lost where ${consecutive})
      ) as failed where w.status = 'active') as failing
    cross join lateral (
      select coalesce(json_agg(json_build_object('hour', hour, 'succeeded', succeeded, 'failed', failed)), '[]') as told from (
        select hour, attempts - attempts_failed as succeeded, attempts_failed as failed from statistics_hours
        where account_id = w.account_id and webhook_id = w.id and event_name is null and hour >= ${since} and hour < progress.live
        union all
        select date_trunc('hour', created_at, 'UTC'), count(succeeded_at)::int, sum(greatest(0, attempts_made - (succeeded_at is not null)::int))::int
        from (
          select created_at, succeeded_at, attempts_made, is_test from deliveries
          where account_id = any(array[w.account_id]) and webhook_id = any(array[w.id]) and id >= uuid_from_time(progress.live)
          order by account_id desc, webhook_id desc, id desc limit ${liveDeliveriesAtMost}) as latest
        where not is_test group by 1) as counted) as hours
    where w.id = any(${[...webhookIds]}::uuid[])`;
  const health = new Map(rows.map((row) => [row.id, showHealth(firstHour, row)]));
  const nothing = showHealth(firstHour, { failingSince: null, hours: [] });
  return (webhookId) => health.get(webhookId) ?? nothing;
};

const showHealth = (firstHour: number, { failingSince, hours }: Omit<Row, 'id'>): WebhookHealth => {
  const told = Array.from({ length: healthHours }, (_, place) => {
    const atMs = firstHour + place * hourMs;
    const counted = hours.filter(({ hour }) => new Date(hour).getTime() === atMs);
    const sum = (of: 'succeeded' | 'failed') => counted.reduce((total, one) => total + one[of], 0);
    return { at: new Date(atMs).toISOString(), succeeded: sum('succeeded'), failed: sum('failed') };
  });
  const succeeded = told.reduce((sum, one) => sum + one.succeeded, 0);
  const attempts = told.reduce((sum, one) => sum + one.succeeded + one.failed, 0);
  return {
    failing_since: failingSince?.toISOString() ?? null,
    success_rate: attempts === 0 ? null : succeeded / attempts,
    hours: told,
  };
};
