import { found, RequestError } from '../../errors.ts';
import { changed } from '../../facts/changed.ts';
import type { EventTransaction, Writer } from '../../facts/tell.ts';

/** A conversation of the account; the id is a UUID. */
type Which = { accountId: string; id: string };

type Assignment = {
  userId: string | null;
  /** Only while this user is assigned, or nobody (null). */
  ifAssignedTo?: string | null | undefined;
};

/**
 * Has a user of the account, a UUID, look after a conversation; null: nobody. Answers false where it was so already. Throws `not_found` for a user
 * and a conversation of others, and `conflict` where `ifAssignedTo` does not hold.
 */
export const assign = async (
  { sql, tell }: EventTransaction,
  { accountId, id, userId, ifAssignedTo }: Which & Assignment,
): Promise<boolean> => {
  if (userId !== null) {
    // Held until the transaction ends, so that a user who is removed meanwhile is taken off this conversation, too.
    const [user] = await sql`select id from users where id = ${userId} and account_id = ${accountId} for key share`;
    found('user', user);
  }
  const [was] = await sql<{ assignedTo: string | null }[]>`
    select assigned_to from conversations where id = ${id} and account_id = ${accountId} for no key update`;
  const { assignedTo } = found('conversation', was);
  if (assignedTo === userId) return false;
  if (ifAssignedTo !== undefined && assignedTo !== ifAssignedTo)
    throw new RequestError('conflict', 'The assignment has changed meanwhile.');
  await sql`update conversations set assigned_to = ${userId} where id = ${id}`;
  await tell(changed(accountId, 'conversations'));
  return true;
};

/** Takes a user who leaves off all conversations. */
export const unassignUser = async (
  { sql, tell }: Writer,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<void> => {
  const { count } =
    await sql`update conversations set assigned_to = null where assigned_to = ${userId} and account_id = ${accountId}`;
  if (count > 0) await tell(changed(accountId, 'conversations'));
};
