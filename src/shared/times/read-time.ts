import { Temporal } from 'temporal-polyfill';
import { instantAt, zoned } from './clock.ts';

/** What a text of a time comes to, or what is missing or wrong, in words that follow the name of what holds it. */
export type Read<Value> = ({ ok: true } & Value) | { ok: false; problem: string };

/** Whether a text is a day of the calendar, `2026-03-29`. */
export const isDate = (text: string): boolean => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith('0000')) return false;
  const midnight = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
};

/**
 * The instant of a date or date-time in ISO 8601. Without a zone it is on the clock of `timeZone`; a date alone is its midnight there, unless
 * a time is needed, too. A blank may stand for the T, both T and Z may be small, an offset may do without its colon or its minutes,
 * and 24:00 is the end of the day.
 */
export const readInstant = (text: string, timeZone: string, { needsTime = false } = {}): Read<{ instant: Date }> => {
  const read = readWritten(text, needsTime);
  if (!read.ok) return read;
  const instant = instantOf(read, timeZone);
  return isStorable(instant) ? { ok: true, instant } : { ok: false, problem: outOfRange };
};

/** The day of a date, which is the same everywhere, or the day that the clock of `timeZone` shows at a date-time: `2026-03-29`. */
export const readDay = (text: string, timeZone: string): Read<{ day: string }> => {
  const date = text.trim();
  if (isDate(date)) return { ok: true, day: date };
  const read = readInstant(text, timeZone);
  return read.ok ? { ok: true, day: zoned(read.instant, timeZone).toPlainDate().toString() } : read;
};

/** Whether PostgreSQL can hold an instant. It has no year zero, and ISO 8601 writes years beyond 9999 differently. */
const isStorable = (instant: Date): boolean => instant.getUTCFullYear() >= 1 && instant.getUTCFullYear() <= 9999;

const outOfRange = 'must be within the years 1 to 9999';

const incomplete = 'needs a date and a time, such as 2026-03-01T10:00';
const unreadable = 'must be a date, such as 2026-03-01, or a date and a time, such as 2026-03-01T10:00';

type Written = { date: string; time: string | undefined; offset: string | undefined };

const form = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?(.*))?$/is;

const readWritten = (text: string, needsTime: boolean): Read<Written> => {
  const [whole, date = '', time, offset, rest = ''] = form.exec(text.trim()) ?? [];
  if (needsTime && time === undefined) return refuse(incomplete);
  if (whole === undefined) return refuse(unreadable);
  if (date.startsWith('0000')) return refuse(outOfRange);
  if (!isDate(date)) return refuse(`has a day that no calendar has: ${date}`);
  if (time !== undefined && !clockTime.test(time)) return refuse(`has a time that no clock shows: ${time}`);
  if (rest !== '')
    return refuse(`ends in "${rest.slice(0, 40)}": only Z or an offset such as +01:00 may follow the time`);
  if (offset !== undefined && !clockOffset.test(offset)) return refuse(`has an offset that no zone has: ${offset}`);
  return { ok: true, date, time, offset };
};

const refuse = (problem: string) => ({ ok: false, problem }) as const;

const clockTime = /^(?:(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?|24:00(?::00(?:[.,]0+)?)?)$/;

const clockOffset = /^(?:z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/i;

const instantOf = ({ date, time = '00:00', offset }: Written, timeZone: string): Date => {
  const isEndOfDay = time.startsWith('24');
  const day = Temporal.PlainDate.from(date).add({ days: isEndOfDay ? 1 : 0 });
  const timeOfDay = Temporal.PlainTime.from(isEndOfDay ? '00:00' : time.replace(',', '.'));
  const zone = offset === undefined ? timeZone : zoneOfOffset(offset);
  return new Date(instantAt(day, timeOfDay, zone).epochMilliseconds);
};

const zoneOfOffset = (offset: string): string =>
  offset.toUpperCase() === 'Z'
    ? 'UTC'
    : offset.replace(/^(...):?(\d\d)?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`);
