import { changed } from '../../facts/changed.ts';
import type { EventTransaction } from '../../facts/tell.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { nobody } from '../../platform/processes/own-process.ts';
import { nextRevision } from '../conversations/changes/revisions.ts';
import { startGraceSeconds } from './slots.ts';
import { laneWork, type LaneRow } from './work.ts';

/** A conversation of the account; ids are UUIDs. */
type Which = { accountId: string; conversationId: string };

/**
 * Withdraws the messages of flows that are queued in a conversation, but for those of which an attempt is under way, or a part has or may have
 * arrived. What is behind one that waited for its next attempt waits no longer. The caller has locked the conversation. The lane is locked before
 * its messages, as by whoever takes it: either an attempt has begun, or it never does.
 */
export const withdrawOfFlows = async (tx: EventTransaction, { accountId, conversationId }: Which): Promise<void> => {
  const { sql, tell } = tx;
  await sql`select from sendings where conversation_id = ${conversationId} for no key update`;
  const isUnsent = sql`
    conversation_id = ${conversationId} and status = 'queued' and run_id is not null and attempt_since is null and not unanswered
    and parts_sent = 0`;
  const queued = await sql`select from outbound_messages where ${isUnsent} limit 1`;
  if (queued.count === 0) return;
  const revision = await nextRevision(tx, { accountId, conversationId });
  const withdrawn = await sql<{ seq: number }[]>`
    update outbound_messages set status = 'withdrawn', next_attempt_at = null, revision = ${revision} where ${isUnsent}
    returning seq::float8 as seq`;
  const firstSeq = Math.min(...withdrawn.map(({ seq }) => seq));
  const lane = await replaceLane(sql, { accountId, conversationId, firstSeq });
  if (lane) tx.start(laneWork, { ...lane, ofOutbox: true });
  await tell(changed(accountId, 'messages', 'conversations'));
};

/**
 * Gives a lane whose first message was withdrawn a new id, for an outbox to take at once. Its workflow, which may wait for minutes, has no lane any more
 * when it asks. A lane stays as it is while an attempt is under way, or an outbox sends its messages.
 */
const replaceLane = async (
  sql: Sql,
  { accountId, conversationId, firstSeq }: Which & { firstSeq: number },
): Promise<LaneRow | undefined> => {
  const [lane] = await sql<LaneRow[]>`
    update sendings set id = uuidv7(), resumes = 0, sweeps = 0, sender = ${nobody},
      sweep_at = clock_timestamp() + make_interval(secs => ${startGraceSeconds})
    where conversation_id = ${conversationId} and account_id = ${accountId} and (sender is null or sender = ${nobody}) and not exists (
      select from outbound_messages o
      where o.conversation_id = ${conversationId} and o.status = 'queued' and (o.attempt_since is not null or o.seq < ${firstSeq}))
    returning ${laneWork.columns(sql)}`;
  return lane;
};
