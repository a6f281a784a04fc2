import type { Fragment, Sql } from '../platform/db/connect.ts';
import { activityKinds, firstAnswers, noActivity, type Activity } from './activity.ts';
import { hourIn, type Within } from './counts.ts';

/** The most rows of messages, contacts and runs that are read of the hours that are not rolled up, of each from the latest on. */
const liveCap = 5_000;

/** The most conversations whose first answer is looked for. */
const conversationsAtMost = 1_000;

type LiveActivity = { hours: { hour: Date; activity: Activity }[]; isCapped: boolean };

/** A kind in an hour; of first answers the bucket. */
type Row = { hour: string; kind: string; bucket: number | null; count: number };

/**
 * Counts what an account did in hours that are not rolled up yet, by indexes that begin with the account, at most `cap` rows of each table.
 * `isCapped` tells that there may be more.
 */
export const countLiveActivity = async (
  sql: Sql,
  accountId: string,
  { since, until, cap = liveCap }: Within & { cap?: number },
): Promise<LiveActivity> => {
  const account = sql`any(${[accountId]}::uuid[])`;
  const latest = (table: Fragment, columns: Fragment) => sql`
    select id, ${columns} from ${table}
    where account_id = ${account} and id >= uuid_from_time(${since}) and id < uuid_from_time(${until})
    order by account_id desc, id desc limit ${cap}`;
  const made = hourIn(sql, sql`uuid_extract_timestamp(id)`);
  const [row] = await sql<[{ isCapped: boolean; counts: Row[] }]>`
    with said as materialized (${latest(sql`messages`, sql`conversation_id, direction`)}
    ), met as materialized (${latest(sql`contacts`, sql`account_id`)}
    ), begun as materialized (${latest(sql`runs`, sql`account_id`)}
    ), ended as materialized (
      select status, ended_at from runs
      -- An upgrade builds the index later. Until then all runs would be read.
      where (select indisvalid from pg_index where indexrelid = to_regclass('runs_ended'))
        and account_id = ${account} and ended_at >= ${since} and ended_at < ${until}
      order by account_id desc, ended_at desc limit ${cap}
    ), spoken as materialized (
      select distinct conversation_id from said where direction = 'outbound' limit ${conversationsAtMost}
    ), answered as materialized (
      select answered.* from spoken c cross join lateral (${firstAnswers(sql, { since, until })}) as answered
    )
    select ${cap} <= greatest((select count(*) from said), (select count(*) from met), (select count(*) from begun), (select count(*) from ended))
      or ${conversationsAtMost} <= (select count(*) from spoken) as is_capped,
      (select coalesce(json_agg(counted), '[]') from (
        select hour, kind, bucket, count(*)::int as count from (
          select ${made} as hour, case direction when 'inbound' then 'messages_received' else 'messages_sent' end as kind, null::int as bucket from said
          union all select ${made}, 'new_contacts', null from met
          union all select ${made}, 'runs_started', null from begun
          union all select ${hourIn(sql, sql`ended_at`)}, 'runs_' || status, null from ended
          union all select ${hourIn(sql, sql`at`)}, 'first_answers', bucket from answered) as one
        group by hour, kind, bucket) as counted) as counts`;
  return {
    isCapped: row.isCapped,
    hours: row.counts.map(({ hour, ...counted }) => ({ hour: new Date(hour), activity: activityOf(counted) })),
  };
};

const activityOf = ({ kind, bucket, count }: Omit<Row, 'hour'>): Activity => {
  const activity = noActivity();
  const known = activityKinds.find(({ column }) => column === kind);
  if (known) activity[known.kind] = count;
  if (bucket !== null) activity.firstAnswers[bucket] = count;
  return activity;
};
