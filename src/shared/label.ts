import { z } from 'zod';

/** A text on one line of at most so many characters, as pages and terminals show it. */
export const lineUpTo = (characters: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(characters)
    .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters');

/** A name of a thing. */
export const label = lineUpTo(200);
