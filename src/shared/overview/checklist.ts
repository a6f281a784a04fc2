import type { Sql } from '../platform/db/connect.ts';
import { channelsPerAccount } from '../messages/channels/schema.ts';
import { withDeleted } from '../webhooks/queries.ts';
import type { Overview } from './schema.ts';

/** How far a new account has come. Statistics remember deliveries that the log has no more. */
export const readChecklist = async (sql: Sql, accountId: string): Promise<Overview['checklist']> => {
  // What is asked for in the order of an index that begins with the account, or the channel, is read by that index: see `accountPageOf`.
  const listed = sql`any(${[accountId]}::uuid[])`;
  const [done] = await sql<
    [{ apiKey: boolean; channel: boolean; webhook: boolean; message: boolean; delivery: boolean }]
  >`
    with own_channels as materialized (
      select id from channels where account_id = ${listed} and deleted_at is null order by account_id, id limit ${channelsPerAccount}
    ), keys as materialized (
      select id from api_keys where account_id = ${listed} and revoked_at is null order by account_id, id limit 1
    )
    select
      exists (select from keys) as api_key,
      exists (select from own_channels) as channel,
      exists (select from webhooks where account_id = ${accountId} and deleted_at is null and status = 'active') as webhook,
      exists (
        select from own_channels c cross join lateral (
          select from messages where channel_id = any(array[c.id]) and direction = 'inbound'
          order by channel_id, external_id limit 1) as message) as message,
      exists (
        select from (${withDeleted(sql, accountId)}) as w cross join lateral (
          select from deliveries where webhook_id = w.id and succeeded_at is not null and not is_test limit 1) as delivered)
      or exists (
        select from statistics_hours
        where account_id = ${accountId} and webhook_id is null and event_name is null and attempts > attempts_failed) as delivery`;
  const { apiKey, channel, webhook, message, delivery } = done;
  return { api_key: apiKey, channel, webhook, message, delivery };
};
