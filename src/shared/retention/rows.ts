import type { Sql } from '../platform/db/connect.ts';

/** So few at once that each statement takes some milliseconds. */
const batchRows = 1_000;

/**
 * Deletes one batch of the rows that are older than `retentionDays` and in no week that could be dropped: those that lie in
 * the logs' default partitions, and mails and bulk replays that are over. Answers how many; 0 when none is left.
 */
export const deleteOldRows = async (sql: Sql, retentionDays: number): Promise<number> => {
  // What is in progress stays; so do the attempts of a delivery that stays, hence the order.
  const batches = [
    sql`delete from deliveries_default where id in (
      select id from deliveries_default where ${older(sql, 'id', retentionDays)} and not in_progress limit ${batchRows})`,
    sql`delete from events_default where id in (
      select id from events_default where ${older(sql, 'id', retentionDays)} limit ${batchRows})`,
    sql`delete from attempts_default where delivery_id in (
      select delivery_id from attempts_default a where ${older(sql, 'delivery_id', retentionDays)}
        and not exists (select from deliveries d where d.id = a.delivery_id) limit ${batchRows})`,
    sql`delete from mails where id in (
      select id from mails where ${older(sql, 'id', retentionDays)} and status <> 'pending' limit ${batchRows})`,
    sql`delete from replays where id in (
      select id from replays where ${older(sql, 'id', retentionDays)} and status in ('finished', 'cancelled') limit ${batchRows})`,
  ];
  let deleted = 0;
  for (const batch of batches) deleted += (await batch).count;
  return deleted;
};

/** By the time that a UUIDv7 carries, which the primary key is sorted by. */
const older = (sql: Sql, id: string, retentionDays: number) =>
  sql`${sql(id)} < uuid_from_time(now() - make_interval(days => ${retentionDays}))`;
