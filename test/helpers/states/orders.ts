import type { Database } from '../../../src/shared/platform/db/connect.ts';

/**
 * As many orders of an account as a planner takes for many, a hundred for each contact, every hundredth with the status `rare`: by the API they
 * would take long. Answers the UUID of one of the contacts.
 */
export const placeManyOrders = async (sql: Database, accountId: string): Promise<string> => {
  const contacts = await sql<{ id: string }[]>`
    with added as (insert into contacts (account_id) select ${accountId} from generate_series(1, 100) returning id), placed as (
      insert into orders (account_id, contact_id, external_id, number, status, currency, total, items, status_history, placed_at,
        created_at, updated_at)
      select ${accountId}, id, gen_random_uuid()::text, '1', case number when 1 then 'rare' else 'placed' end, 'EUR', 1, '[]', '[]', now(),
        now(), now()
      from generate_series(1, 100) as number, added)
    select id from added`;
  await sql`analyze orders`;
  return contacts[0]?.id ?? '';
};
