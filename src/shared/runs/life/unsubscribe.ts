import { lockContact } from '../../contacts/lock-contact.ts';
import { changed } from '../../facts/changed.ts';
import type { EventTransaction } from '../../facts/tell.ts';
import { endRuns } from './end-runs.ts';

/**
 * A contact has written STOP and wants no more messages, until it writes START. Its runs end. Who was blocked by the account stays so.
 */
export const unsubscribe = async (
  tx: EventTransaction,
  { accountId, contactId }: { accountId: string; contactId: string },
): Promise<void> => {
  await lockContact(tx.sql, { accountId, contactId });
  await tx.sql`
    update contacts set status = 'unsubscribed', updated_at = now() where id = ${contactId} and status = 'active'`;
  await tx.tell(changed(accountId, 'contacts'));
  await endRuns(tx, { contactId, accountId, reason: 'unsubscribed' });
};
