import type { Temporal } from 'temporal-polyfill';
import { zoned } from '../../times/clock.ts';
import { isTimeZone } from '../../times/time-zone.ts';
import type { BlockContext } from './context.ts';

/** The time zone of a contact, else of its account, else UTC. */
export const zoneOf = ({ contact, account }: Pick<BlockContext, 'contact' | 'account'>): string =>
  [contact.timeZone, account.timeZone].find((zone) => zone !== null && isTimeZone(zone)) ?? 'UTC';

/** On which clock texts of times are read, and in which meaning of the block. */
export type Clock = { timeZone: string; v: number };

/** The zone of a text that names none. In the first meaning of blocks only these forms were on the contact's clock, and others in UTC. */
export const zoneOfText = (text: string, { timeZone, v }: Clock): string =>
  v > 1 || /^\d{4}-\d\d-\d\d(?:[T ](?:[01]\d|2[0-3])(?::[0-5]\d){1,2})?$/.test(text.trim()) ? timeZone : 'UTC';

/** The present moment on the contact's clock. */
export const zonedOf = (context: BlockContext): Temporal.ZonedDateTime => zoned(context.now, zoneOf(context));

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export type Weekday = (typeof weekdays)[number];

export const weekdayOf = ({ dayOfWeek }: Pick<Temporal.PlainDate, 'dayOfWeek'>): Weekday =>
  weekdays[dayOfWeek - 1] ?? 'monday';

export const dateOf = (moment: Temporal.ZonedDateTime): string => moment.toPlainDate().toString();

/** `09:05`, without seconds. */
export const timeOf = (moment: Temporal.ZonedDateTime): string =>
  moment.toPlainTime().toString({ smallestUnit: 'minute' });
