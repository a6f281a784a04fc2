import type { Sql } from '../platform/db/connect.ts';

/** The most rows that one statement deletes, so that it takes some milliseconds. */
const batchRows = 1_000;

/** Statistics are kept for so many days at least: 13 months, which is half a year with the half before it, and some days for time zones. */
const statisticsDays = 400;

/** Tokens of visitors of webchats are kept for so many days after their last use at least. */
const unusedTokenDays = 365;

/**
 * Deletes one batch of rows that are older than `retentionDays` and that no dropped week has: those in the default partitions of the logs,
 * mails, bulk replays, bulk retries and runs that are over, counts of what runs have caused, statistics, tokens of visitors who have not come for long, API keys that were revoked, and deleted webhooks to
 * which none of these refers. Answers how many; 0 when none is left.
 */
export const deleteOldRows = async (sql: Sql, retentionDays: number): Promise<number> => {
  const [logs] = await sql<[{ deleted: number }]>`
    select delete_old_log_rows(now() - make_interval(days => ${retentionDays}), ${batchRows}) as deleted`;
  const batches = [
    sql`delete from mails where id in (
      select id from mails where ${older(sql, retentionDays)} and sweep_at is null limit ${batchRows})`,
    sql`delete from replays where id in (
      select id from replays where ${older(sql, retentionDays)} and status in ('finished', 'cancelled') limit ${batchRows})`,
    sql`delete from retries where id in (
      select id from retries where ${older(sql, retentionDays)} and status in ('finished', 'cancelled') limit ${batchRows})`,
    sql`delete from runs where id in (
      select id from runs where ${older(sql, retentionDays)} and ended_at < now() - make_interval(days => ${retentionDays})
        and sweep_at is null limit ${batchRows})`,
    sql`delete from run_fan_outs where origin_run_id = any(array(
      select origin_run_id from run_fan_outs
      where hour < now() - make_interval(days => ${retentionDays}) order by hour limit ${batchRows}))`,
    sql`delete from statistics_hours where ctid = any(array(
      select ctid from statistics_hours
      where hour < now() - make_interval(days => ${Math.max(retentionDays, statisticsDays)}) order by hour limit ${batchRows}))`,
    sql`delete from activity_hours where ctid = any(array(
      select ctid from activity_hours
      where hour < now() - make_interval(days => ${Math.max(retentionDays, statisticsDays)}) order by hour limit ${batchRows}))`,
    sql`delete from webchat_tokens where hash = any(array(
      select hash from webchat_tokens where coalesce(used_at, created_at) < now() - make_interval(days => ${Math.max(retentionDays, unusedTokenDays)})
      order by coalesce(used_at, created_at) limit ${batchRows}))`,
    sql`delete from api_keys where id in (
      select id from api_keys where revoked_at < now() - make_interval(days => ${retentionDays}) order by revoked_at limit ${batchRows})`,
    // Each webhook looks for one of its deliveries: "offset 0" and the order keep the planner from reading all. Statistics keep the id alone.
    sql`delete from webhooks where id in (
      select w.id from webhooks w
      where w.deleted_at < now() - make_interval(days => ${retentionDays}) and w.deliveries_cancelled_at is not null
        and not exists (select from replays where webhook_id = w.id)
        and not exists (select from deliveries where account_id = w.account_id and webhook_id = any(array[w.id]) order by webhook_id offset 0)
      order by w.deleted_at limit ${batchRows})`,
  ];
  let { deleted } = logs;
  for (const batch of batches) deleted += (await batch).count;
  return deleted;
};

/** SQL: rows that are older, by the time in their UUIDv7, which the primary key sorts by. */
const older = (sql: Sql, retentionDays: number) =>
  sql`id < uuid_from_time(now() - make_interval(days => ${retentionDays}))`;
