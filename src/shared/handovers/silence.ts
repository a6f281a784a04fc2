import type { EventTransaction } from '../facts/tell.ts';
import { putOffExpiry } from './put-off-expiry.ts';
import { insertHandover } from './queries.ts';
import { tellRequested } from './request.ts';

/** A conversation of a contact of the account, and the user who answers there; ids are UUIDs. */
type Talk = { accountId: string; contactId: string; conversationId: string; byUserId: string };

/** Why an agent's answer opens a handover. */
const reason = 'An agent answered.';

/**
 * Silences the flows of a contact whom an agent answers: opens a handover, which whoever looks after the conversation has. Nothing is mailed, because
 * nobody has to come. One that is open lasts on; nothing is opened for an account without flows. The caller has locked the contact.
 */
export const silenceFlows = async (tx: EventTransaction, talk: Talk): Promise<void> => {
  const { accountId, contactId, conversationId, byUserId } = talk;
  if (await putOffExpiry(tx, talk)) return;
  const [account] = await tx.sql<{ automated: boolean }[]>`select automated from accounts where id = ${accountId}`;
  if (!account?.automated) return;
  const asked = { accountId, contactId, about: { conversationId }, reason, requestedBy: 'agent' } as const;
  const handover = await insertHandover(tx.sql, asked);
  if (handover) await tellRequested(tx, { accountId, handover, byUserId, isMailed: false });
};
