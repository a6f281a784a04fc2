import { readNumber } from '../platform/json/decimals.ts';
import { ExactNumber } from '../platform/json/exact-number.ts';
import type { Json } from '../platform/json/json.ts';
import { isStorable } from '../platform/storable-text.ts';
import { isDate, readDay, readInstant } from '../times/read-time.ts';
import { isStorableJson } from './storable.ts';

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
 * Checks a value that a caller of the API sends: `"7"` is no number. A date-time is stored in UTC, and is on the clock of `timeZone` when it
 * names no zone; everything else is stored as it is sent.
 */
export const checkValue = (definition: FieldDefinition, value: unknown, timeZone: string): CheckedValue => {
  const checked = kinds[definition.type].read(value, timeZone);
  const { options } = definition;
  if (!checked.ok || options === null || !holdsTexts(definition.type)) return checked;
  const known = checked.value;
  const others = [known].flat().filter((item) => !options.some((option) => option === item));
  return others.length === 0 ? { ok: true, value: known } : { ok: false, problem: 'must be one of its options' };
};

/**
 * Makes a value of what people write and other services answer: `"7"` becomes 7, `"true"` true, a date its midnight, and a date-time the day
 * on the clock of `timeZone`. Otherwise as `checkValue`.
 */
export const coerceValue = (definition: FieldDefinition, value: unknown, timeZone: string): CheckedValue =>
  checkValue(definition, kinds[definition.type].lenient(value, timeZone), timeZone);

/** The type of a field that is defined by its first value. */
export const typeOfValue = (value: unknown): FieldType => {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number' || value instanceof ExactNumber) return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return Array.isArray(value) && readList(value) !== undefined ? 'list' : 'json';
};

/** Whether values of the type are texts, which the field may bound to its options. */
export const holdsTexts = (type: FieldType): boolean => type === 'text' || type === 'list';

/** `read` is what the API takes; `lenient` turns what is like a value into one. */
type Kind = {
  read: (value: unknown, timeZone: string) => CheckedValue;
  lenient: (value: unknown, timeZone: string) => unknown;
};

/** Takes what `find` finds. Otherwise `refuse` says why, or what must be there is said. */
const mustBe =
  (
    must: string,
    find: (value: unknown) => FieldValue | undefined,
    refuse?: (value: unknown) => string | undefined,
  ): Kind['read'] =>
  (value) => {
    const known = find(value);
    return known === undefined
      ? { ok: false, problem: refuse?.(value) ?? `must be ${must}` }
      : { ok: true, value: known };
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

const readDate: Kind['read'] = (value, timeZone) => {
  const text = typeof value === 'string' ? value.trim() : '';
  if (isDate(text)) return { ok: true, value: text };
  const read = readDay(text, timeZone);
  if (read.ok) return { ok: false, problem: 'must be a date without a time, such as "2026-03-29"' };
  return /^\d{4}-\d\d-\d\d/.test(text) ? read : { ok: false, problem: 'must be a date such as "2026-03-29"' };
};

const readDateTime: Kind['read'] = (value, timeZone) => {
  if (typeof value !== 'string') return { ok: false, problem: 'must be a text such as "2026-03-01T10:00"' };
  const read = readInstant(value, timeZone, { needsTime: true });
  return read.ok ? { ok: true, value: read.instant.toISOString() } : read;
};

const asDay = (value: unknown, timeZone: string): unknown => {
  const read = typeof value === 'string' ? readDay(value, timeZone) : undefined;
  return read?.ok ? read.day : value;
};

const asInstant = (value: unknown, timeZone: string): unknown => {
  const read = typeof value === 'string' ? readInstant(value, timeZone) : undefined;
  return read?.ok ? read.instant.toISOString() : value;
};

const kinds: Record<FieldType, Kind> = {
  text: {
    read: mustBe(`a text of up to ${valueLimits.text} characters`, (value) =>
      isText(value, valueLimits.text) ? value : undefined,
    ),
    lenient: asText,
  },
  number: {
    read: mustBe(
      'a number',
      (value) => {
        const number = value instanceof ExactNumber ? readNumber(String(value)) : value;
        return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
      },
      refuseNumber,
    ),
    lenient: asNumber,
  },
  boolean: {
    read: mustBe('true or false', (value) => (typeof value === 'boolean' ? value : undefined)),
    lenient: (value) => truths.get(typeof value === 'string' ? value.trim().toLowerCase() : value) ?? value,
  },
  date: { read: readDate, lenient: asDay },
  datetime: { read: readDateTime, lenient: asInstant },
  list: {
    read: mustBe(
      `a list of up to ${valueLimits.items} texts of up to ${valueLimits.item} characters`,
      readList,
      refuseList,
    ),
    lenient: (value) => (Array.isArray(value) ? value.map(asText) : [asText(value)]),
  },
  json: {
    read: mustBe(
      `JSON of up to ${valueLimits.json} characters, without null at its top, NUL or half a surrogate pair`,
      readJson,
    ),
    lenient: (value) => value,
  },
};
