import type { Fragment, Sql } from '../platform/db/connect.ts';

/** A webhook is failing from so many failed attempts of a delivery on: a single one may be a blip. */
const failuresAtLeast = 2;

/** The most retries of a webhook that are looked at, from the oldest on. */
const retriesAtMost = 100;

/**
 * SQL: since when webhook `w` has been failing (`since`), null where it is not: it is active, a delivery has failed twice or more, and none has
 * succeeded since the first attempt of that. It is the rule of `disableExhaustedWebhook`, met earlier.
 */
export const failingSince = (sql: Sql): Fragment => {
  const consecutive = sql`
    not is_test and attempts_made >= ${failuresAtLeast} and first_attempt_at > last.success and first_attempt_generation = w.generation`;
  const columns = sql`first_attempt_at, attempts_made, first_attempt_generation, is_test`;
  // A list of webhooks makes theirs an order to ask for, which only their index has: see `accountPageOf`.
  return sql`
    select min(failed.first_attempt_at) as since
    from (
      select coalesce((
        select succeeded_at from deliveries
        where webhook_id = any(array[w.id]) and succeeded_at is not null and not is_test
        order by webhook_id desc, succeeded_at desc limit 1), w.created_at) as success) as last
    cross join lateral (
      (select * from (
        select ${columns} from deliveries
        where webhook_id = any(array[w.id]) and status = 'retrying' and id >= uuid_from_time(last.success)
        order by webhook_id, id limit ${retriesAtMost}) as retries where ${consecutive})
      union all
      (select * from (
        select ${columns} from deliveries
        where webhook_id = any(array[w.id]) and status in ('failed', 'dropped') and finished_at >= last.success
        order by webhook_id desc, finished_at desc limit ${retriesAtMost}) as lost where ${consecutive})
    ) as failed
    where w.status = 'active'`;
};

/** The webhooks of an account that are failing, those that have been for the longest first; ids are UUIDs. */
export const listFailingWebhooks = (
  sql: Sql,
  accountId: string,
): Promise<{ id: string; url: string; failingSince: Date }[]> => sql<{ id: string; url: string; failingSince: Date }[]>`
  select w.id, w.url, failing.since as failing_since
  from webhooks w cross join lateral (${failingSince(sql)}) as failing
  where w.account_id = ${accountId} and w.deleted_at is null and w.status = 'active' and failing.since is not null
  order by failing.since, w.id`;
