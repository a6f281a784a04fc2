import { Temporal } from 'temporal-polyfill';
import { createMemo } from '../../platform/memo.ts';
import { zoned } from '../../times/clock.ts';
import { isDate, readInstant } from '../../times/read-time.ts';
import type { Scope } from './scope.ts';

/** What a format can have; what stands in [brackets], and everything else, is shown as it is. */
const tokenForm = /\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|H|hh|h|mm|m|ss|s|A|Z/g;

/**
 * A date, or a date-time in the scope's zone, in a format such as `DD.MM.YYYY HH:mm`; a time without a zone is in the scope's as well. A date is
 * the same day everywhere.
 * Undefined for what is neither.
 */
export const formatDate = (text: string, format: string, scope: Scope): string | undefined => {
  const when = readWhen(text, scope.timeZone);
  if (!when) return undefined;
  const digits = hasName(format) ? digitsOf(scope.language) : undefined;
  return format.replace(tokenForm, (token, literal: string | undefined) => {
    if (literal !== undefined) return literal;
    const shown = tokens.get(token)?.(when, scope.language) ?? token;
    return digits ? shown.replace(/[0-9]/g, (digit) => digits[Number(digit)] ?? digit) : shown;
  });
};

/** Whether it names a month or weekday, and so is for people: numbers alone may be for a service, which reads 0 to 9. */
const hasName = (format: string): boolean => /MMM|ddd/.test(format.replace(/\[[^\]]*\]/g, ''));

/** The ten digits of a language. */
const digitsOf = createMemo(500, (language): readonly string[] => {
  const format = new Intl.NumberFormat(localesOf(language), { useGrouping: false });
  return Array.from({ length: 10 }, (_, digit) => format.format(digit));
});

const readWhen = (text: string, timeZone: string): Temporal.ZonedDateTime | undefined => {
  if (isDate(text)) return Temporal.PlainDate.from(text).toZonedDateTime('UTC');
  const read = readInstant(text, timeZone);
  return read.ok ? zoned(read.instant, timeZone) : undefined;
};

const padded = (value: number): string => String(value).padStart(2, '0');

const hourOfTwelve = ({ hour }: Temporal.ZonedDateTime): number => hour % 12 || 12;

type Token = (when: Temporal.ZonedDateTime, language: string) => string;

const tokens: ReadonlyMap<string, Token> = new Map<string, Token>([
  ['YYYY', ({ year }) => String(year).padStart(4, '0')],
  ['YY', ({ year }) => padded(year % 100)],
  ['MMMM', (when, language) => nameOf(when, language, 'month', 'long')],
  ['MMM', (when, language) => nameOf(when, language, 'month', 'short')],
  ['MM', ({ month }) => padded(month)],
  ['M', ({ month }) => String(month)],
  ['DD', ({ day }) => padded(day)],
  ['D', ({ day }) => String(day)],
  ['dddd', (when, language) => nameOf(when, language, 'weekday', 'long')],
  ['ddd', (when, language) => nameOf(when, language, 'weekday', 'short')],
  ['HH', ({ hour }) => padded(hour)],
  ['H', ({ hour }) => String(hour)],
  ['hh', (when) => padded(hourOfTwelve(when))],
  ['h', (when) => String(hourOfTwelve(when))],
  ['mm', ({ minute }) => padded(minute)],
  ['m', ({ minute }) => String(minute)],
  ['ss', ({ second }) => padded(second)],
  ['s', ({ second }) => String(second)],
  ['A', ({ hour }) => (hour < 12 ? 'AM' : 'PM')],
  ['Z', ({ offset }) => offset],
]);

/** A name of a month or weekday in a language, of the Gregorian calendar as the numbers are, whichever the language counts by. */
const nameOf = (
  { year, month, day }: Temporal.ZonedDateTime,
  language: string,
  part: 'month' | 'weekday',
  length: 'long' | 'short',
): string => names[part][length](language).format(Date.UTC(year, month - 1, day));

/** Making a format of the platform is slow. */
const formatsOf = (options: Intl.DateTimeFormatOptions) =>
  createMemo(
    125,
    (language) => new Intl.DateTimeFormat(localesOf(language), { ...options, timeZone: 'UTC', calendar: 'gregory' }),
  );

const names = {
  month: { long: formatsOf({ month: 'long' }), short: formatsOf({ month: 'short' }) },
  weekday: { long: formatsOf({ weekday: 'long' }), short: formatsOf({ weekday: 'short' }) },
};

/** What is no language tag, or a language that the platform does not know, is English. */
const localesOf = (language: string): string[] => {
  try {
    return [...Intl.getCanonicalLocales(language), 'en'];
  } catch {
    return ['en'];
  }
};
