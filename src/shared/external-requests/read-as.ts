import type { Json } from '../custom-fields/values.ts';
import type { ReadAs } from '../flows/blocks/request-schema.ts';
import { textOfJson } from '../flows/templating/values.ts';

/** A time as ISO 8601 in UTC, or what it should have been, in words that follow the field's name. */
type ReadTime = { ok: true; value: string } | { ok: false; problem: string };

/** Reads a time that a service writes in another form than ISO 8601. */
export const readAs = (form: ReadAs, value: Json): ReadTime => {
  const { must, read } = forms[form];
  const ms = read(textOfJson(value).trim());
  const isTime = ms !== undefined && ms >= earliestMs && ms <= latestMs;
  return isTime ? { ok: true, value: new Date(ms).toISOString() } : { ok: false, problem: `must be ${must}` };
};

/** The times whose year has four digits. */
const earliestMs = Date.parse('0001-01-01T00:00:00Z');
const latestMs = Date.parse('9999-12-31T23:59:59.999Z');

const msOfEpoch = (text: string, unitMs: number): number | undefined =>
  /^-?\d{1,15}(?:\.\d{1,9})?$/.test(text) ? Math.round(Number(text) * unitMs) : undefined;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const rfc2822 =
  /^(?:[a-z]{3}, ?)?(?<day>\d{1,2})[ -](?<month>[a-z]{3})[ -](?<year>\d{4}) (?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d))? (?<zone>[+-]\d{4}|[a-z]{1,3})(?: \([^()]{0,50}\))?$/i;

/** The zones that have names, in hours from UTC. */
const zones: ReadonlyMap<string, number> = new Map([
  ...['z', 'ut', 'utc', 'gmt'].map((name) => [name, 0] as const),
  ...['e', 'c', 'm', 'p'].flatMap((name, index) => [
    [`${name}st`, -5 - index] as const,
    [`${name}dt`, -4 - index] as const,
  ]),
]);

const msOfRfc2822 = (text: string): number | undefined => {
  const parts = rfc2822.exec(text)?.groups;
  if (!parts) return undefined;
  const { day = '', month = '', year = '', hour = '', minute = '', second = '0', zone = '' } = parts;
  const midnight = new Date(Date.UTC(Number(year), months.indexOf(month.toLowerCase()), Number(day)));
  const offsetMinutes = minutesOf(zone);
  const isDay = midnight.getUTCDate() === Number(day) && Number(year) >= 1900 && months.includes(month.toLowerCase());
  if (!isDay || offsetMinutes === undefined) return undefined;
  return midnight.getTime() + ((Number(hour) * 60 + Number(minute) - offsetMinutes) * 60 + Number(second)) * 1_000;
};

const minutesOf = (zone: string): number | undefined => {
  const [, sign, hours, minutes] = /^([+-])(\d\d)([0-5]\d)$/.exec(zone) ?? [];
  if (sign === undefined) {
    const named = zones.get(zone.toLowerCase());
    return named === undefined ? undefined : named * 60;
  }
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
};

/** What each form looks like, and its time in ms since 1970; undefined for what is none. */
const forms: Readonly<Record<ReadAs, { must: string; read: (text: string) => number | undefined }>> = {
  epoch_seconds: { must: 'seconds since 1970, such as 1774778400', read: (text) => msOfEpoch(text, 1_000) },
  epoch_milliseconds: { must: 'milliseconds since 1970, such as 1774778400000', read: (text) => msOfEpoch(text, 1) },
  rfc2822: { must: 'a time such as "Sun, 29 Mar 2026 10:00:00 +0200"', read: msOfRfc2822 },
};
