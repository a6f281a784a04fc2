import type { z } from 'zod';
import { findAccountZone } from '../accounts/queries.ts';
import { conflictWith, found, invalid, RequestError, type Problem } from '../errors.ts';
import { changed } from '../facts/changed.ts';
import type { Writer } from '../facts/tell.ts';
import type { Sql } from '../platform/db/connect.ts';
import { countFields, findFieldByKey, insertFields, lockField, updateField } from './queries.ts';
import type { FieldRow, fieldChanges, newField } from './schema.ts';
import { checkValue, type FieldDefinition } from './values.ts';

/** The most custom fields of an account. */
const fieldsPerAccount = 500;

/** The class of the advisory lock under which an account's fields are defined; its key is the hash of the account's id. */
const definingClass = 7_205_766;

/**
 * Defines the fields whose keys are not there yet, and answers those. One after the other in an account, so that no key is defined twice and
 * the bound is exact. Throws `conflict` when the account would have too many.
 */
export const createFields = async (
  { sql, tell }: Writer,
  accountId: string,
  definitions: readonly FieldDefinition[],
): Promise<FieldRow[]> => {
  await sql`select pg_advisory_xact_lock(${definingClass}, hashtext(${accountId}::uuid::text))`;
  const created = await insertFields(sql, accountId, definitions);
  if (created.length > 0 && (await countFields(sql, accountId)) > fieldsPerAccount) {
    throw new RequestError('conflict', `An account has at most ${fieldsPerAccount} custom fields.`);
  }
  if (created.length > 0) await tell(changed(accountId, 'custom-fields'));
  return created;
};

/** Defines a field. Throws `invalid_request`, and `conflict` when the key is taken or the account has too many. */
export const createField = async (
  tx: Writer,
  accountId: string,
  asked: z.infer<typeof newField>,
): Promise<FieldRow> => {
  const { sql } = tx;
  const definition = await checkDefinition(sql, accountId, {
    ...asked,
    options: asked.options ?? null,
    default: asked.default ?? null,
  });
  const [created] = await createFields(tx, accountId, [definition]);
  if (created) return created;
  const other = await findFieldByKey(sql, accountId, asked.key);
  throw conflictWith('Another custom field has this key.', { noun: 'field', id: other?.id, key: 'key' });
};

type Asked = { accountId: string; id: string };

/** Changes a field's name, options or default. Throws `not_found` and `invalid_request`. */
export const changeField = async (
  { sql, tell }: Writer,
  { accountId, id, changes }: Asked & { changes: z.infer<typeof fieldChanges> },
): Promise<FieldRow> => {
  const before = found('custom field', await lockField(sql, accountId, id));
  const named = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const { name, options, default: value } = await checkDefinition(sql, accountId, { ...before, ...named });
  const updated = await updateField(sql, { id, name, options, default: value });
  await tell(changed(accountId, 'custom-fields'));
  return updated;
};

type AskedDefinition = Omit<FieldDefinition, 'default'> & { default: unknown };

/** The definition with its default as it is to be stored, a time without a zone on the account's clock. Throws `invalid_request` with every problem. */
const checkDefinition = async (sql: Sql, accountId: string, asked: AskedDefinition): Promise<FieldDefinition> => {
  const { key, name, type, options } = asked;
  const definition = { key, name, type, options, default: null };
  const problems: Problem[] = [];
  if (options !== null && type !== 'text' && type !== 'list') {
    problems.push({ path: 'options', message: 'are for the types text and list' });
  }
  const checked =
    asked.default === null ? undefined : checkValue(definition, asked.default, await findAccountZone(sql, accountId));
  if (checked && !checked.ok) problems.push({ path: 'default', message: checked.problem });
  if (problems.length > 0) throw invalid(problems);
  return { ...definition, default: checked?.ok ? checked.value : null };
};
