import type { Sql } from '../../platform/db/connect.ts';

/** The contact has read the message that the channel's service calls `ref`. A receipt that comes again changes nothing. Ids are UUIDs. */
export const markReadByContact = async (
  sql: Sql,
  { accountId, channelId, ref }: { accountId: string; channelId: string; ref: string },
): Promise<void> => {
  await sql`
    update outbound_messages o set read_at = clock_timestamp() from messages m
    where o.account_id = ${accountId} and o.external_ref = ${ref} and o.read_at is null
      and m.id = o.message_id and m.channel_id = ${channelId}`;
};
