import type { Sql } from '../platform/db/connect.ts';
import { countedUpTo, readAtMost, waitingCap, type Waiting } from './schema.ts';

/**
 * What the navigation counts for agents: open conversations with a message that nobody has read, among the account's latest messages, and open
 * handovers that nobody has taken.
 */
export const readWaiting = async (sql: Sql, accountId: string): Promise<Waiting> => {
  const [row] = await sql<[{ unread: number; waiting: number }]>`
    with latest as materialized (
      select id, conversation_id, direction from messages
      where account_id = any(${[accountId]}::uuid[])
      order by account_id desc, id desc limit ${readAtMost}
    ), inbound as materialized (
      select distinct on (conversation_id) conversation_id, id from latest
      where direction = 'inbound' order by conversation_id, id desc
    ), handed_over as materialized (
      select assigned_to from handovers
      where account_id = any(${[accountId]}::uuid[]) and status = 'open'
      order by account_id, status, id limit ${readAtMost}
    )
    select
      (
        select count(*)::int from inbound cross join lateral (
          select from conversations
          where id = inbound.conversation_id and status = 'open' and (read_to is null or read_to < inbound.id) offset 0) as open
      ) as unread,
      (select count(*)::int from handed_over where assigned_to is null) as waiting`;
  return {
    unread_conversations: countedUpTo(row.unread, waitingCap),
    waiting_handovers: countedUpTo(row.waiting, waitingCap),
  };
};
