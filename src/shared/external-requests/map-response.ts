import type { FieldType, FieldValue, Json } from '../custom-fields/values.ts';
import type { ExternalRequest } from '../flows/blocks/request-schema.ts';
import { coerceField, fieldTypeOf, type FieldsInZone } from '../flows/blocks/fields.ts';
import { readMappingPath } from '../flows/blocks/mapping-paths.ts';
import { findByPath, type JsonPath } from '../platform/json-path.ts';
import { parseBothWays } from '../platform/json/parse-json.ts';
import { repairTexts } from '../platform/repair-texts.ts';
import { unreachable } from '../unreachable.ts';
import { readAs } from './read-as.ts';

/** What of a response goes into which field. */
export type Mapping = NonNullable<ExternalRequest['mapping']>[number];

/** An answer whose body is whole and decoded. */
export type WholeResponse = {
  status: number;
  headers: Readonly<Record<string, string | string[]>>;
  body: Uint8Array;
};

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
  /** Whether a text has a credential in it, which would then stand in a contact. */
  holdsSecret: (text: string) => boolean;
};

/** The most values that one path with several results gives: more than any field takes. */
const maxValues = 1_000;

/**
 * Finds the value of each mapping and makes it one of its field's type. A path to one place gives that value. A path that may lead to
 * several gives the list of them to a field that holds lists or JSON, and the first one to any other. A value that is not there, or
 * null, leaves the field as it is, unless `on_missing` says otherwise; so does an answer that is empty, or no JSON. It takes seconds for a
 * hostile response: see `map-on-thread.ts`.
 */
export const mapResponse = (
  mappings: readonly Mapping[],
  response: WholeResponse,
  { fields, timeZone, country, v, holdsSecret }: MapOptions,
): MappedResponse => {
  const source = createSource(response, v);
  const mapped = mappings.map((mapping): MappedField => {
    const { path, field } = mapping;
    const type = fieldTypeOf(fields, field);
    const at = { path, field, type: type ?? null };
    if (type === undefined) return { ...at, outcome: 'failed', problem: 'is not a field of the account' };
    const found = source.find(path, type);
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
  const isError = response.status < 200 || response.status >= 300;
  const ok = (isError && v >= 2) || mapped.every(({ outcome }) => outcome !== 'failed');
  return { ok, fields: mapped };
};

/** Whether a mapping reads the body of the response: others take its status or its headers. */
export const readsBody = ({ path }: Mapping): boolean => {
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

/** `why` says what is wrong with an answer that has no value for that reason. */
type Found = { ok: true; value: Json | undefined; why?: string } | { ok: false; problem: string };

/** Finds what paths lead to in a response, which is parsed when the first one asks for it. */
const createSource = ({ status, headers, body }: WholeResponse, v: number) => {
  let text: string | undefined;
  let document: ReturnType<typeof parse> | undefined;

  const readText = (): string => (text ??= decode(body, headers['content-type']));
  const readDocument = () => (document ??= parse(readText(), headers['content-type']));

  const find = (path: string, type: FieldType): Found => {
    const read = readMappingPath(path);
    if (!read.ok) return { ok: false, problem: `has a path that ${read.problem}` };
    const { source } = read;
    const holdsJson = type === 'list' || type === 'json';
    switch (source.from) {
      case 'status':
        return { ok: true, value: status };
      case 'header':
        return { ok: true, value: headerOf(headers, source.name) };
      case 'body':
        return holdsJson || (v >= 2 && readText().trim() === '') ? findDocument() : { ok: true, value: readText() };
      case 'json':
        return findInDocument(source.path, holdsJson && !source.path.isSingular);
      default:
        return unreachable(source);
    }
  };

  const withoutJson = (unread: { ok: false; problem: string }): Found =>
    v >= 2 ? { ok: true, value: undefined, why: unread.problem } : unread;

  const findDocument = (): Found => {
    const parsed = readDocument();
    return parsed.ok ? { ok: true, value: parsed.exact } : withoutJson(parsed);
  };

  const findInDocument = (path: JsonPath, takesAll: boolean): Found => {
    const parsed = readDocument();
    if (!parsed.ok) return withoutJson(parsed);
    const values = findByPath(parsed.plain, path, takesAll ? maxValues : 1, parsed.exact)?.filter(isJson);
    if (!values) return { ok: false, problem: 'has a path with .. into a response that is nested too deeply' };
    return { ok: true, value: takesAll && values.length > 0 ? values : values[0] };
  };
  return { find };
};

/** There is nothing else in what was parsed. */
const isJson = (value: unknown): value is Json => value !== undefined;

const headerOf = (headers: WholeResponse['headers'], name: string): string | undefined => {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return value === undefined ? undefined : [value].flat().join(', ');
};

const parse = (text: string, contentType: string | string[] | undefined) => {
  try {
    return { ok: true, ...parseBothWays(text) } as const;
  } catch {
    if (text.trim() === '') return { ok: false, problem: 'needs a response with a body' } as const;
    const said = contentType === undefined ? '' : ` (this is ${[contentType].flat().join(', ').slice(0, 100)})`;
    return { ok: false, problem: `needs a response that is JSON${said}` } as const;
  }
};

/** The text of a body in the character set that its header names; UTF-8 otherwise. */
export const decode = (body: Uint8Array, contentType: string | string[] | undefined): string => {
  const [, charset = 'utf-8'] = /;\s*charset="?([\w-]{1,40})/i.exec([contentType].flat().join(';')) ?? [];
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
};
