import { invalid, type Problem } from '../errors.ts';
import type { Writer } from '../facts/tell.ts';
import type { Sql } from '../platform/db/connect.ts';
import { checkFields, presentOf, type FieldValues } from './check-fields.ts';
import { createFields } from './manage.ts';
import { readRules } from './queries.ts';
import { fieldKey, type FieldValue } from './values.ts';

/** Values for custom fields; times without a zone are in that of the contact, if it is known, else the account's. */
type Given = { accountId: string; fields: Readonly<Record<string, unknown>>; timeZone: string | null };

/**
 * The values that a request gives for custom fields, as they are to be stored. A key that nobody has defined is defined by its value. Throws
 * `invalid_request` with every problem. It comes after the contact's lock, because it may wait for whoever defines a field at the same time.
 */
export const takeFields = async (tx: Writer, { accountId, fields, timeZone }: Given): Promise<FieldValues> => {
  const check = async () => {
    const rules = await readRules(tx.sql, accountId, Object.keys(fields));
    const checked = checkFields({ ...rules, timeZone: timeZone ?? rules.timeZone }, fields);
    if (checked.problems.length > 0) throw invalid(checked.problems.map(below('custom_fields')));
    return checked;
  };
  if (Object.keys(fields).length === 0) return {};
  const { values, newcomers } = await check();
  if (newcomers.length === 0) return values;
  await createFields(tx, accountId, newcomers);
  // Somebody else may have been first, with another type.
  return (await check()).values;
};

/**
 * The values for custom fields that come with a message: those that the account has defined and that are of their type, and what is wrong with
 * the others. A message defines no field.
 */
export const pickFields = async (
  sql: Sql,
  { accountId, fields, timeZone }: Given,
): Promise<{ values: Record<string, FieldValue>; skipped: Problem[] }> => {
  if (Object.keys(fields).length === 0) return { values: {}, skipped: [] };
  const rules = await readRules(sql, accountId, Object.keys(fields));
  const { values, problems } = checkFields({ ...rules, isStrict: true, timeZone: timeZone ?? rules.timeZone }, fields);
  return { values: presentOf(values), skipped: problems.map(below('sender.custom_fields')) };
};

/**
 * The problems of values in a request that is refused for something else already, so that all of them are told at once. What is wrong with keys
 * is known by then.
 */
export const findFieldProblems = async (
  sql: Sql,
  { accountId, fields }: Omit<Given, 'timeZone'>,
): Promise<Problem[]> => {
  const named = Object.fromEntries(Object.entries(fields).filter(([key]) => fieldKey.test(key)));
  const { problems } = checkFields(await readRules(sql, accountId, Object.keys(named)), named);
  return problems.map(below('custom_fields'));
};

const below =
  (place: string) =>
  ({ path, message }: Problem): Problem => ({ path: `${place}.${path}`, message });
