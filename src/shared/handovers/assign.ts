import { lockContact } from '../contacts/lock-contact.ts';
import { found } from '../errors.ts';
import { changed } from '../facts/changed.ts';
import { handoverChanged } from '../facts/handover-changed.ts';
import type { EventTransaction } from '../facts/tell.ts';
import { findHandover } from './queries.ts';
import type { HandoverRow } from './schema.ts';
import { whenByOther } from './when-by-other.ts';

/** Has a user of the account, a UUID, take a handover, and look after its conversation; null: nobody. One that has ended stays as it is. Throws `not_found` for a user and a handover of others. */
export const assignHandover = async (
  tx: EventTransaction,
  {
    accountId,
    id,
    userId,
    byUserId,
  }: { accountId: string; id: string; userId: string | null; byUserId?: string | undefined },
): Promise<HandoverRow> => {
  const { sql } = tx;
  const { contactId } = found('handover', await findHandover(sql, accountId, id));
  await lockContact(sql, { accountId, contactId });
  if (userId !== null) {
    // Held until the transaction ends, so that a user who is removed meanwhile is taken off this handover, too.
    const [user] = await sql`select id from users where id = ${userId} and account_id = ${accountId} for key share`;
    found('user', user);
  }
  // A trigger has the conversation follow, and does not know who assigns it.
  await sql`
    update conversations v set assigned_by_other_at = ${whenByOther(sql, { userId, byUserId })} from handovers h
    where h.id = ${id} and h.status = 'open' and h.assigned_to is distinct from ${userId} and v.id = h.conversation_id and v.status = 'open'`;
  const assigned = await sql`
    update handovers set assigned_to = ${userId}
    where id = ${id} and account_id = ${accountId} and status = 'open' and assigned_to is distinct from ${userId}`;
  const handover = found('handover', await findHandover(sql, accountId, id));
  if (assigned.count > 0) await tellTaken(tx, { accountId, handover, byUserId });
  return handover;
};

/** Takes a user who leaves off all handovers. */
export const unassignHandovers = async (
  tx: EventTransaction,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<void> => {
  const rows = await tx.sql<Taken['handover'][]>`
    update handovers set assigned_to = null where assigned_to = ${userId} and account_id = ${accountId}
    returning id, contact_id, conversation_id, assigned_to, status`;
  if (rows.length > 0) await tx.tell(changed(accountId, 'handovers'));
  for (const handover of rows) if (handover.status === 'open') await tellTaken(tx, { accountId, handover });
};

type Taken = {
  accountId: string;
  handover: Pick<HandoverRow, 'id' | 'contactId' | 'conversationId' | 'assignedTo' | 'status'>;
  byUserId?: string | undefined;
};

const tellTaken = (tx: EventTransaction, { accountId, handover, byUserId }: Taken): Promise<void> => {
  const { id: handoverId, contactId, conversationId, assignedTo } = handover;
  return tx.tell(
    handoverChanged({ accountId, contactId, conversationId, handoverId, kind: 'taken', assignedTo, byUserId }),
  );
};
