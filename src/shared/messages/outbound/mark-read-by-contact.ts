import { changed } from '../../facts/changed.ts';
import { talked } from '../../facts/talked.ts';
import type { Writer } from '../../facts/tell.ts';

/** The contact has read the message that the channel's service calls `ref`. A receipt that comes again changes nothing. Ids are UUIDs. */
export const markReadByContact = async (
  { sql, tell }: Writer,
  { accountId, channelId, ref }: { accountId: string; channelId: string; ref: string },
): Promise<void> => {
  const [read] = await sql<{ conversationId: string; revision: number }[]>`
    with message as materialized (
      select o.message_id, o.conversation_id from outbound_messages o join messages m on m.id = o.message_id
      where o.account_id = ${accountId} and o.external_ref = ${ref} and o.read_at is null and m.channel_id = ${channelId} limit 1
    ), counted as (
      update conversations v set revision = v.revision + 1 from message where v.id = message.conversation_id returning v.revision
    )
    update outbound_messages o set read_at = clock_timestamp(), revision = counted.revision from message, counted
    where o.message_id = message.message_id and o.read_at is null
    returning o.conversation_id, o.revision::float8 as revision`;
  if (!read) return;
  await tell(changed(accountId, 'messages', 'conversations'));
  await tell(talked(accountId, read.conversationId, read.revision));
};
