import { lockContact } from '../contacts/lock-contact.ts';
import { found } from '../errors.ts';
import type { EventTransaction } from '../facts/tell.ts';
import { closeHandover, findHandover, listLapsed, type HandoverEnd } from '../handovers/queries.ts';
import type { HandoverRow } from '../handovers/schema.ts';
import { closeOne, tellClosed } from '../messages/conversations/close.ts';
import { findConversation } from '../messages/conversations/find-conversations.ts';
import type { ConversationRow } from '../messages/conversations/schema.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { Transact, Transaction } from '../platform/dispatch/transact.ts';
import { putInput } from './inputs.ts';
import { wakeRunsOf } from './life/wake-runs.ts';

/** The run that ends a handover, if one does: it is not woken. A UUID. */
type By = { except?: string | null };

/** Ends the open handover of a contact. Answers false when there is none, or not such a one. The caller has locked the contact. */
export const endHandover = async (tx: Transaction, end: HandoverEnd, { except = null }: By = {}): Promise<boolean> => {
  const ended = await closeHandover(tx.sql, end);
  if (ended) await tellRuns(tx, { ...ended, ...end }, { except });
  return ended !== undefined;
};

type Ended = { id: string; contactId: string; status: 'resolved' | 'expired' };

/** What runs do when a handover has ended: those that waited for that go on, and so do those that it has silenced. */
const tellRuns = async (tx: Transaction, { id: refId, contactId, status }: Ended, { except = null }: By) => {
  const waiting = await tx.sql<{ id: string }[]>`
    select id from runs where contact_id = ${contactId} and ended_at is null and waiting = 'handover' and id is distinct from ${except} order by id`;
  for (const { id } of waiting) await putInput(tx, { runId: id, kind: 'resolved', refId, data: { status } });
  await wakeRunsOf(tx, contactId, { except });
};

/** Resolves a handover, under its contact's lock. One that has ended stays as it ended. Throws `not_found`; `id` is a UUID. */
export const resolveHandover = async (
  tx: Transaction,
  { accountId, id, outcome }: { accountId: string; id: string; outcome: string | undefined },
): Promise<HandoverRow> => {
  const get = async () => found('handover', await findHandover(tx.sql, accountId, id));
  const { contactId } = await get();
  await lockContact(tx.sql, { accountId, contactId });
  await endHandover(tx, { contactId, status: 'resolved', outcome, if: { id } });
  return get();
};

/** The most handovers that one call of `expireHandovers` ends. */
const expiredAtOnce = 200;

/** Ends handovers whose time is over, each under its contact's lock. Any number of processes may do so at the same time. */
export const expireHandovers = async (
  { db, transact }: { db: Sql; transact: Transact },
  signal?: AbortSignal,
): Promise<void> => {
  for (const { id, accountId, contactId } of await listLapsed(db, expiredAtOnce)) {
    if (signal?.aborted) return;
    await transact(async (tx) => {
      await lockContact(tx.sql, { accountId, contactId });
      await endHandover(tx, { contactId, status: 'expired', if: { id } });
    });
  }
};

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
    await endHandover(tx, { contactId: closed.contactId, status: 'resolved', if: { conversationId: id } });
    await tellClosed(tx, closed);
  }
  return found('conversation', await findConversation(tx.sql, accountId, id));
};
