import type { Json } from '../../custom-fields/values.ts';
import { compareDecimals } from '../../platform/json/decimals.ts';
import { ExactNumber } from '../../platform/json/exact-number.ts';
import { inUnicodeForm } from '../../platform/unicode-form.ts';
import { readInstant } from '../../times/read-time.ts';
import { foldTyped } from '../../typed/text.ts';
import { isScalar } from '../templating/values.ts';
import type { PathType } from './scope.ts';
import { zoneOfText, type Clock } from './zones.ts';

/** How a rule compares: on which clock, in which meaning of its block, and what its field is known to hold (undefined: only the value says it). */
export type Comparing = Clock & { type: PathType | undefined };

/**
 * The order of two values: negative, 0 or positive; undefined for two that have none. Numbers are compared as numbers, also where they are
 * written as text, dates and date-times on the clock of a zone, and times of a day by the hour.
 */
export const orderOf = (left: Json | undefined, right: Json | undefined, clock: Clock): number | undefined => {
  const [one, other] = [left, right].map(numberOf);
  if (one !== undefined && other !== undefined) return compareDecimals(one, other);
  const instants = [left, right].map((value) => instantOf(value, clock));
  const times = [left, right].map(timeOfDay);
  for (const [a, b] of [instants, times]) if (a !== undefined && b !== undefined) return a - b;
  return undefined;
};

/**
 * Whether two values are the same to a person: texts whatever their case, `"7"` and the number 7, a date and its midnight. A text is compared
 * as text: `01234` is not `1234`. Lists and objects are the same as nothing.
 */
export const isSame = (left: Json | undefined, right: Json | undefined, { type, ...clock }: Comparing): boolean => {
  const text = foldOf(left, clock.v);
  if (text === undefined || text === foldOf(right, clock.v)) return text !== undefined;
  if (clock.v === 1 || (type !== undefined && ordered.includes(type)) || isNumber(left))
    return orderOf(left, right, clock) === 0;
  return type === undefined && instantOf(left, clock) === (instantOf(right, clock) ?? NaN);
};

/** The types of fields whose values have an order. */
export const ordered: readonly string[] = ['number', 'date', 'datetime', 'time'];

/**
 * Why no value of this type has an order beside a constant, in words that follow the constant's name; undefined where one has. That does not depend
 * on the zone.
 */
export const findUncomparable = (type: PathType | undefined, value: Json): string | undefined => {
  if (type === 'number' && numberOf(value) === undefined)
    return 'must be a number, of at most 15 digits on either side of its point';
  if (type === 'time' && timeOfDay(value) === undefined) return 'must be a time of the day, such as "09:30"';
  if (type !== 'date' && type !== 'datetime') return undefined;
  const read = typeof value === 'string' ? readInstant(value, 'UTC') : undefined;
  if (!read) return 'must be a text, such as "2026-03-01"';
  return read.ok ? undefined : read.problem;
};

/** A text, number or truth as text that can be compared; undefined for everything else. */
export const foldOf = (value: Json | undefined, v: number): string | undefined =>
  value === undefined || !isScalar(value) ? undefined : (v === 1 ? foldOnce : foldTyped)(String(value));

/** As texts were compared in the first meaning of rules. */
const foldOnce = (text: string): string =>
  inUnicodeForm(inUnicodeForm(text, 'NFKC').toUpperCase().toLowerCase(), 'NFKC').trim();

const isNumber = (value: Json | undefined): value is number | ExactNumber =>
  typeof value === 'number' || value instanceof ExactNumber;

/** The decimal that is a number, or a text of up to 15 digits on either side of its point. */
const numberOf = (value: Json | undefined): string | undefined => {
  if (isNumber(value)) return String(value);
  return typeof value === 'string' && /^\s*[+-]?\d{1,15}(?:\.\d{1,15})?\s*$/.test(value) ? value.trim() : undefined;
};

const instantOf = (value: Json | undefined, clock: Clock): number | undefined => {
  if (typeof value !== 'string') return undefined;
  const read = readInstant(value, zoneOfText(value, clock));
  return read.ok ? read.instant.getTime() : undefined;
};

const timeOfDay = (value: Json | undefined): number | undefined => {
  const [, hour, minute] = (typeof value === 'string' && /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(value.trim())) || [];
  return hour === undefined ? undefined : Number(hour) * 60 + Number(minute);
};
