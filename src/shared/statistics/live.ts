import type { Fragment, Sql } from '../platform/db/connect.ts';
import { withDeleted } from '../webhooks/queries.ts';
import { bucketOf, endedInVain, hourIn, kindOfAttempt, mayHaveSince, type Kind, type Within } from './counts.ts';

/** The most that is read of the hours that are not rolled up: events, deliveries that succeeded, that ended otherwise, and that did not end. */
const liveCap = 5_000;

/** Of those deliveries at most so many times `liveCap` attempts are read. */
const attemptsPerDelivery = 5;

/** Whose statistics; ids are UUIDs. */
export type Asked = { accountId: string; webhookId?: string | undefined; eventName?: string | undefined };

/** So many of a kind in an hour; of attempts also in which bucket. */
type LiveCount = { hour: Date; kind: Kind; bucket: number | null; count: number };

type Live = { counts: LiveCount[]; isCapped: boolean };

/**
 * Counts from the logs what happened in hours that are not rolled up yet. Of each kind at most `cap` are read, those of a webhook from the latest on,
 * and of all their attempts five times as many. `isCapped` tells that there may be more. Attempts are found by their deliveries: those that succeeded
 * or ended since then, wait for a retry, or were parked. So a failed attempt at a delivery that had succeeded before is missing until it is rolled up.
 */
export const countLive = async (
  sql: Sql,
  { accountId, webhookId, eventName }: Asked,
  { since, until, cap = liveCap }: Within & { cap?: number },
): Promise<Live> => {
  const ofEvent = eventName === undefined ? sql`true` : sql`event_name = ${eventName}`;
  const most = sql`${cap}`;
  const attemptsAtMost = attemptsPerDelivery * cap;
  const ofHooks = (deliveries: Fragment) => sql`
    select found.* from hooks w cross join lateral (${deliveries} limit ${cap}) as found limit ${cap}`;
  const ofWebhook = sql`select id, event_name from deliveries where not is_test and webhook_id =`;
  // A list of webhooks makes theirs an order to ask for, which only their index has: see `accountPageOf`.
  const unfinished = (which: Fragment) =>
    sql`${ofWebhook} any(array[w.id]) and ${which} order by webhook_id desc, id desc`;
  const hooks =
    webhookId === undefined
      ? withDeleted(sql, accountId)
      : sql`select id, deleted_at from webhooks where account_id = ${accountId} and id = ${webhookId}`;
  const [row] = await sql<[Omit<Live, 'counts'> & { counts: (Omit<LiveCount, 'hour'> & { hour: string })[] }]>`
    with hooks as materialized (
      select id from (${hooks}) as w where ${mayHaveSince(sql, since)}
    ), happened as materialized (
      select name as event_name, uuid_extract_timestamp(id) as at from events
      where ${webhookId === undefined} and account_id = any(${[accountId]}::uuid[])
        and id >= uuid_from_time(${since}) and id < uuid_from_time(${until})
      order by account_id desc, id desc limit ${cap}
    ), ended as materialized (${ofHooks(sql`select * from (${endedInVain(sql, { since, until }, most)}) as ended`)}
    ), delivered as materialized (${ofHooks(sql`
      ${ofWebhook} w.id and succeeded_at >= ${since} order by succeeded_at desc`)}
    ), retrying as materialized (${ofHooks(unfinished(sql`status = 'retrying'`))}
    ), parked as materialized (${ofHooks(
      unfinished(sql`status = 'parked' and id >= uuid_from_time(${since}::timestamptz - interval '1 hour')`),
    )}
    ), tried as materialized (
      select ${hourIn(sql, sql`t.started_at`)} as hour, ${kindOfAttempt(sql)} as kind, ${bucketOf(sql)} as bucket
      from (
        select id, event_name from ended union all table delivered union all table retrying union all table parked
      ) as d cross join lateral (
        -- Delivery by delivery: "offset 0" keeps the planner from reading the hours of all accounts.
        select started_at, outcome, duration_ms from attempts
        where delivery_id = d.id and started_at >= ${since} and started_at < ${until} and kind <> 'check' offset 0) as t
      where ${ofEvent}
      limit ${attemptsAtMost + 1}
    )
    select is_capped, counts from (
      select ${cap} <= greatest((select count(*) from happened), (select count(*) from ended), (select count(*) from delivered),
        (select count(*) from retrying), (select count(*) from parked))
        or (select count(*) from tried) > ${attemptsAtMost} as is_capped
    ) as caps, (
      select coalesce(json_agg(counted), '[]') as counts from (
        select hour, kind, bucket, count(*)::int as count from (
          select ${hourIn(sql, sql`at`)} as hour, 'event' as kind, null::int as bucket from happened where ${ofEvent}
          union all select ${hourIn(sql, sql`at`)}, kind, null from ended where ${ofEvent}
          union all select hour, kind, bucket from tried) as one
        group by hour, kind, bucket) as counted) as all_counted`;
  return {
    isCapped: row.isCapped,
    counts: row.counts.map(({ hour, ...count }) => ({ hour: new Date(hour), ...count })),
  };
};
