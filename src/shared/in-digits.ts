import { z } from 'zod';

/** A number as a query or a command line has it: of decimal digits alone, so that "0x10", "1e2" and " 5" are none. */
export const inDigits = <Schema extends z.ZodType<number>>(schema: Schema) =>
  z.preprocess((text) => (typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : text), schema);
