import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { instantAt, zoned } from '../../times/clock.ts';
import { weekdayOf, weekdays } from './zones.ts';

const timeOfDay = z
  .string()
  .max(5)
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time of the day such as "09:00"' });

/** When a contact may be bothered: on which days, and between which hours of the contact's clock. */
export const windowSchema = z
  .strictObject({
    days: z
      .array(z.enum(weekdays))
      .min(1)
      .max(7)
      .optional()
      .meta({ description: '`monday` to `sunday`; all days where it is not given.' }),
    from: timeOfDay.default('00:00').meta({ description: 'When it opens, such as `09:00`.' }),
    to: timeOfDay.default('00:00').meta({
      description:
        'When it closes. When that is not later than `from`, it closes on the next day, and `days` are those on which it opens.',
    }),
  })
  .meta({ description: "A window in the contact's time zone, else the account's." });

export type Window = z.output<typeof windowSchema>;

/** A time for which a window is open, in ms since 1970. */
type Opening = { beginMs: number; endMs: number };

/** When a window is open that is not over at `start`, by the first two weeks from there. */
export function* openingsFrom(
  start: Date,
  { days, from, to }: Window,
  timeZone: string,
): Generator<Opening, undefined> {
  const opens = Temporal.PlainTime.from(from);
  const closes = Temporal.PlainTime.from(to);
  const isOvernight = Temporal.PlainTime.compare(closes, opens) <= 0;
  // Yesterday's window may still be open. One that daylight saving swallows is empty: a week later the next one of its day is not.
  const yesterday = zoned(start, timeZone).toPlainDate().subtract({ days: 1 });
  for (let ahead = 0; ahead <= 16; ahead += 1) {
    const day = yesterday.add({ days: ahead });
    if (days && !days.includes(weekdayOf(day))) continue;
    const beginMs = instantAt(day, opens, timeZone).epochMilliseconds;
    const endMs = instantAt(isOvernight ? day.add({ days: 1 }) : day, closes, timeZone).epochMilliseconds;
    if (beginMs < endMs && start.getTime() < endMs) yield { beginMs, endMs };
  }
  return undefined;
}

/** The first instant in a window, from `start` on. */
export const nextInWindow = (start: Date, window: Window, timeZone: string): Date => {
  for (const { beginMs } of openingsFrom(start, window, timeZone)) return new Date(Math.max(start.getTime(), beginMs));
  return start;
};
