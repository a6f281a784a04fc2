import { Temporal } from 'temporal-polyfill';
import { isDate } from '../../custom-fields/dates.ts';
import type { Situation } from './situation.ts';

/** The time zone of a contact, else of its account, else UTC. */
export const zoneOf = ({ contact, account }: Pick<Situation, 'contact' | 'account'>): string =>
  [contact.timeZone, account.timeZone].find((zone) => zone !== null && isZone(zone)) ?? 'UTC';

/** The present moment on the contact's clock. */
export const zonedOf = (situation: Situation): Temporal.ZonedDateTime => zoned(situation.now, zoneOf(situation));

/** An instant on the clock of a zone. */
export const zoned = (instant: Date, timeZone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone);

/**
 * The instant at which a clock shows a day and time. A time that daylight saving skips is the next instant that there is; of one that it
 * repeats, the first.
 */
export const instantAt = (day: Temporal.PlainDate, time: Temporal.PlainTime, timeZone: string): Temporal.Instant => {
  const local = day.toPlainDateTime(time);
  const first = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (first.toPlainDateTime().equals(local)) return first.toInstant();
  // In a gap, `earlier` lies before it by the gap's length: the next change of the clock is the gap's end.
  return (first.getTimeZoneTransition('next') ?? first).toInstant();
};

/** The instant of a date, or of a date-time without a zone, on the clock of a zone; undefined for everything else. */
export const localInstant = (text: string, timeZone: string): Date | undefined => {
  const [whole, date = '', time = '00:00'] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?))?$/.exec(text) ?? [];
  if (whole === undefined || !isDate(date) || !/^(?:[01]\d|2[0-3])(?::[0-5]\d)+$/.test(time)) return undefined;
  const instant = instantAt(Temporal.PlainDate.from(date), Temporal.PlainTime.from(time), timeZone);
  return new Date(instant.epochMilliseconds);
};

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export type Weekday = (typeof weekdays)[number];

export const weekdayOf = ({ dayOfWeek }: Pick<Temporal.PlainDate, 'dayOfWeek'>): Weekday =>
  weekdays[dayOfWeek - 1] ?? 'monday';

export const dateOf = (moment: Temporal.ZonedDateTime): string => moment.toPlainDate().toString();

/** `09:05`, without seconds. */
export const timeOf = (moment: Temporal.ZonedDateTime): string =>
  moment.toPlainTime().toString({ smallestUnit: 'minute' });

const isZone = (zone: string): boolean => {
  const known = zones.get(zone);
  if (known !== undefined) return known;
  if (zones.size >= 1_000) zones.clear();
  const isOne = canUse(zone);
  zones.set(zone, isOne);
  return isOne;
};

const zones = new Map<string, boolean>();

const canUse = (zone: string): boolean => {
  try {
    return zoned(new Date(0), zone) !== undefined;
  } catch {
    return false;
  }
};
