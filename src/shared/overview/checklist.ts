import type { Sql } from '../platform/db/connect.ts';
import { withDeleted } from '../webhooks/queries.ts';
import type { Overview } from './schema.ts';

/** How far a new account has come. Statistics remember deliveries that the log has no more. */
export const readChecklist = async (sql: Sql, accountId: string): Promise<Overview['checklist']> => {
  const [done] = await sql<
    [{ apiKey: boolean; channel: boolean; webhook: boolean; message: boolean; delivery: boolean }]
  >`
    select
      exists (select from api_keys where account_id = ${accountId} and revoked_at is null) as api_key,
      exists (select from channels where account_id = ${accountId}) as channel,
      exists (select from webhooks where account_id = ${accountId} and deleted_at is null and status = 'active') as webhook,
      exists (
        select from channels c cross join lateral (
          select from messages where channel_id = c.id and direction = 'inbound' limit 1) as message
        where c.account_id = ${accountId}) as message,
      exists (
        select from (${withDeleted(sql, accountId)}) as w cross join lateral (
          select from deliveries where webhook_id = w.id and succeeded_at is not null and not is_test limit 1) as delivered)
      or exists (
        select from statistics_hours
        where account_id = ${accountId} and webhook_id is null and event_name is null and attempts > attempts_failed) as delivery`;
  const { apiKey, channel, webhook, message, delivery } = done;
  return { api_key: apiKey, channel, webhook, message, delivery };
};
