import type { z } from 'zod';
import { showId } from '../ids.ts';
import type { Sql } from '../platform/db/connect.ts';
import { countedChannelsAtMost, type inboxCountsBody } from './schema.ts';

type Totals = Record<'mine' | 'waiting' | 'unassigned' | 'open' | 'snoozed' | 'closed', number>;

/**
 * How many conversations of an account are in each view: the kept rows, and what has changed since. Both are read by one statement, so that a fold
 * between them loses none. `userId` is whose `mine` is counted; ids are UUIDs.
 */
export const readInboxCounts = async (
  sql: Sql,
  { accountId, userId }: { accountId: string; userId: string | undefined },
): Promise<z.infer<typeof inboxCountsBody>> => {
  const [row] = await sql<(Totals & { byChannel: { channelId: string; open: number }[] })[]>`
    with cells as materialized (
      select stage, channel_id, assigned_to, sum(count) as count from (
        select stage, channel_id, assigned_to, count from inbox_counts where account_id = ${accountId}
        union all
        select stage, channel_id, assigned_to, delta from inbox_deltas where account_id = ${accountId}) as either
      group by stage, channel_id, assigned_to
    ), awake as (
      select * from cells where stage in ('open', 'waiting')
    ), channels as (
      select channel_id, sum(count)::int as open from awake group by channel_id having sum(count) > 0
      order by open desc, channel_id limit ${countedChannelsAtMost}
    )
    select
      (select coalesce(sum(count), 0)::int from awake where assigned_to = ${userId ?? null}) as mine,
      (select coalesce(sum(count), 0)::int from awake where stage = 'waiting') as waiting,
      (select coalesce(sum(count), 0)::int from awake where assigned_to is null) as unassigned,
      (select coalesce(sum(count), 0)::int from awake) as open,
      (select coalesce(sum(count), 0)::int from cells where stage = 'snoozed') as snoozed,
      (select coalesce(sum(count), 0)::int from cells where stage = 'closed') as closed,
      (select coalesce(json_agg(json_build_object('channelId', channel_id, 'open', open) order by open desc, channel_id), '[]')
        from channels) as by_channel`;
  if (!row) throw new Error('a statement of sums has no row');
  const { byChannel, mine, ...totals } = row;
  return {
    ...totals,
    mine: userId === undefined ? null : mine,
    by_channel: byChannel.map(({ channelId, open }) => ({ channel_id: showId('channel', channelId), open })),
  };
};
