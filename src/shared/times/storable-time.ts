import { z } from 'zod';
import { isStorable, outOfRange } from './read-time.ts';

/** A time that PostgreSQL can hold, of texts in ISO 8601. Checked in UTC: an offset may lead out of the range. */
export const storableTime = (texts: z.ZodType<string, string>) =>
  texts.transform((text) => new Date(text)).refine(isStorable, outOfRange);

/** A date, which is its midnight in UTC, or a time: what lists and counts are asked since and until. */
export const askedTime = storableTime(
  z.union([z.iso.date().max(10), z.iso.datetime({ offset: true }).max(40)], {
    error: 'must be a date as 2026-01-31, or a time as 2026-01-31T12:00:00Z',
  }),
);
