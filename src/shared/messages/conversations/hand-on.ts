import { endPause } from '../../contacts/end-pause.ts';
import { lockContact } from '../../contacts/lock-contact.ts';
import { found } from '../../errors.ts';
import type { EventTransaction } from '../../facts/tell.ts';
import { endHandover } from '../../handovers/end.ts';
import { assign } from './assign.ts';
import { findConversation } from './find-conversations.ts';
import { addNote } from './notes.ts';

/** A conversation of the account, and the user who hands it on, if one does; UUIDs. */
type Which = { accountId: string; id: string; byUserId?: string | undefined };

/** Hands a conversation over to another user of the account, with a note for them. Throws as `assign` and `addNote`. */
export const handOver = async (
  tx: EventTransaction,
  { note, userId, ...which }: Which & { userId: string; note: string | undefined },
): Promise<void> => {
  const { accountId, id, byUserId } = which;
  await assign(tx, { accountId, id, userId, byUserId });
  if (note !== undefined) await addNote(tx, { accountId, id, userId: byUserId, text: note });
};

/**
 * Hands a conversation back to the bot: nobody looks after it, its handover, or that of no conversation, is resolved, and flows are no longer
 * paused. A handover of another conversation stays. Throws `not_found`.
 */
export const handBack = async (tx: EventTransaction, { accountId, id, byUserId }: Which): Promise<void> => {
  const { contactId } = found('conversation', await findConversation(tx.sql, accountId, id));
  await lockContact(tx.sql, { accountId, contactId });
  await endHandover(tx, { contactId, status: 'resolved', if: { conversationId: id } }, { byUserId });
  await assign(tx, { accountId, id, userId: null, byUserId });
  await endPause(tx, { accountId, contactId });
};
