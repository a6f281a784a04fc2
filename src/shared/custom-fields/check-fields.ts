import type { Problem } from '../errors.ts';
import type { FieldRules } from './queries.ts';
import { checkValue, reservedKeys, typeOfValue, type FieldDefinition, type FieldValue } from './values.ts';

/** Values to write, by key; null removes one. */
export type FieldValues = Record<string, FieldValue | null>;

type Checked = {
  /** As they are to be stored. */
  values: FieldValues;
  /** Of keys that nobody has defined, as their values define them. */
  newcomers: readonly FieldDefinition[];
  problems: readonly Problem[];
};

/** Checks the values that a request gives for fields, by key; times without a zone are in that of the rules. A problem's path is the key. */
export const checkFields = (
  { known, isStrict, timeZone }: FieldRules,
  fields: Readonly<Record<string, unknown>>,
): Checked => {
  const values: FieldValues = {};
  const newcomers: FieldDefinition[] = [];
  const problems: Problem[] = [];
  for (const [key, given] of Object.entries(fields)) {
    const definition = known.get(key) ?? defineByValue(key, given);
    const checked = checkField(definition, given, { isDefined: known.has(key), isStrict, timeZone });
    if (!checked.ok) problems.push({ path: key, message: checked.problem });
    else {
      values[key] = checked.value;
      if (checked.value !== null && !known.has(key)) newcomers.push(definition);
    }
  }
  return { values, newcomers, problems };
};

type CheckedField = { ok: true; value: FieldValue | null } | { ok: false; problem: string };

const checkField = (
  definition: FieldDefinition,
  value: unknown,
  { isDefined, isStrict, timeZone }: { isDefined: boolean; isStrict: boolean; timeZone: string },
): CheckedField => {
  // Whatever key a contact has can be removed, also one that was taken when it was not reserved yet.
  if (value === null) return { ok: true, value };
  if (reservedKeys.has(definition.key)) return { ok: false, problem: 'is reserved' };
  if (!isDefined && isStrict) return { ok: false, problem: 'is no custom field of this account' };
  return checkValue(definition, value, timeZone);
};

/** The definition that the first value of a key makes. */
const defineByValue = (key: string, value: unknown): FieldDefinition => {
  const field = { key, name: key, options: null, default: null };
  const asJson = checkValue({ ...field, type: 'json' }, value, 'UTC');
  return { ...field, type: asJson.ok ? typeOfValue(asJson.value) : 'json' };
};

/** The values without those that remove one, for a contact that has none yet. */
export const presentOf = (values: FieldValues): Record<string, FieldValue> =>
  Object.fromEntries(Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [[key, value] as const])));
