import { z } from 'zod';
import { ExactNumber } from '../platform/json/exact-number.ts';
import { isStorableJson } from './storable.ts';
import type { Json } from './values.ts';

/** The most characters of JSON that a request brings for templates. */
const characters = 16_384;

/** The most values of a record of them. */
const values = 50;

const mustBeSmall = `must be at most ${characters} characters of JSON that is not nested deeply`;

const isSmall = (value: unknown): value is Json => isStorableJson(value) && JSON.stringify(value).length <= characters;

/** Any JSON that is small enough for templates. */
export const smallJson = z.unknown().transform((value, ctx): Json => {
  if (isSmall(value)) return value;
  ctx.addIssue({ code: 'custom', message: mustBeSmall });
  return z.NEVER;
});

/** Values by name that are small enough for templates. */
export const smallRecord = (description: string) =>
  z
    .record(z.string().min(1).max(64), z.unknown())
    .transform((value, ctx): { [key: string]: Json } => {
      const isFew = Object.keys(value).length <= values;
      const json: unknown = value;
      if (isFew && isSmall(json) && isRecord(json)) return json;
      ctx.addIssue({ code: 'custom', message: isFew ? mustBeSmall : `has more than ${values} values` });
      return z.NEVER;
    })
    .meta({ description, maxProperties: values });

const isRecord = (json: Json): json is { [key: string]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof ExactNumber);
