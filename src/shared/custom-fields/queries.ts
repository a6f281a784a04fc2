import type { Sql } from '../platform/db/connect.ts';
import { pageOf, type Page } from '../platform/db/page.ts';
import type { FieldRow } from './schema.ts';
import type { FieldDefinition } from './values.ts';

const columns = (sql: Sql) => sql`id, key, name, type, options, default_value as "default", created_at, updated_at`;

/** The account's field, or undefined; `id` is its UUID. */
export const findField = async (sql: Sql, accountId: string, id: string): Promise<FieldRow | undefined> => {
  const [row] = await sql<FieldRow[]>`
    select ${columns(sql)} from custom_fields where account_id = ${accountId} and id = ${id}`;
  return row;
};

/** The account's field of this key, or undefined. */
export const findFieldByKey = async (sql: Sql, accountId: string, key: string): Promise<FieldRow | undefined> => {
  const [row] = await sql<FieldRow[]>`
    select ${columns(sql)} from custom_fields where account_id = ${accountId} and key = ${key}`;
  return row;
};

/** The account's field, or undefined, locked until the transaction ends. */
export const lockField = async (sql: Sql, accountId: string, id: string): Promise<FieldRow | undefined> => {
  const [row] = await sql<FieldRow[]>`
    select ${columns(sql)} from custom_fields where account_id = ${accountId} and id = ${id} for update`;
  return row;
};

/** A page of the account's fields, newest first. */
export const listFields = (sql: Sql, accountId: string, page: Page): Promise<FieldRow[]> => sql<FieldRow[]>`
  select ${columns(sql)} from custom_fields where account_id = ${accountId} ${pageOf(sql, page)}`;

/** Inserts fields whose keys are not there yet, and answers those that it has inserted. */
export const insertFields = (
  sql: Sql,
  accountId: string,
  fields: readonly FieldDefinition[],
): Promise<FieldRow[]> => sql<FieldRow[]>`
  insert into custom_fields (account_id, key, name, type, options, default_value)
  select ${accountId}, f.key, f.name, f.type, f.options, f."default"
  from jsonb_to_recordset(${sql.json(fields)}) as f (key text, name text, type text, options jsonb, "default" jsonb)
  on conflict (account_id, key) do nothing
  returning ${columns(sql)}`;

/** Changes what may change of a field. */
export const updateField = async (
  sql: Sql,
  { id, name, options, default: value }: { id: string } & Pick<FieldDefinition, 'name' | 'options' | 'default'>,
): Promise<FieldRow> => {
  const [row] = await sql<[FieldRow]>`
    update custom_fields set name = ${name}, options = ${options && sql.json(options)},
      default_value = ${value === null ? null : sql.json(value)}, updated_at = now()
    where id = ${id} returning ${columns(sql)}`;
  return row;
};

/** Deletes the definition of a field. Contacts keep the values that they have. */
export const deleteField = async (sql: Sql, id: string): Promise<void> => {
  await sql`delete from custom_fields where id = ${id}`;
};

/** How many fields the account has. */
export const countFields = async (sql: Sql, accountId: string): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from custom_fields where account_id = ${accountId}`;
  return row.count;
};

/** What an account says of fields: those of `keys` that it has defined, whether others may be defined by their first use, and its time zone. */
export type FieldRules = { known: ReadonlyMap<string, FieldDefinition>; isStrict: boolean; timeZone: string };

export const readRules = async (sql: Sql, accountId: string, keys: readonly string[]): Promise<FieldRules> => {
  const [row] = await sql<{ strictFields: boolean; timeZone: string; fields: FieldDefinition[] }[]>`
    select strict_fields, time_zone, (
      select coalesce(json_agg(f), '[]') from (
        select key, name, type, options, default_value as "default" from custom_fields
        where account_id = a.id and key = any(${[...keys]})) f) as fields
    from accounts a where id = ${accountId}`;
  const { fields = [], strictFields = false, timeZone = 'UTC' } = row ?? {};
  return { known: new Map(fields.map((field) => [field.key, field])), isStrict: strictFields, timeZone };
};
