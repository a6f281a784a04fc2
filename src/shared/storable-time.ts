import type { z } from 'zod';

/**
 * A time that PostgreSQL can hold, of texts in ISO 8601. It has no year zero, and ISO 8601 writes years beyond 9999 differently. Checked in UTC:
 * an offset may lead out of the range.
 */
export const storableTime = (texts: z.ZodType<string, string>) =>
  texts
    .transform((text) => new Date(text))
    .refine(
      (date) => date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999,
      'must be within the years 1 to 9999',
    );
