import type { Database, Fragment, Sql } from '../platform/db/connect.ts';
import { activityKinds, firstAnswers } from './activity.ts';
import type { Within } from './counts.ts';
import { answerBoundsMs, eachBucket } from './histogram.ts';
import { ofCounted, sumOf, timeAfter, type Counted, type RollUp } from './roll-up-kind.ts';
import { rollUpHours, type RollUpOptions } from './rolling.ts';

/** Counts hours of messages, contacts and runs into `activity_hours`, as `rollUpHours` does. */
export const rollUpActivity = (db: Database, options?: RollUpOptions): Promise<number> =>
  rollUpHours(db, activityRollUp, options);

const activityRollUp: RollUp = {
  progress: 'activity_progress',
  hours: 'activity_hours',
  index: 'runs_ended',
  timesAfter: (sql, account, within, rows) => [
    ...(['messages', 'contacts', 'runs'] as const).map((table) => timeAfter(sql, table, account, { ...within, rows })),
    sql`(
      select ended_at from runs where account_id = any(${account}) and ended_at >= ${within.since} and ended_at < ${within.until}
      order by account_id, ended_at offset ${rows} limit 1)`,
  ],
  add: (sql, hour, within, which) => {
    const kinds = activityKinds.map(({ column }) => `coalesce(sum(count) filter (where kind = '${column}'), 0)::int`);
    const buckets = eachBucket(
      answerBoundsMs,
      (bucket) => `coalesce(sum(count) filter (where bucket = ${bucket}), 0)::int`,
    );
    const added = activityKinds.map(({ column }) => `${column} = h.${column} + excluded.${column}`);
    return sql`
      insert into activity_hours as h (account_id, hour, ${sql.unsafe(activityKinds.map(({ column }) => column).join(', '))}, first_answers)
      select account_id, ${hour}, ${sql.unsafe(kinds.join(', '))},
        case when count(bucket) > 0 then array[${sql.unsafe(buckets.join(', '))}] end
      from (${counted(sql, within, which)}) as counted (account_id, kind, bucket, count)
      group by account_id
      on conflict (account_id, hour) do update
      set ${sql.unsafe(added.join(', '))}, first_answers = ${sumOf(sql, [sql`h.first_answers`, sql`excluded.first_answers`])}`;
  },
};

/** SQL: what each account did. Rows are found by the times in their ids, and the ends of runs account by account, as their index is. */
const counted = (sql: Sql, within: Within, which: Counted): Fragment => {
  const { since, until } = within;
  const made = sql`id >= uuid_from_time(${since}) and id < uuid_from_time(${until}) ${ofCounted(sql, which, sql`account_id`)}`;
  return sql`
    select account_id, case direction when 'inbound' then 'messages_received' else 'messages_sent' end as kind, null::int as bucket, count(*) as count
    from messages where ${made} group by account_id, direction
    union all
    select account_id, 'new_contacts', null, count(*) from contacts where ${made} group by account_id
    union all
    select account_id, 'runs_started', null, count(*) from runs where ${made} group by account_id
    union all
    select a.id, 'runs_' || status, null, count(*)
    from accounts a cross join lateral (
      select status from runs where account_id = any(array[a.id]) and ended_at >= ${since} and ended_at < ${until}
      order by account_id, ended_at offset 0) as ended
    where true ${ofCounted(sql, which, sql`a.id`)}
    group by a.id, status
    union all
    select c.account_id, 'first_answers', bucket, count(*)
    from (select distinct account_id, conversation_id from messages where ${made} and direction = 'outbound') as c
    cross join lateral (${firstAnswers(sql, within)}) as answered
    group by c.account_id, bucket`;
};
