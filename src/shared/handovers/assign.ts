import { found } from '../errors.ts';
import type { Sql } from '../platform/db/connect.ts';
import { findHandover } from './queries.ts';
import type { HandoverRow } from './schema.ts';

/** Has a user of the account, a UUID, take a handover; null: nobody. Throws `not_found` for a user and a handover of others. */
export const assignHandover = async (
  sql: Sql,
  { accountId, id, userId }: { accountId: string; id: string; userId: string | null },
): Promise<HandoverRow> => {
  if (userId !== null) {
    const [user] = await sql`select id from users where id = ${userId} and account_id = ${accountId}`;
    found('user', user);
  }
  await sql`update handovers set assigned_to = ${userId} where id = ${id} and account_id = ${accountId}`;
  return found('handover', await findHandover(sql, accountId, id));
};
