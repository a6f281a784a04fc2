import { changed } from '../../facts/changed.ts';
import { talked } from '../../facts/talked.ts';
import type { Writer } from '../../facts/tell.ts';
import type { EditedMessage } from './schema.ts';

/**
 * A contact has changed a message: its text is another from now on, and nothing else follows. One that came before 0.4 or over no channel of the
 * account, and an edit that is older than the one that is known, change nothing. Ids are UUIDs.
 */
export const editMessage = async (
  { sql, tell }: Writer,
  { accountId, channelId }: { accountId: string; channelId: string },
  { message_id, text, edited_at }: EditedMessage,
): Promise<void> => {
  const editedAt = new Date(edited_at * 1_000);
  const isNew = sql`m.text <> ${text} and coalesce(m.edited_at <= ${editedAt}, true)`;
  const [edited] = await sql<{ conversationId: string; revision: number }[]>`
    with message as materialized (
      select id, conversation_id from messages m
      where channel_id = ${channelId} and external_id = ${message_id} and direction = 'inbound' and account_id = ${accountId} and ${isNew} limit 1
    ), counted as (
      update conversations v set revision = v.revision + 1 from message where v.id = message.conversation_id returning v.revision
    )
    update messages m set text = ${text}, edited_at = ${editedAt}, revision = counted.revision from message, counted
    where m.id = message.id and ${isNew}
    returning m.conversation_id, m.revision::float8 as revision`;
  if (!edited) return;
  await tell(changed(accountId, 'messages', 'conversations'));
  await tell(talked(accountId, edited.conversationId, edited.revision));
};
