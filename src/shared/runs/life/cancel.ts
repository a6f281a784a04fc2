import { lockContact } from '../../contacts/lock-contact.ts';
import { endRuns } from './end-runs.ts';
import type { EventTransaction } from '../../facts/tell.ts';

/** Which run, and why; `accountId` where somebody of that account asks. Ids are UUIDs. */
type Cancellation = { runId: string; accountId?: string; reason: string };

/**
 * Cancels a run and those that it has started. Answers false when there is no such run; one that has ended stays as it ended. A message that
 * is on its way is sent, and a request that is under way is broken off.
 */
export const cancelRun = async (tx: EventTransaction, { runId, accountId, reason }: Cancellation): Promise<boolean> => {
  const [run] = await tx.sql<{ contactId: string; accountId: string }[]>`
    select contact_id, account_id from runs where id = ${runId}
      ${accountId === undefined ? tx.sql`` : tx.sql`and account_id = ${accountId}`}`;
  if (!run) return false;
  await lockContact(tx.sql, run);
  await endRuns(tx, { ...run, runId, reason });
  return true;
};
