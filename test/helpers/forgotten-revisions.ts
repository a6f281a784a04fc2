import type { Sql } from '../../src/shared/platform/db/connect.ts';

/**
 * From now on a writer that forgets to take the revision of a conversation fails in this database. Elsewhere triggers take it for processes of 0.3,
 * and would do so for ours.
 */
export const refuseForgottenRevisions = async (sql: Sql): Promise<void> => {
  for (const name of ['take_revision', 'revise_conversation', 'revise_message', 'revise_sending'])
    await sql.unsafe(`
      create or replace function ${name}() returns trigger language plpgsql as $$
      begin
        raise exception 'a writer forgets the revision of a conversation: %', tg_name;
      end $$`);
};
