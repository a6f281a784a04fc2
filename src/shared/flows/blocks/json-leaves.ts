import { reservedKeys, typeOfValue, valueLimits, type FieldType } from '../../custom-fields/values.ts';
import { readNumber } from '../../platform/json/decimals.ts';
import { ExactNumber } from '../../platform/json/exact-number.ts';
import type { Json } from '../../platform/json/json.ts';
import { isDate, readInstant } from '../../times/read-time.ts';
import { readMappingPath } from './mapping-paths.ts';

/** One value of an answer that can be mapped, with a field that could take it. */
type JsonLeaf = {
  /** The path of a mapping that leads to this value, and to nothing else. */
  path: string;
  value: Json;
  /** The type of field that takes the value; of null it is unknown, and text. */
  type: FieldType;
  /** The key of a custom field, and its name. No two leaves have the same. */
  key: string;
  name: string;
};

/** `isWhole` is false where the value has more, deeper or longer than a mapping or a page can take. */
export type JsonLeaves = { leaves: JsonLeaf[]; isWhole: boolean };

/** The most values that are looked at, and what a mapping's path may have. */
const limits = { nodes: 2_000, parts: 32, path: 500, name: 200 } as const;

type Node = { value: Json; path: string; parts: readonly (string | number)[] };

/**
 * The values of an answer in its order. A list of texts is one, and so is each of its texts; what is empty, or nested more deeply than paths
 * go, is one as a whole.
 */
export const listLeaves = (document: Json): JsonLeaves => {
  const leaves: JsonLeaf[] = [];
  const keys = createKeys();
  const waiting: Node[] = [{ value: document, path: '$', parts: [] }];
  let isWhole = true;
  let seen = 0;
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    seen += 1;
    if (seen > limits.nodes) return { leaves, isWhole: false };
    const { value, path, parts } = node;
    const children = parts.length === limits.parts ? [] : childrenOf(value, limits.nodes - seen + 1);
    if (children.length === 0 || typeOfValue(value) === 'list') {
      // A name with half a surrogate pair can stand in no path.
      if (path.length <= limits.path && readMappingPath(path).ok) leaves.push(asLeaf(node, keys));
      else isWhole = false;
    }
    for (const [part, child] of children.toReversed())
      waiting.push({ value: child, path: extend(path, part), parts: [...parts, part] });
  }
  return { leaves, isWhole };
};

/** What is in a value, up to `atMost`. */
const childrenOf = (value: Json, atMost: number): [part: string | number, value: Json][] => {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return [];
  if (Array.isArray(value)) return value.slice(0, atMost).map((item, index): [number, Json] => [index, item]);
  return Object.entries(value).slice(0, atMost);
};

/** A path that is too long grows no further: it is of no use, and names may be long. */
const extend = (path: string, part: string | number): string =>
  path.length > limits.path ? path : `${path}${segmentOf(part)}`;

/** A part of a path: a plain name behind a dot, an index, or a name in quotes. */
const segmentOf = (part: string | number): string => {
  if (typeof part === 'number') return `[${part}]`;
  // A name of digits alone would be read as an index.
  if (/^[A-Za-z_]\w*$/.test(part)) return `.${part}`;
  return `[${quoted(part)}]`;
};

const quoted = (name: string): string =>
  `'${JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** The path of a mapping that leads to this place and to nothing else. */
export const pathTo = (parts: readonly (string | number)[]): string => parts.reduce<string>(extend, '$');

const asLeaf = ({ value, path, parts }: Node, newKey: (base: string) => string): JsonLeaf => {
  const key = newKey(keyOf(parts.join('_')));
  return { path, value, type: fieldTypeFor(value), key, name: nameOfKey(key) };
};

/** A text of a time is one. Fields of JSON take longer texts, and only text keeps all digits of a long number. */
export const fieldTypeFor = (value: Json): FieldType => {
  if (value === null) return 'text';
  if (value instanceof ExactNumber) return readNumber(String(value)) === undefined ? 'text' : 'number';
  if (typeof value !== 'string') return typeOfValue(value);
  if (isDate(value)) return 'date';
  if (value.length <= 40 && readInstant(value, 'UTC', { needsTime: true }).ok) return 'datetime';
  return value.length > valueLimits.text ? 'json' : 'text';
};

/** Makes keys that are not there yet. It remembers how far it has counted, for an answer may have one name two thousand times. */
const createKeys = (): ((base: string) => string) => {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (base) => {
    let count = counts.get(base) ?? 1;
    let key = count === 1 ? base : `${base}_${count}`;
    for (; taken.has(key); key = `${base}_${count}`) count += 1;
    counts.set(base, count);
    taken.add(key);
    return key;
  };
};

/** The key of a field for what is at this path. Of a long path the last parts tell most. */
export const keyOf = (path: string): string => {
  const words = path.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
  const plain = words.replace(/[^a-z\d]+/g, '_').replace(/^[_\d]+|_+$/g, '');
  const short = plain.slice(-56).replace(/^[_\d]+/, '') || 'value';
  return reservedKeys.has(short) ? `${short}_value` : short;
};

/** The name of a field of this key, as people read it. */
export const nameOfKey = (key: string): string => {
  const words = key.replaceAll('_', ' ').slice(0, limits.name);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};
