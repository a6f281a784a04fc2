import type { Database } from '../../../src/shared/platform/db/connect.ts';

/**
 * As many contacts of an account as a planner takes for many: by the API they would take long. Each has a name, keys and fields of its own number;
 * every hundredth has the tag `rare` and the colour `rare`, and every tenth the tag `usual`.
 */
export const manyContacts = async (sql: Database, accountId: string, count = 20_000): Promise<void> => {
  await sql`
    with tag as (
      insert into tags (account_id, name) values (${accountId}, 'rare'), (${accountId}, 'usual') returning id, name
    ), contact as (
      insert into contacts (id, account_id, first_name, last_name, email, phone, external_id, custom_fields, updated_at)
      select uuidv7(), ${accountId}, 'Name-' || n, 'Last-' || n, 'mail-' || n || '@example.com', '+49' || 1000000 + n, 'shop/' || n,
        jsonb_build_object('n', n, 'colour', case when n % 100 = 0 then 'rare' else 'blue' end), now() - n * interval '1 second'
      from generate_series(1, ${count}::int) as n
      returning id, (custom_fields ->> 'n')::int as n
    )
    insert into contact_tags (contact_id, tag_id)
    select contact.id, tag.id from contact join tag on n % case tag.name when 'rare' then 100 else 10 end = 0`;
  await sql`
    insert into custom_fields (account_id, key, name, type) values (${accountId}, 'n', 'n', 'number'), (${accountId}, 'colour', 'colour', 'text')`;
  await sql`vacuum analyze contacts, contact_tags`;
};

/** All contacts of an account have a number as an earlier version stored it: as it was written, with a 0 behind the code of its country. */
export const storePhone = async (
  sql: Database,
  { accountId, phone }: { accountId: string; phone: string },
): Promise<void> => {
  await sql`update contacts set phone = ${phone} where account_id = ${accountId}`;
};
