import { found } from '../../errors.ts';
import { changed } from '../../facts/changed.ts';
import type { EventTransaction, Writer } from '../../facts/tell.ts';

/** A conversation of the account; the id is a UUID. */
type Which = { accountId: string; id: string };

/**
 * Has a user of the account, a UUID, look after a conversation; null: nobody. Answers false where it was so already. Throws `not_found` for a user
 * and a conversation of others.
 */
export const assign = async (
  { sql, tell }: EventTransaction,
  { accountId, id, userId }: Which & { userId: string | null },
): Promise<boolean> => {
  if (userId !== null) {
    // Held until the transaction ends, so that a user who is removed meanwhile is taken off this conversation, too.
    const [user] = await sql`select id from users where id = ${userId} and account_id = ${accountId} for key share`;
    found('user', user);
  }
  const [was] = await sql<{ assignedTo: string | null }[]>`
    select assigned_to from conversations where id = ${id} and account_id = ${accountId} for no key update`;
  if (found('conversation', was).assignedTo === userId) return false;
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
