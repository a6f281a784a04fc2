import { profile } from '../../contacts/schema.ts';
import {
  coerceValue,
  isProfileField,
  type FieldDefinition,
  type FieldType,
  type FieldValue,
  type Json,
  type ProfileField,
} from '../../custom-fields/values.ts';
import { ExactNumber } from '../../platform/json/exact-number.ts';
import { readAnswer } from './answers.ts';
import type { Reference } from './block.ts';

/** A value as a field takes it; null clears the field. */
export type CoercedField = { ok: true; value: FieldValue | null } | { ok: false; problem: string };

/** Makes of a value what a custom or profile field holds. Nothing, and an empty text, clears the field. */
export const coerceField = (
  fields: ReadonlyMap<string, FieldDefinition>,
  key: string,
  value: Json | undefined,
): CoercedField => {
  if (value === undefined || value === null || value === '') return { ok: true, value: null };
  if (isProfileField(key)) return coerceProfile(key, value);
  const definition = fields.get(key);
  return definition ? coerceValue(definition, value) : { ok: false, problem: 'is no field of the account' };
};

const coerceProfile = (key: ProfileField, value: Json): CoercedField => {
  const text = typeof value === 'number' || value instanceof ExactNumber ? String(value) : value;
  const read = key === 'phone' && typeof text === 'string' ? readAnswer('phone', text, []) : undefined;
  const { data, error } = profile.shape[key].safeParse(read ?? (typeof text === 'string' ? text.trim() : text));
  return error ? { ok: false, problem: error.issues[0]?.message ?? 'is not valid' } : { ok: true, value: data ?? null };
};

/** The type of a custom or profile field; undefined when there is none of that name. */
export const fieldTypeOf = (fields: ReadonlyMap<string, FieldDefinition>, key: string): FieldType | undefined =>
  isProfileField(key) ? 'text' : fields.get(key)?.type;

/** That a block uses a field. Profile fields are always there. */
export const usesField = (path: string, key: string): readonly Reference[] =>
  isProfileField(key) ? [] : [{ path, type: 'field', key }];
