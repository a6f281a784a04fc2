import type { FieldValues } from '../custom-fields/check-fields.ts';
import type { ProfileField } from '../custom-fields/values.ts';
import type { Problem } from '../errors.ts';
import type { Sql } from '../platform/db/connect.ts';
import { maxCustomFields } from './schema.ts';

/** The most that all custom fields of a contact hold, in bytes of JSON. A contact within it can be sent as one request. */
export const maxFieldBytes = 256 * 1024;

type FieldWrite = {
  accountId: string;
  contactId: string;
  custom: FieldValues;
  profile: { readonly [Field in ProfileField]?: string | null | undefined };
};

/**
 * Writes fields of a contact, for the API and for flows: values that are checked already, null to empty or remove one. The caller has locked the
 * contact. Answers what stands against it, and has written nothing then: a contact cannot get more than so many custom fields, nor so much in
 * them. What has more already may shrink.
 */
export const writeFields = async (
  sql: Sql,
  { accountId, contactId, custom, profile }: FieldWrite,
): Promise<Problem | undefined> => {
  const entries = Object.entries(custom);
  const columns = Object.entries(profile).filter(([, value]) => value !== undefined);
  if (entries.length + columns.length === 0) return undefined;
  const set = Object.fromEntries(entries.filter(([, value]) => value !== null));
  const removed = entries.flatMap(([key, value]) => (value === null ? [key] : []));
  // postgres.js tells by the words before it what an object of columns stands for.
  const setColumns =
    columns.length > 0 ? sql`update contacts set ${sql(Object.fromEntries(columns))},` : sql`update contacts set`;
  const written = await sql`
    ${setColumns}
      custom_fields = next.fields, updated_at = now()
    from (
      select id, custom_fields as before, (custom_fields || ${sql.json(set)}) - ${removed}::text[] as fields from contacts
      where id = ${contactId} and account_id = ${accountId}) next
    where contacts.id = next.id
      and (select count(*) from jsonb_object_keys(next.fields)) <=
        greatest(${maxCustomFields}, (select count(*) from jsonb_object_keys(next.before)))
      and octet_length(next.fields::text) <= greatest(${maxFieldBytes}, octet_length(next.before::text))`;
  if (written.count > 0) return undefined;
  const message = `would have more than ${maxCustomFields} fields, or more than ${maxFieldBytes / 1024} KiB`;
  return { path: 'custom_fields', message };
};
