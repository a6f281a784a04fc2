import { changed } from '../facts/changed.ts';
import type { Writer } from '../facts/tell.ts';

/**
 * A handover of a contact that had no open conversation is about the one that has just been opened. The contact is locked; ids are UUIDs.
 */
export const adoptHandover = async (
  { sql, tell }: Writer,
  { accountId, conversationId }: { accountId: string; conversationId: string },
): Promise<void> => {
  const { count } = await sql`
    update handovers h set conversation_id = opened.id from conversations opened
    where opened.id = ${conversationId} and h.contact_id = opened.contact_id and h.status = 'open' and h.conversation_id is null`;
  if (count > 0) await tell(changed(accountId, 'handovers', 'conversations'));
};
