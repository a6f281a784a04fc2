import { isDate, readDateTime } from './dates.ts';
import { readNumber } from '../platform/json/decimals.ts';
import { ExactNumber } from '../platform/json/exact-number.ts';
import type { Json } from '../platform/json/json.ts';
import { isStorable, isStorableJson } from './storable.ts';

export type { Json };

export const fieldTypes = ['text', 'number', 'boolean', 'date', 'datetime', 'list', 'json'] as const;

export type FieldType = (typeof fieldTypes)[number];

/** What a field of a contact can hold. A field without a value is absent, never null. */
export type FieldValue = Exclude<Json, null>;

/** A custom field of an account. `options` are the only texts that a text or list may hold; null lets it hold any. */
export type FieldDefinition = {
  key: string;
  name: string;
  type: FieldType;
  options: readonly string[] | null;
  default: FieldValue | null;
};

/** A value as it is to be stored, or what is wrong with it, in words that follow the field's name. */
export type CheckedValue = { ok: true; value: FieldValue } | { ok: false; problem: string };

/** The names of a custom field in the API, in templates and in flows. */
export const fieldKey = /^[a-z][a-z0-9_]{0,63}$/;

/** The fields of a contact that every account has, and that flows may set as they may custom ones. */
export const profileFields = ['first_name', 'last_name', 'email', 'phone', 'language', 'time_zone'] as const;

export type ProfileField = (typeof profileFields)[number];

export const isProfileField = (key: string): key is ProfileField => profileFields.some((field) => field === key);

/** Names that templates and answers of the API use already: no custom field may have them. */
export const reservedKeys: ReadonlySet<string> = new Set(
  `${profileFields.join(' ')} id external_id channel status contact account flow run now params reply event credential tags
  custom_fields created_at updated_at`.split(/\s+/),
);

/** The most characters of a text, of an item of a list, and of a json value; the most items of a list. */
export const valueLimits = { text: 5_000, item: 500, items: 100, json: 20_000 } as const;

/**
 * Checks a value that a caller of the API sends: `"7"` is no number. A date-time is stored in UTC, everything else as it is sent.
 */
export const checkValue = (definition: FieldDefinition, value: unknown): CheckedValue => {
  const { read, refuse, must } = kinds[definition.type];
  const known = read(value);
  if (known === undefined) return { ok: false, problem: refuse?.(value) ?? `must be ${must}` };
  const { options } = definition;
  if (options === null || !holdsTexts(definition.type)) return { ok: true, value: known };
  const others = [known].flat().filter((item) => !options.some((option) => option === item));
  return others.length === 0 ? { ok: true, value: known } : { ok: false, problem: 'must be one of its options' };
};

/**
 * Makes a value of what people write and other services answer: `"7"` becomes 7, `"true"` true, a date-time a date. Otherwise as
 * `checkValue`.
 */
export const coerceValue = (definition: FieldDefinition, value: unknown): CheckedValue =>
  checkValue(definition, kinds[definition.type].lenient(value));

/** The type of a field that is defined by its first value. */
export const typeOfValue = (value: unknown): FieldType => {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number' || value instanceof ExactNumber) return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return Array.isArray(value) && kinds.list.read(value) !== undefined ? 'list' : 'json';
};

/** Whether values of the type are texts, which the field may bound to its options. */
export const holdsTexts = (type: FieldType): boolean => type === 'text' || type === 'list';

/**
 * `read` is what the API takes, undefined for what it refuses; `refuse` says why where it is not the type; `lenient` turns what is like a value
 * into one.
 */
type Kind = {
  must: string;
  refuse?: (value: unknown) => string | undefined;
  read: (value: unknown) => FieldValue | undefined;
  lenient: (value: unknown) => unknown;
};

const isText = (value: unknown, limit: number): value is string =>
  typeof value === 'string' && value.length <= limit && isStorable(value);

const isItem = (value: unknown): value is string => isText(value, valueLimits.item);

const readList = (value: unknown): FieldValue | undefined =>
  Array.isArray(value) && value.length <= valueLimits.items && value.every(isItem) ? value : undefined;

const refuseList = (value: unknown): string | undefined => {
  if (!Array.isArray(value)) return undefined;
  const { items, item } = valueLimits;
  if (value.length > items) return `must be a list of up to ${items} texts: it has more items`;
  const wrong = value.findIndex((one) => !isItem(one));
  if (wrong < 0) return undefined;
  const found: unknown = value[wrong];
  const isLong = typeof found === 'string' && found.length > item;
  const kind = found === null ? 'null' : isLong ? `longer than ${item} characters` : 'no text that can be stored';
  return `must be a list of texts: item ${wrong + 1} is ${kind}`;
};

const readJson = (value: unknown): FieldValue | undefined => {
  if (value === null || !isStorableJson(value)) return undefined;
  return JSON.stringify(value).length <= valueLimits.json ? value : undefined;
};

const asText = (value: unknown): unknown => {
  if (typeof value === 'number' || typeof value === 'boolean' || value instanceof ExactNumber) return String(value);
  return typeof value === 'object' && readJson(value) !== undefined ? JSON.stringify(value) : value;
};

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

const decimal = /^[+-]?\d{1,300}(?:\.\d{1,300})?(?:e[+-]?\d{1,3})?$/i;

const asNumber = (value: unknown): unknown =>
  typeof value === 'string' && decimal.test(value.trim()) ? (readNumber(value.trim()) ?? value) : value;

const refuseNumber = (value: unknown): string | undefined => {
  const isNumber = value instanceof ExactNumber || (typeof value === 'string' && decimal.test(value.trim()));
  const isTooLong = isNumber && readNumber(String(value).trim()) === undefined;
  return isTooLong ? 'has more digits than a number can hold: only a text keeps them all' : undefined;
};

const truths: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...[1, '1', 'true'].map((like) => [like, true] as const),
  ...[0, '0', 'false'].map((like) => [like, false] as const),
]);

const kinds: Record<FieldType, Kind> = {
  text: {
    must: `a text of up to ${valueLimits.text} characters`,
    read: (value) => (isText(value, valueLimits.text) ? value : undefined),
    lenient: asText,
  },
  number: {
    must: 'a number',
    read: (value) => {
      const number = value instanceof ExactNumber ? readNumber(String(value)) : value;
      return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
    },
    refuse: refuseNumber,
    lenient: asNumber,
  },
  boolean: {
    must: 'true or false',
    read: (value) => (typeof value === 'boolean' ? value : undefined),
    lenient: (value) => truths.get(typeof value === 'string' ? value.trim().toLowerCase() : value) ?? value,
  },
  date: {
    must: 'a date such as "2026-03-29"',
    read: (value) => (typeof value === 'string' && isDate(value) ? value : undefined),
    lenient: (value) => (typeof value === 'string' && readDateTime(value) ? value.trim().slice(0, 10) : trimmed(value)),
  },
  datetime: {
    must: 'a date and time with its zone, such as "2026-03-29T10:00:00Z"',
    read: (value) => (typeof value === 'string' ? readDateTime(value, { strict: true })?.toISOString() : undefined),
    lenient: (value) => (typeof value === 'string' ? (readDateTime(value)?.toISOString() ?? value) : value),
  },
  list: {
    must: `a list of up to ${valueLimits.items} texts of up to ${valueLimits.item} characters`,
    read: readList,
    refuse: refuseList,
    lenient: (value) => (Array.isArray(value) ? value.map(asText) : [asText(value)]),
  },
  json: {
    must: `JSON of up to ${valueLimits.json} characters, without null at its top, NUL or half a surrogate pair`,
    read: readJson,
    lenient: (value) => value,
  },
};
