import type { Database } from '../platform/db/connect.ts';
import { withGenericPlan } from '../platform/db/plans.ts';
import { healthHours, liveDeliveriesAtMost, type WebhookHealth } from '../webhooks/health-schema.ts';
import { hourIn, hourMs } from './counts.ts';
import { failingSince } from './failing-webhooks.ts';
import { hoursReadyUntil } from './roll-up-kind.ts';

type Row = { id: string; failingSince: Date | null; hours: { hour: string; succeeded: number; failed: number }[] };

/**
 * Reads how deliveries to these webhooks (UUIDs) have gone within a day, all by one statement. Of hours that are not rolled up the latest deliveries
 * are counted, in the hour in which they were made.
 */
export const readWebhookHealth = async (
  db: Database,
  webhookIds: readonly string[],
): Promise<(webhookId: string) => WebhookHealth> => {
  const firstHour = Math.floor(Date.now() / hourMs) * hourMs - (healthHours - 1) * hourMs;
  const since = new Date(firstHour);
  const rows = await withGenericPlan(
    db,
    (sql) => sql<Row[]>`
    select w.id, failing.since as failing_since, hours.told as hours
    from webhooks w
    cross join lateral (select greatest(${hoursReadyUntil(sql, 'statistics_progress', sql`w.account_id`)}, ${since}) as live) as progress
    cross join lateral (${failingSince(sql)}) as failing
    cross join lateral (
      select coalesce(json_agg(json_build_object('hour', hour, 'succeeded', succeeded, 'failed', failed)), '[]') as told from (
        select hour, attempts - attempts_failed as succeeded, attempts_failed as failed from statistics_hours
        where account_id = w.account_id and webhook_id = w.id and event_name is null and hour >= ${since} and hour < progress.live
        union all
        select ${hourIn(sql, sql`created_at`)}, count(succeeded_at)::int, sum(greatest(0, attempts_made - (succeeded_at is not null)::int))::int
        from (
          select created_at, succeeded_at, attempts_made, is_test from deliveries
          where account_id = any(array[w.account_id]) and webhook_id = any(array[w.id]) and id >= uuid_from_time(progress.live)
          order by account_id desc, webhook_id desc, id desc limit ${liveDeliveriesAtMost}) as latest
        where not is_test group by 1) as counted) as hours
    where w.id = any(${[...webhookIds]}::uuid[])`,
  );
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
