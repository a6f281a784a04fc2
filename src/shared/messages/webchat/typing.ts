import type { Sql } from '../../platform/db/connect.ts';
import type { ThreadOf } from './thread.ts';

/** Who is about to write. */
export type Typing = { bot: boolean; agent: boolean };

/** A flow that waits for longer than this is not about to write, in seconds. */
const soonSeconds = 10;

/** Nor is one that has been at it for so long, in seconds: a service may not answer, or Temporal may be away. */
const longestSeconds = 60;

/** Whether a flow is about to write to a contact: it goes on now, asks another service, or waits for a moment, and no agent has the contact. */
export const isFlowTyping = async (sql: Sql, of: ThreadOf): Promise<boolean> =>
  (await findFlowsTyping(sql, [of])).has(of.contactId);

/** The contacts among these, UUIDs, to whom a flow is about to write. */
export const findFlowsTyping = async (sql: Sql, all: readonly ThreadOf[]): Promise<Set<string>> => {
  const longAgo = sql`clock_timestamp() - make_interval(secs => ${longestSeconds})`;
  const rows = await sql<{ contactId: string }[]>`
    select asked.contact_id from unnest(
      ${all.map(({ contactId }) => contactId)}::uuid[], ${all.map(({ channelId }) => channelId)}::uuid[]
    ) as asked (contact_id, channel_id) cross join lateral (
      select from runs where contact_id = asked.contact_id and ended_at is null and coalesce(channel_id = asked.channel_id, true)
        and ((status = 'running' and started_at > ${longAgo})
          or (waiting = 'call' and waiting_since > ${longAgo})
          or (waiting = 'delay' and wake_at > ${longAgo} and wake_at < clock_timestamp() + make_interval(secs => ${soonSeconds})))
      limit 1
    ) as run join contacts c on c.id = asked.contact_id and c.handover_id is null`;
  return new Set(rows.map(({ contactId }) => contactId));
};
