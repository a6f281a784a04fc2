import type { FieldDefinition, Json } from '../custom-fields/values.ts';
import { coerceField, fieldTypeOf, type FieldsInZone } from '../flows/blocks/fields.ts';
import type { ExternalRequest } from '../flows/blocks/request-schema.ts';
import type { MappedField } from './map-response.ts';

/** What the mappings of a request for each item have given so far: a list for each field. */
export type Results = Readonly<Record<string, readonly Json[]>>;

type Mapped = Pick<ExternalRequest, 'mapping' | 'error_mapping'>;

/** The fields as the mappings of one item see them: a list takes one text of each. */
export const fieldsOfItem = (known: FieldsInZone): FieldsInZone => ({
  ...known,
  fields: new Map([...known.fields].map(([key, field]): [string, FieldDefinition] => [key, itemOf(field)])),
});

const itemOf = (field: FieldDefinition): FieldDefinition =>
  field.type === 'list' ? { ...field, type: 'text', default: null } : field;

/**
 * Adds what an item has given. A json field has a value for each item, null where there is none, and a list only the values that there are. What a
 * field cannot hold is a problem of the item, which then gives nothing.
 */
export const addResults = (
  config: Mapped,
  results: Results,
  { mapped, known }: { mapped: readonly MappedField[]; known: FieldsInZone },
): { results: Results; problem?: string } => {
  const add = (values: readonly MappedField[]) =>
    namesOf(config).map((field) => [field, appended(field, { results, values, known })] as const);
  const added = add(mapped);
  const problem = added.find(([, { problem: found }]) => found !== undefined);
  const kept = (problem ? add([]) : added).map(([field, { list }]) => [field, list] as const);
  const next = { results: Object.fromEntries(kept) };
  return problem ? { ...next, problem: `${problem[0]} ${problem[1].problem}` } : next;
};

type ToAppend = { results: Results; values: readonly MappedField[]; known: FieldsInZone };

const appended = (field: string, { results, values, known }: ToAppend): { list: readonly Json[]; problem?: string } => {
  const list = (Object.hasOwn(results, field) ? results[field] : undefined) ?? [];
  const found = values.findLast((one) => one.field === field && one.outcome === 'set');
  const value = found?.outcome === 'set' ? found.value : null;
  if (value === null && fieldTypeOf(known.fields, field) !== 'json') return { list };
  const longer = [...list, value];
  const checked = coerceField(known, field, longer);
  return checked.ok ? { list: longer } : { list, problem: checked.problem };
};

/** The fields as they are written when the block is left. */
export const fieldsOfResults = (config: Mapped, results: Results, known: FieldsInZone): MappedField[] =>
  namesOf(config).flatMap((field): MappedField[] => {
    const type = fieldTypeOf(known.fields, field) ?? null;
    const coerced = coerceField(known, field, [...((Object.hasOwn(results, field) && results[field]) || [])]);
    if (!coerced.ok) return [];
    const at = { path: '', field, type };
    return [coerced.value === null ? { ...at, outcome: 'cleared' } : { ...at, outcome: 'set', value: coerced.value }];
  });

const namesOf = ({ mapping = [], error_mapping: errorMapping = [] }: Mapped): string[] => [
  ...new Set([...mapping, ...errorMapping].map(({ field }) => field)),
];
