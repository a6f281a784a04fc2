import { changed } from '../../facts/changed.ts';
import type { Writer } from '../../facts/tell.ts';
import { nextRevision } from '../conversations/changes/revisions.ts';

/**
 * Withdraws the messages of flows that are queued in a conversation, but for those of which an attempt is under way, or a part has or may have
 * arrived. The caller has locked the conversation. The lane is locked before its messages, as by whoever takes it: either an attempt has begun, or it never does.
 */
export const withdrawOfFlows = async (
  tx: Writer,
  { accountId, conversationId }: { accountId: string; conversationId: string },
): Promise<void> => {
  const { sql, tell } = tx;
  await sql`select from sendings where conversation_id = ${conversationId} for no key update`;
  const isUnsent = sql`
    conversation_id = ${conversationId} and status = 'queued' and run_id is not null and attempt_since is null and not unanswered
    and parts_sent = 0`;
  const queued = await sql`select from outbound_messages where ${isUnsent} limit 1`;
  if (queued.count === 0) return;
  const revision = await nextRevision(tx, { accountId, conversationId });
  await sql`
    update outbound_messages set status = 'withdrawn', next_attempt_at = null, revision = ${revision} where ${isUnsent}`;
  await tell(changed(accountId, 'messages', 'conversations'));
};
