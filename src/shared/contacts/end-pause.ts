import { contactChanged } from '../facts/contact-changed.ts';
import type { EventTransaction } from '../facts/tell.ts';

/** Ends the pause of a contact's automation, if there is one. The caller has locked the contact; ids are UUIDs. */
export const endPause = async (
  { sql, tell }: EventTransaction,
  { accountId, contactId }: { accountId: string; contactId: string },
): Promise<void> => {
  const { count } = await sql`
    update contacts set automation_paused_until = null, updated_at = now()
    where id = ${contactId} and automation_paused_until is not null`;
  if (count > 0) await tell(contactChanged({ accountId, contactId, fields: ['automation_paused_until'] }));
};
