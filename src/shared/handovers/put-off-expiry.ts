import { usualHandoverHours } from '../accounts/handover-settings.ts';
import { changed } from '../facts/changed.ts';
import type { Writer } from '../facts/tell.ts';

/** A conversation of a contact of the account; ids are UUIDs. */
type Talk = { accountId: string; contactId: string; conversationId: string };

/**
 * Gives the open handover of a conversation, or of none, its whole time again `from` a moment on, now unless it is given: it does not expire under the
 * hands of an agent. Answers whether there is one. The caller has locked the contact.
 */
export const putOffExpiry = async (
  { sql, tell }: Writer,
  { accountId, contactId, conversationId, from = null }: Talk & { from?: Date | null },
): Promise<boolean> => {
  const put = await sql`
    update handovers set expires_at = coalesce(${from}::timestamptz, clock_timestamp()) + make_interval(hours => coalesce(
      (select expire_after_hours from handover_settings where account_id = ${accountId}), ${usualHandoverHours}))
    where contact_id = ${contactId} and status = 'open' and (conversation_id is null or conversation_id = ${conversationId})`;
  if (put.count > 0) await tell(changed(accountId, 'handovers'));
  return put.count > 0;
};
