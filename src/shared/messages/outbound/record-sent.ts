import type { Sql } from '../../platform/db/connect.ts';

/** A message that has arrived, and its lane, which the outbox of a process has; ids are UUIDs. */
export type SentMessage = {
  laneId: string;
  messageId: string;
  seq: number;
  /** The attempts that were made at it. */
  attempts: number;
  statusCode: number | undefined;
  ref: string | undefined;
};

/** A message that is recorded as sent, and whether its lane has more. */
type RecordedAsSent = { more: boolean; changed: boolean; conversationId: string; revision: number };

/**
 * Records messages that have arrived in one statement, each of another lane, and closes lanes in which nothing was queued after them: whoever queues
 * writes to the row of the lane, so that one of the two sees the other. One that stays open has made progress, so its sweeps count anew. Answers by
 * lane whether more is queued, and to which revision its conversation has come. It lacks lanes that are locked at the moment, themselves or their conversations, and those that `sender` has no more, of whose messages
 * nothing was recorded.
 */
export const recordSent = async (
  sql: Sql,
  { sent, sender }: { sent: readonly SentMessage[]; sender: string },
): Promise<Map<string, RecordedAsSent>> => {
  const rows = await sql<(RecordedAsSent & { laneId: string })[]>`
    with given as materialized (
      select * from jsonb_to_recordset(${sql.json(sent.map(asGiven))})
        as given (lane_id uuid, message_id uuid, seq bigint, attempts int, status_code int, ref text)
    ), held as materialized (
      select v.id from sendings s join conversations v on v.id = s.conversation_id
      where s.id = any(${sent.map(({ laneId }) => laneId)}::uuid[]) order by v.id for no key update of v skip locked
    ), locked as materialized (
      select id, conversation_id from sendings
      where id = any(${sent.map(({ laneId }) => laneId)}::uuid[]) and sender = ${sender} and conversation_id = any(array(select id from held))
      order by id for update skip locked
    ), counted as (
      update conversations v set revision = v.revision + 1
      where v.id = any(array(select conversation_id from locked)) returning v.id, v.revision
    ), message as (
      update outbound_messages o set status = 'sent', reason = null, detail = null, status_code = given.status_code,
        attempts_made = greatest(o.attempts_made, given.attempts), attempt_since = null, external_ref = coalesce(given.ref, o.external_ref),
        sent_at = clock_timestamp(), next_attempt_at = null, revision = counted.revision
      from given join locked on locked.id = given.lane_id join counted on counted.id = locked.conversation_id
      where o.message_id = given.message_id
      returning given.lane_id, old.status <> 'sent' as changed, o.conversation_id, o.revision
    ), closed as (
      delete from sendings s using given
      where s.id = given.lane_id and s.id = any(array(select id from locked)) and s.queued_to <= given.seq returning s.id
    ), kept as (
      update sendings s set sweeps = 0 from given
      where s.id = given.lane_id and s.id = any(array(select id from locked)) and s.queued_to > given.seq and s.sweeps > 0
    )
    select lane_id, changed, conversation_id, revision::float8 as revision,
      not exists (select from closed where closed.id = lane_id) as more
    from message`;
  return new Map(rows.map(({ laneId, ...recorded }) => [laneId, recorded]));
};

const asGiven = ({
  laneId,
  messageId,
  seq,
  attempts,
  statusCode = null,
  ref = null,
}: {
  [Field in keyof SentMessage]: SentMessage[Field] | null;
}) => ({ lane_id: laneId, message_id: messageId, seq, attempts, status_code: statusCode, ref });
