import type { Database } from '../platform/db/connect.ts';

/** The most changes that one transaction folds. */
const foldedAtOnce = 5_000;

/**
 * Folds what has changed into the kept counts, so that readers add up little. Any number of processes may do so at the same time: each takes changes that
 * no other has, and writes kept rows in the order of their keys.
 */
export const foldInboxCounts = async (db: Database, { signal }: { signal?: AbortSignal } = {}): Promise<void> => {
  for (;;) {
    if (signal?.aborted) return;
    const { count } = await db.begin(async (sql) => {
      const taken = await sql<{ accountId: string }[]>`
        with taken as (
          delete from inbox_deltas where id = any(array(select id from inbox_deltas order by id limit ${foldedAtOnce} for update skip locked))
          returning account_id, stage, channel_id, assigned_to, delta
        ), folded as (
          insert into inbox_counts (account_id, stage, channel_id, assigned_to, count)
          select account_id, stage, channel_id, assigned_to, sum(delta) from taken
          group by account_id, stage, channel_id, assigned_to having sum(delta) <> 0
          order by account_id, stage, channel_id, assigned_to
          on conflict (account_id, stage, channel_id, assigned_to) do update set count = inbox_counts.count + excluded.count
        )
        select account_id from taken`;
      const accountIds = [...new Set(taken.map(({ accountId }) => accountId))].toSorted();
      // Rows of users and channels that are gone. One that another fold is changing is left for the next time.
      await sql`
        delete from inbox_counts where count = 0 and ctid = any(array(
          select ctid from inbox_counts where account_id = any(${accountIds}::uuid[]) and count = 0 for update skip locked))`;
      return { count: taken.length };
    });
    if (count < foldedAtOnce) return;
  }
};
