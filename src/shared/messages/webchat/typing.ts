import type { Sql } from '../../platform/db/connect.ts';
import type { ThreadOf } from './thread.ts';

/** Who is about to write. */
export type Typing = { bot: boolean; agent: boolean };

/** A flow that waits for longer than this is not about to write, in seconds. */
const soonSeconds = 10;

/** Whether a flow is about to write to a contact: it goes on now, asks another service, or waits for a moment. */
export const isFlowTyping = async (sql: Sql, { contactId, channelId }: ThreadOf): Promise<boolean> => {
  const found = await sql`
    select from runs where contact_id = ${contactId} and ended_at is null and coalesce(channel_id = ${channelId}, true)
      and (status = 'running' or waiting = 'call'
        or (waiting = 'delay' and wake_at < clock_timestamp() + make_interval(secs => ${soonSeconds})))
    limit 1`;
  return found.count > 0;
};
