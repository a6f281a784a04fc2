import { findAccountZone } from '../accounts/queries.ts';
import { presentOf } from '../custom-fields/check-fields.ts';
import { takeFields } from '../custom-fields/take-fields.ts';
import { found, invalid, notFound } from '../errors.ts';
import { contactChanged } from '../facts/contact-changed.ts';
import type { EventTransaction } from '../facts/tell.ts';
import type { Sql } from '../platform/db/connect.ts';
import { instantIn } from '../times/storable-time.ts';
import { lockKeys, requireFreeExternalId } from './keys.ts';
import { lockContact } from './lock-contact.ts';
import { withPhone } from './phones.ts';
import type { ContactChanges, ContactRow, NewContact } from './schema.ts';
import { writeFields } from './write-fields.ts';

/** SQL: what a contact is read with. */
export const contactColumns = (sql: Sql) => sql`
  id, first_name, last_name, email, phone, language, time_zone, external_id, custom_fields, automation_paused_until, status, last_channel,
  created_at, updated_at,
  array(select t.name from contact_tags g join tags t on t.id = g.tag_id where g.contact_id = contacts.id order by lower(t.name)) as tags`;

/** Creates a contact and tells new_contact. Throws `invalid_request`, and `conflict` when another one has its external id. */
export const createContact = async (
  tx: EventTransaction,
  accountId: string,
  input: NewContact,
): Promise<ContactRow> => {
  const { sql } = tx;
  const { first_name, last_name, email, language, time_zone, external_id, automation_paused_until } = input;
  const { phone } = await withPhone(sql, accountId, input);
  if (typeof external_id === 'string') {
    await lockKeys(sql, accountId, { external_id });
    await requireFreeExternalId(sql, { accountId, externalId: external_id });
  }
  const fields = presentOf(
    await takeFields(tx, { accountId, fields: input.custom_fields ?? {}, timeZone: time_zone ?? null }),
  );
  const pausedUntil = await readPause(sql, automation_paused_until, { accountId, timeZone: time_zone });
  const [row] = await sql<ContactRow[]>`
    insert into contacts (account_id, first_name, last_name, email, phone, language, time_zone, custom_fields, external_id,
      automation_paused_until)
    values (${accountId}, ${first_name ?? null}, ${last_name ?? null}, ${email ?? null}, ${phone ?? null},
      ${language ?? null}, ${time_zone ?? null}, ${sql.json(fields)}, ${external_id ?? null},
      ${ahead(sql, pausedUntil)})
    returning ${contactColumns(sql)}`;
  const created = found('contact', row);
  await tx.tell({ name: 'new_contact', accountId, contactId: created.id, occurredAt: created.createdAt });
  return created;
};

/** The account's contact, or undefined; `id` is its UUID. */
export const findContact = async (sql: Sql, accountId: string, id: string): Promise<ContactRow | undefined> => {
  const [row] = await sql<ContactRow[]>`
    select ${contactColumns(sql)} from contacts where account_id = ${accountId} and id = ${id}`;
  return row;
};

/**
 * Changes the fields that are given. Custom fields are merged; null removes one. Changes nothing when it throws: `not_found`,
 * `invalid_request`, and `conflict` when another contact has the external id.
 */
export const updateContact = async (
  tx: EventTransaction,
  { accountId, id, changes }: { accountId: string; id: string; changes: ContactChanges },
): Promise<ContactRow> => {
  const { sql } = tx;
  const {
    custom_fields = {},
    external_id,
    automation_paused_until,
    status,
    ...profile
  } = await withPhone(sql, accountId, changes);
  await lockKeys(sql, accountId, { external_id });
  const before = await lockContact(sql, { accountId, contactId: id });
  if (!before) throw notFound('contact');
  if (typeof external_id === 'string') {
    await requireFreeExternalId(sql, { accountId, contactId: id, externalId: external_id });
  }
  const { time_zone: timeZone = before.timeZone } = profile;
  const custom = await takeFields(tx, { accountId, fields: custom_fields, timeZone });
  const problem = await writeFields(sql, { accountId, contactId: id, custom, profile });
  if (problem) throw invalid(problem);
  if (external_id !== undefined) {
    await sql`update contacts set external_id = ${external_id}, updated_at = now() where id = ${id}`;
  }
  if (status !== undefined) await sql`update contacts set status = ${status}, updated_at = now() where id = ${id}`;
  if (automation_paused_until !== undefined) {
    const pausedUntil = await readPause(sql, automation_paused_until, { accountId, timeZone });
    await sql`
      update contacts set automation_paused_until = ${ahead(sql, pausedUntil)}, updated_at = now() where id = ${id}`;
  }
  await tx.tell(contactChanged({ accountId, contactId: id, fields: Object.keys(changes) }));
  return found('contact', await findContact(sql, accountId, id));
};

/** When a pause ends; null for none. Without a zone it is on the clock of the contact, else of the account. */
const readPause = async (
  sql: Sql,
  until: string | null | undefined,
  { accountId, timeZone }: { accountId: string; timeZone: string | null | undefined },
): Promise<Date | null> =>
  until == null ? null : (instantIn(until, timeZone ?? (await findAccountZone(sql, accountId))) ?? null);

/** SQL: a time, null when it is over. */
const ahead = (sql: Sql, at: Date | null) =>
  sql`case when ${at}::timestamptz > clock_timestamp() then ${at}::timestamptz end`;
