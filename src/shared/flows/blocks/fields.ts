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
import { readDay } from '../../times/read-time.ts';
import { phoneProblem, readPhone } from '../../typed/phone.ts';
import type { Reference } from './block.ts';
import type { BlockContext } from './context.ts';
import { zoneOf } from './zones.ts';

/** A value as a field takes it; null clears the field. */
export type CoercedField = { ok: true; value: FieldValue | null } | { ok: false; problem: string };

/**
 * The fields of an account by key, and the zone in which times without one are read. It is undefined in the first meaning of blocks: there such
 * times were in UTC, and a moment in a date field was the day as it was written.
 */
export type FieldsInZone = {
  fields: ReadonlyMap<string, FieldDefinition>;
  timeZone: string | undefined;
  /** The account's country, whose phone numbers need no code. */
  country: string | null;
};

/** The fields as a block writes them. */
export const fieldsOf = (context: BlockContext): FieldsInZone => ({
  fields: context.fields,
  timeZone: context.v === 1 ? undefined : zoneOf(context),
  country: context.account.defaultCountry,
});

/** Makes of a value what a custom or profile field holds. Nothing, and an empty text, clears the field. */
export const coerceField = (
  { fields, timeZone, country }: FieldsInZone,
  key: string,
  value: Json | undefined,
): CoercedField => {
  if (value === undefined || value === null || value === '') return { ok: true, value: null };
  if (isProfileField(key)) return coerceProfile(key, value, country);
  const definition = fields.get(key);
  if (!definition) return { ok: false, problem: 'is not a field of the account' };
  const given = timeZone === undefined && definition.type === 'date' ? dayAsWritten(value) : value;
  return coerceValue(definition, given, timeZone ?? 'UTC');
};

const dayAsWritten = (value: Json): Json =>
  typeof value === 'string' && readDay(value, 'UTC').ok ? value.trim().slice(0, 10) : value;

const coerceProfile = (key: ProfileField, value: Json, country: string | null): CoercedField => {
  const text = typeof value === 'number' || value instanceof ExactNumber ? String(value) : value;
  if (key === 'phone') {
    const number = typeof text === 'string' ? readPhone(text, country) : undefined;
    return number === undefined ? { ok: false, problem: phoneProblem } : { ok: true, value: number };
  }
  const { data, error } = profile.shape[key].safeParse(typeof text === 'string' ? text.trim() : text);
  return error ? { ok: false, problem: error.issues[0]?.message ?? 'is not valid' } : { ok: true, value: data ?? null };
};

/** The type of a custom or profile field; undefined when there is none of that name. */
export const fieldTypeOf = (fields: ReadonlyMap<string, FieldDefinition>, key: string): FieldType | undefined =>
  isProfileField(key) ? 'text' : fields.get(key)?.type;

/** That a block uses a field. Profile fields are always there. */
export const usesField = (path: string, key: string): readonly Reference[] =>
  isProfileField(key) ? [] : [{ path, type: 'field', key }];
