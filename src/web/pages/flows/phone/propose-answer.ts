import type { RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import { isObject } from '../../../../shared/flows/raw-blocks.ts';
import type { components } from '../../../api/paths.gen.d.ts';
import type { MockAnswer } from './session.ts';

type FieldType = components['schemas']['CustomField']['type'];

/** A value that a field of this type takes. */
const samples: Readonly<Record<Exclude<FieldType, 'text'>, unknown>> = {
  number: 1,
  boolean: true,
  date: '2026-01-31',
  datetime: '2026-01-31T12:00:00Z',
  list: ['sample'],
  json: { sample: true },
};

/** What fields often hold, by how their keys end. */
const texts: Readonly<Record<string, string>> = {
  status: 'shipped',
  state: 'open',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  number: '1042',
  id: '1042',
  url: 'https://example.com/1042',
  link: 'https://example.com/1042',
  city: 'London',
  country: 'GB',
  currency: 'EUR',
};

/** A text as a field of this key may hold it; of any other key it says which field it is of. */
const sampleText = (key: string): string => {
  const parts = key.toLowerCase().split('_');
  const last = parts.at(-1) ?? '';
  return Object.hasOwn(texts, last) ? (texts[last] ?? '') : `sample ${parts.join(' ')}`;
};

const profileSamples: Readonly<Record<string, string>> = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+4915112345678',
  language: 'en',
  time_zone: 'Europe/London',
};

/** The names and indices of a path to one place: `$.items[0].left`, `items.0.left`, `$['a b']`. Undefined for any other path. */
export const readPlace = (path: string): (string | number)[] | undefined => {
  const bare = path.startsWith('$') ? path.slice(1) : `.${path}`;
  const part = /\.([\p{L}\p{N}_-]+)|\[(\d{1,4})\]|\['([^']*)'\]|\["([^"]*)"\]/uy;
  const place: (string | number)[] = [];
  while (part.lastIndex < bare.length) {
    const found = part.exec(bare);
    if (!found) return undefined;
    const [, name, index, single, double] = found;
    if (index !== undefined) place.push(Number(index));
    else if (name !== undefined && /^\d{1,4}$/.test(name)) place.push(Number(name));
    else place.push(name ?? single ?? double ?? '');
  }
  return place;
};

/** The most items that a list of a sample is given. */
const mostItems = 10;

/** Puts a value at a place, with objects and lists on the way where there is nothing. */
const put = (into: unknown, [part, ...rest]: readonly (string | number)[], value: unknown): unknown => {
  if (part === undefined) return value;
  if (typeof part === 'number') {
    if (part >= mostItems) return into;
    const list: unknown[] = Array.isArray(into) ? into : [];
    const filled: unknown[] = Array.from(
      { length: Math.max(list.length, part + 1) },
      (_, index) => list[index] ?? null,
    );
    return filled.with(part, put(list[part], rest, value));
  }
  const object = isObject(into) ? into : {};
  const own = Object.hasOwn(object, part) ? object[part] : undefined;
  return { ...object, [part]: put(own, rest, value) };
};

/** The most mappings of a block that a sample is made from. */
const mostMappings = 100;

/** A response of which every mapping of a block gets a value, as far as its paths say where. `typeOf`: the type of a custom field. */
export const proposeAnswer = (
  block: RawBlock | undefined,
  typeOf: (field: string) => FieldType | undefined,
): Extract<MockAnswer, { status: number }> => {
  const given: unknown = block?.['mapping'];
  const mapping: readonly unknown[] = Array.isArray(given) ? given.slice(0, mostMappings) : [];
  let body: unknown = {};
  const headers: Record<string, string> = {};
  for (const one of mapping) {
    if (!isObject(one) || typeof one['path'] !== 'string' || typeof one['field'] !== 'string') continue;
    const { path, field } = one;
    const type = typeOf(field) ?? 'text';
    const sample = profileSamples[field] ?? (type === 'text' ? sampleText(field) : samples[type]);
    const [, header] = /^\$headers\.(.+)$/.exec(path) ?? [];
    if (header !== undefined) headers[header] = String(sample);
    if (path.startsWith('$status') || path.startsWith('$headers') || path.startsWith('$body')) continue;
    const place = readPlace(path);
    if (place) body = put(body, place, sample);
  }
  return { status: 200, body, ...(Object.keys(headers).length > 0 && { headers }) };
};
