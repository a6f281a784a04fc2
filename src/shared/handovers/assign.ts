import { found } from '../errors.ts';
import { changed } from '../facts/changed.ts';
import type { EventTransaction, Writer } from '../facts/tell.ts';
import { findHandover } from './queries.ts';
import type { HandoverRow } from './schema.ts';

/** Has a user of the account, a UUID, take a handover; null: nobody. Throws `not_found` for a user and a handover of others. */
export const assignHandover = async (
  { sql, tell }: EventTransaction,
  { accountId, id, userId }: { accountId: string; id: string; userId: string | null },
): Promise<HandoverRow> => {
  if (userId !== null) {
    // Held until the transaction ends, so that a user who is removed meanwhile is taken off this handover, too.
    const [user] = await sql`select id from users where id = ${userId} and account_id = ${accountId} for key share`;
    found('user', user);
  }
  await sql`update handovers set assigned_to = ${userId} where id = ${id} and account_id = ${accountId}`;
  await tell(changed(accountId, 'handovers'));
  return found('handover', await findHandover(sql, accountId, id));
};

/** Takes a user who leaves off all handovers. */
export const unassignHandovers = async (
  { sql, tell }: Writer,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<void> => {
  const { count } =
    await sql`update handovers set assigned_to = null where assigned_to = ${userId} and account_id = ${accountId}`;
  if (count > 0) await tell(changed(accountId, 'handovers'));
};
