import type { Sql } from '../../src/shared/platform/db/connect.ts';

/** Has the database refuse to give back messages whose attempts have sent nothing. */
export const refuseReturns = async (sql: Sql) => {
  await sql`create sequence refused_returns`;
  await sql`
    create function refuse_return() returns trigger language plpgsql as
    $$ begin perform nextval('refused_returns'); raise exception 'not now'; end $$`;
  await sql`
    create trigger refuse_return before update on outbound_messages for each row
    when (old.attempt_since is not null and new.attempt_since is null and new.status = 'queued')
    execute function refuse_return()`;
  return {
    /** How many were refused so far. */
    times: async (): Promise<number> => {
      const [row] = await sql<{ times: number }[]>`
        select case when is_called then last_value else 0 end::int as times from refused_returns`;
      return row?.times ?? 0;
    },
    letThrough: async (): Promise<void> => {
      await sql`drop trigger refuse_return on outbound_messages`;
      await sql`drop function refuse_return`;
      await sql`drop sequence refused_returns`;
    },
  };
};
