import type { Sql } from '../platform/db/connect.ts';

/**
 * The first message of the contact that nobody has seen, of each of these conversations that agents have to answer; ids are UUIDs. An answer of a
 * user marks what came before as read. Nobody has to answer a contact that is blocked.
 */
export const findFirstUnseen = async (sql: Sql, conversationIds: readonly string[]): Promise<Map<string, string>> => {
  const rows = await sql<{ conversationId: string; messageId: string }[]>`
    select v.id as conversation_id, first.id as message_id from conversations v
    join contacts c on c.id = v.contact_id and c.status <> 'blocked' cross join lateral (
      select id from messages where conversation_id = v.id and direction = 'inbound'
        and id > coalesce(v.read_to, '00000000-0000-0000-0000-000000000000')
      order by id limit 1
    ) as first
    where v.id = any (${conversationIds}::uuid[]) and v.status = 'open' and v.snoozed_until is null
      and (v.assigned_to is not null or v.waiting_since is not null)`;
  return new Map(rows.map(({ conversationId, messageId }) => [conversationId, messageId]));
};
