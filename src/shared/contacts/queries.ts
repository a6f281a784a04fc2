import type { Sql } from '../platform/db/connect.ts';
import { pageOf, type Page } from '../platform/db/page.ts';
import type { Transaction } from '../platform/dispatch/transact.ts';
import { invalid } from '../errors.ts';
import { emitEvent, type EventTransaction } from '../events/emit.ts';
import { maxCustomFields, type ContactChanges, type ContactRow, type NewContact } from './schema.ts';

const columns = (sql: Sql) => sql`
  id, first_name, last_name, email, phone, language, time_zone, custom_fields, status, last_channel, created_at, updated_at,
  array(select t.name from contact_tags g join tags t on t.id = g.tag_id where g.contact_id = contacts.id order by lower(t.name)) as tags`;

/** Creates a contact and emits new_contact. */
export const createContact = async (
  tx: EventTransaction,
  accountId: string,
  input: NewContact,
): Promise<ContactRow> => {
  const { sql } = tx;
  const { first_name, last_name, email, phone, language, time_zone, custom_fields } = input;
  const [row] = await sql<[ContactRow]>`
    insert into contacts (account_id, first_name, last_name, email, phone, language, time_zone, custom_fields)
    values (${accountId}, ${first_name ?? null}, ${last_name ?? null}, ${email ?? null}, ${phone ?? null},
      ${language ?? null}, ${time_zone ?? null}, jsonb_strip_nulls(${sql.json(custom_fields ?? {})}::jsonb))
    returning ${columns(sql)}`;
  await emitEvent(tx, { name: 'new_contact', accountId, contactId: row.id, occurredAt: row.createdAt });
  return row;
};

/** The account's contact, or undefined; `id` is its UUID. */
export const findContact = async (sql: Sql, accountId: string, id: string): Promise<ContactRow | undefined> => {
  const [row] = await sql<ContactRow[]>`
    select ${columns(sql)} from contacts where account_id = ${accountId} and id = ${id}`;
  return row;
};

/** A page of the account's contacts, newest first. */
export const listContacts = (
  sql: Sql,
  accountId: string,
  { email, phone, ...page }: Page & { email?: string | undefined; phone?: string | undefined },
): Promise<ContactRow[]> =>
  sql<ContactRow[]>`
    select ${columns(sql)} from contacts
    where account_id = ${accountId}
      ${email === undefined ? sql`` : sql`and lower(email) = lower(${email})`}
      ${phone === undefined ? sql`` : sql`and phone = ${phone}`}
      ${pageOf(sql, page)}`;

/**
 * Changes the fields that are given. Custom fields are merged; null removes one. Undefined when the account has no such contact. Throws
 * `invalid_request`, and changes nothing, when the contact would have too many custom fields.
 */
export const updateContact = async (
  { sql }: Transaction,
  { accountId, id, changes }: { accountId: string; id: string; changes: ContactChanges },
): Promise<ContactRow | undefined> => {
  const { custom_fields = {}, ...profile } = changes;
  const named = Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined));
  const setNamed = Object.keys(named).length > 0 ? sql`update contacts set ${sql(named)},` : sql`update contacts set`;
  const [row] = await sql<ContactRow[]>`
    ${setNamed} custom_fields = jsonb_strip_nulls(custom_fields || ${sql.json(custom_fields)}::jsonb), updated_at = now()
    where account_id = ${accountId} and id = ${id}
    returning ${columns(sql)}`;
  if (row && Object.keys(row.customFields).length > maxCustomFields) {
    throw invalid({ path: 'custom_fields', message: `has more than ${maxCustomFields} fields` });
  }
  return row;
};
