import { Temporal } from 'temporal-polyfill';

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
