import type { z } from 'zod';
import { createField } from '../custom-fields/manage.ts';
import { checkValue, type FieldDefinition } from '../custom-fields/values.ts';
import { invalid, RequestError } from '../errors.ts';
import { showId } from '../ids.ts';
import type { Writer } from '../facts/tell.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { flowFile, Missing } from './file.ts';
import type { AccountHas } from './known.ts';
import { createFlow } from './manage.ts';
import { flowsNamedIn, fromPortable, leftOutTypeOf } from './portable.ts';
import type { FlowRow } from './schema.ts';

type File = z.output<typeof flowFile>;

/** A flow that was made of a file. */
export type Imported = {
  flow: FlowRow;
  definition: File['definition'];
  /** Keys of the custom fields that were made. */
  madeFields: string[];
  missing: Missing[];
};

/** The draft that a file becomes in an account: it starts the flows that have the names. `missing` are those that are not there. */
type Localized = { definition: File['definition']; missing: Missing[] };

/** Makes the draft of a file. */
export const localizeDraft = async (sql: Sql, accountId: string, file: File): Promise<Localized> => {
  const { ids, missing } = await findFlows(sql, accountId, flowsNamedIn(file.definition));
  return { definition: fromPortable(file.definition, ids), missing };
};

/** What an account will have when a file is imported: also the custom fields that are not there. */
export const withFieldsOf = (has: AccountHas, { needs }: File): AccountHas => {
  const made = needs.fields.map((field) => [field.key, definitionOf(field)] as const);
  return { ...has, fields: new Map([...made, ...has.fields]) };
};

/** A default that the field cannot hold is refused when the field is made, which also reads times on the clock of the account. */
const definitionOf = ({
  options = null,
  default: value,
  ...field
}: File['needs']['fields'][number]): FieldDefinition => {
  const definition = { ...field, options, default: null };
  const checked = checkValue(definition, value ?? null, 'UTC');
  return checked.ok ? { ...definition, default: checked.value } : definition;
};

/** What is known already of a file that is to be imported: its draft, and what that needs. */
type Prepared = { draft: Localized; uses: readonly string[] };

/**
 * Makes a flow of a file, as a draft: with the custom fields that are not there, and starting the flows of the account that have the names.
 * Credentials are not made, for the file has no secrets. Throws `conflict` when the account has too many flows or fields.
 */
export const importFlow = async (tx: Writer, accountId: string, file: File, prepared?: Prepared): Promise<Imported> => {
  const { sql } = tx;
  const fields = await makeFields(tx, accountId, file.needs.fields);
  const { definition, missing: flows } = prepared?.draft ?? (await localizeDraft(sql, accountId, file));
  const flow = await createFlow(tx, accountId, {
    name: file.name,
    definition,
    ...(prepared && { uses: prepared.uses }),
  });
  const missing: Missing[] = [
    ...fields.missing,
    ...flows,
    ...(await findMissingCredentials(sql, accountId, file.needs.credentials)),
    ...file.left_out.map((path) => ({ type: leftOutTypeOf(path), name: path, reason: 'left_out' }) as const),
  ];
  return { flow, definition, madeFields: fields.made, missing };
};

const makeFields = async (tx: Writer, accountId: string, fields: File['needs']['fields']) => {
  const known = await tx.sql<{ key: string; type: string }[]>`
    select key, type from custom_fields where account_id = ${accountId} and key = any(${fields.map(({ key }) => key)})`;
  const types = new Map(known.map(({ key, type }) => [key, type]));
  const made: string[] = [];
  const missing: Missing[] = [];
  for (const [index, field] of fields.entries()) {
    const { key, type } = field;
    const there = types.get(key);
    if (there === undefined) {
      await makeField(tx, accountId, { field, index });
      made.push(key);
      types.set(key, type);
    } else if (there !== type) missing.push({ type: 'field', name: key, reason: 'other_type' });
  }
  return { made, missing };
};

/** Makes a field; what is wrong with it is told by its place in the file. */
const makeField = async (
  tx: Writer,
  accountId: string,
  { field, index }: { field: File['needs']['fields'][number]; index: number },
): Promise<void> => {
  try {
    await createField(tx, accountId, field);
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 'invalid_request' || !error.details) throw error;
    throw invalid(error.details.map((problem) => ({ ...problem, path: `needs.fields.${index}.${problem.path}` })));
  }
};

/** The flows of these names, those in the archive left out. */
const findFlows = async (sql: Sql, accountId: string, names: readonly string[]) => {
  const rows = await sql<{ name: string; ids: string[] }[]>`
    select name, array_agg(id) as ids from flows
    where account_id = ${accountId} and status <> 'archived' and name = any(${[...names]}) group by name`;
  const found = new Map(rows.map((row) => [row.name, row.ids]));
  const ids = new Map<string, string>();
  const missing: Missing[] = [];
  for (const name of names) {
    const [id, ...others] = found.get(name) ?? [];
    if (id !== undefined && others.length === 0) ids.set(name, showId('flow', id));
    else missing.push({ type: 'flow', name, reason: id === undefined ? 'not_there' : 'several' });
  }
  return { ids, missing };
};

const findMissingCredentials = async (
  sql: Sql,
  accountId: string,
  needed: File['needs']['credentials'],
): Promise<Missing[]> => {
  const rows = await sql<{ name: string; type: string }[]>`
    select name, type from credentials where account_id = ${accountId} and name = any(${needed.map(({ name }) => name)})`;
  const types = new Map(rows.map(({ name, type }) => [name, type]));
  return needed.flatMap(({ name, type }): Missing[] => {
    if (types.has(name) && (type === undefined || types.get(name) === type)) return [];
    return [{ type: 'credential', name, reason: types.has(name) ? 'other_type' : 'not_there' }];
  });
};
