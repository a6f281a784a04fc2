import type { Sql } from '../../../src/shared/platform/db/connect.ts';

// States of handovers that no writer of the product makes, and why tests need them.

/**
 * As many handovers of an account as a planner takes for many, a hundred of each contact, of which one in a hundred is open: by the API they
 * would take long. Answers the UUID of one of the contacts.
 */
export const haveManyHandovers = async (sql: Sql, accountId: string): Promise<string> => {
  const [first] = await sql<{ id: string }[]>`
    with added as (
      insert into contacts (account_id) select ${accountId} from generate_series(1, 100) returning id
    ), requested as (
      insert into handovers (account_id, contact_id, reason, requested_by, status, assigned_to, created_at, expires_at, ended_at)
      select ${accountId}, id, 'Help', 'api', case number when 1 then 'open' else 'resolved' end,
        case when number % 50 = 0 then null else gen_random_uuid() end, now(), now() + interval '1 day', case when number > 1 then now() end
      from added, generate_series(1, 100) as number)
    select id from added`;
  await sql`analyze handovers`;
  return first?.id ?? '';
};

/** So many handovers of a contact that have ended, and whose time would be over long ago. */
export const haveEndedHandovers = async (sql: Sql, contactId: string, count: number): Promise<void> => {
  await sql`
    insert into handovers (account_id, contact_id, reason, requested_by, status, created_at, expires_at, ended_at)
    select account_id, id, 'Help', 'api', 'resolved', now() - interval '2 days', now() - interval '1 day', now() - interval '2 days'
    from contacts, generate_series(1, ${count}) where id = ${contactId}`;
};

/** Handovers whose time is over: it takes an hour at least. */
export const letHandoversLapse = async (sql: Sql, accountId: string): Promise<void> => {
  await sql`update handovers set expires_at = now() where account_id = ${accountId} and status = 'open'`;
};
