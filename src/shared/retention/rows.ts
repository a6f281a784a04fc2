import type { Sql } from '../platform/db/connect.ts';

/** So few at once that each statement takes some milliseconds. */
const batchRows = 1_000;

/**
 * Deletes one batch of the rows that are older than `retentionDays` and in no week that could be dropped: those that lie in
 * the logs' default partitions, and mails and bulk replays that are over. Answers how many; 0 when none is left.
 */
export const deleteOldRows = async (sql: Sql, retentionDays: number): Promise<number> => {
  const [logs] = await sql<[{ deleted: number }]>`
    select delete_old_log_rows(now() - make_interval(days => ${retentionDays}), ${batchRows}) as deleted`;
  const batches = [
    sql`delete from mails where id in (
      select id from mails where ${older(sql, retentionDays)} and status <> 'pending' limit ${batchRows})`,
    sql`delete from replays where id in (
      select id from replays where ${older(sql, retentionDays)} and status in ('finished', 'cancelled') limit ${batchRows})`,
  ];
  let { deleted } = logs;
  for (const batch of batches) deleted += (await batch).count;
  return deleted;
};

/** By the time that a UUIDv7 carries, which the primary key is sorted by. */
const older = (sql: Sql, retentionDays: number) =>
  sql`id < uuid_from_time(now() - make_interval(days => ${retentionDays}))`;
