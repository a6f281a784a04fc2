import type { FieldType, FieldValue } from '../custom-fields/values.ts';
import type { ExternalRequest } from '../flows/blocks/request-schema.ts';
import { coerceField, fieldTypeOf, type FieldsInZone } from '../flows/blocks/fields.ts';
import { readMappingPath } from '../flows/blocks/mapping-paths.ts';
import { repairTexts } from '../platform/repair-texts.ts';
import { readAs } from './read-as.ts';
import type { ResponseSource } from './response-source.ts';

/** What of a response goes into which field. */
export type Mapping = NonNullable<ExternalRequest['mapping']>[number];

/** What became of one mapping; a value of null empties the field. */
export type MappedField = { path: string; field: string; type: FieldType | null } & (
  | { outcome: 'set'; value: FieldValue }
  | { outcome: 'cleared' | 'kept' }
  | { outcome: 'failed'; problem: string }
);

/** `ok` when what has not failed is to be written: in the mappings of a good answer, only where none has failed. */
export type MappedResponse = { ok: boolean; fields: MappedField[] };

export type MapOptions = FieldsInZone & {
  /** Which meaning the block has. 2: an answer without JSON is missing, and mappings of an error are written one by one. */
  v: number;
  /** Whether these are the mappings of a success: they are written together, or none. */
  isSuccess: boolean;
  /** Whether a text has a credential in it, which would then stand in a contact. */
  holdsSecret: (text: string) => boolean;
};

/**
 * Finds the value of each mapping and makes it one of its field's type. A path to one place gives that value. A path that may lead to
 * several gives the list of them to a field that holds lists or JSON, and the first one to any other. A value that is not there, or
 * null, leaves the field as it is, unless `on_missing` says otherwise; so does an answer that is empty, or no JSON. It takes seconds for a
 * hostile response: see `judge-on-thread.ts`.
 */
export const mapResponse = (
  mappings: readonly Mapping[],
  source: ResponseSource,
  { fields, timeZone, country, v, isSuccess, holdsSecret }: MapOptions,
): MappedResponse => {
  const mapped = mappings.map((mapping): MappedField => {
    const { path, field } = mapping;
    const type = fieldTypeOf(fields, field);
    const at = { path, field, type: type ?? null };
    if (type === undefined) return { ...at, outcome: 'failed', problem: 'is not a field of the account' };
    const holdsJson = type === 'list' || type === 'json';
    const found = source.find(path, { asJson: holdsJson, takesAll: holdsJson });
    if (!found.ok) return { ...at, outcome: 'failed', problem: found.problem };
    if (found.value === undefined || found.value === null) return { ...at, ...whenMissing(mapping, found.why) };
    const value = repairTexts(found.value);
    const read = mapping.read_as === undefined ? { ok: true as const, value } : readAs(mapping.read_as, value);
    const coerced = read.ok ? coerceField({ fields, timeZone, country }, field, read.value) : read;
    if (!coerced.ok) return { ...at, outcome: 'failed', problem: coerced.problem };
    if (coerced.value === null) return { ...at, outcome: 'cleared' };
    if (holdsSecret(JSON.stringify(coerced.value)))
      return { ...at, outcome: 'failed', problem: 'would hold a credential, which the response gives back' };
    return { ...at, outcome: 'set', value: coerced.value };
  });
  const ok = (!isSuccess && v >= 2) || mapped.every(({ outcome }) => outcome !== 'failed');
  return { ok, fields: mapped };
};

/** Whether a path leads into the body of a response: others lead to its status or its headers. */
export const readsBody = ({ path }: { path: string }): boolean => {
  const read = readMappingPath(path);
  return read.ok && (read.source.from === 'body' || read.source.from === 'json');
};

const whenMissing = (
  { on_missing }: Mapping,
  why = 'is not in the response',
): { outcome: 'cleared' | 'kept' } | { outcome: 'failed'; problem: string } => {
  if (on_missing === 'error') return { outcome: 'failed', problem: why };
  return { outcome: on_missing === 'clear' ? 'cleared' : 'kept' };
};
