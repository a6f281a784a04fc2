import { z } from 'zod';
import { isStorable, outOfRange, readInstant } from './read-time.ts';

/**
 * A date-time, still as its text: without a zone it is on a clock that only the write knows. Whether it is one does not depend on the zone, but
 * for the first and the last day of the years that PostgreSQL holds.
 */
export const writtenTime = z
  .string()
  .max(64)
  .superRefine((text, ctx) => {
    const read = readInstant(text, 'UTC', { needsTime: true });
    if (!read.ok) ctx.addIssue({ code: 'custom', message: read.problem });
  });

/** The instant of a date-time that `writtenTime` has taken; undefined for what lies outside of the years 1 to 9999 in the zone. */
export const instantIn = (text: string, timeZone: string): Date | undefined => {
  const read = readInstant(text, timeZone);
  return read.ok ? read.instant : undefined;
};

/** A date, which is its midnight in UTC, or a time: what lists and counts are asked since and until. */
export const askedTime = z
  .union([z.iso.date().max(10), z.iso.datetime({ offset: true }).max(40)], {
    error: 'must be a date as 2026-01-31, or a time as 2026-01-31T12:00:00Z',
  })
  .transform((text) => new Date(text))
  .refine(isStorable, outOfRange);
