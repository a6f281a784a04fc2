import { closeOne, tellClosed } from '../messages/conversations/close.ts';
import { findConversation } from '../messages/conversations/find-conversations.ts';
import type { ConversationRow } from '../messages/conversations/schema.ts';
import { found } from '../errors.ts';
import type { EventTransaction } from '../events/emit.ts';
import { endHandover } from './end-handover.ts';

/**
 * Closes a conversation, under its contact's lock, and emits conversation_closed. The handover that is of it, or of no conversation, is resolved with
 * it. A conversation that is closed already stays as it is. Throws `not_found`; `id` is a UUID.
 */
export const closeConversation = async (
  tx: EventTransaction,
  { accountId, id }: { accountId: string; id: string },
): Promise<ConversationRow> => {
  const closed = await closeOne(tx.sql, { accountId, id });
  if (closed) {
    const { contactId } = closed;
    await endHandover(tx, { contactId, status: 'resolved', if: { conversationId: id } });
    await tellClosed(tx, closed);
  }
  return found('conversation', await findConversation(tx.sql, accountId, id));
};
