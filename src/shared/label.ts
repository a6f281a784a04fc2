import { z } from 'zod';

/** A name on one line, as pages and terminals show it. */
export const label = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters');
