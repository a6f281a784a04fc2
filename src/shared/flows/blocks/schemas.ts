import { z } from 'zod';
import { ExactNumber } from '../../platform/json/exact-number.ts';
import { durationMs } from './durations.ts';

/** The id of a block in its flow. It may stand in Temporal's history. */
export const blockId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, - and _' })
  .meta({ description: 'Unique in the flow.' });

/** Where a port leads. */
const target = blockId.nullable().meta({ description: 'The id of a block; null ends the run as completed.' });

/** The title of a block, for people. Flows do not read it. */
const blockName = z.string().trim().min(1).max(60).optional().meta({
  description: 'The title people see, in place of the id: up to 60 characters. The flow does not depend on it.',
});

/** The schema of a kind of block: what all have, its own fields, and its ports. */
export const blockSchema = <Type extends string, Fields extends z.ZodRawShape, Port extends string>(
  type: Type,
  fields: Fields,
  ports: readonly Port[],
) =>
  z.strictObject({
    id: blockId,
    type: z.literal(type),
    name: blockName,
    ...fields,
    // JSON Schema has no enum of nothing.
    next: (ports.length === 0 ? z.strictObject({}) : z.partialRecord(z.enum(ports), target))
      .optional()
      .meta({ description: 'Where each port leads.' }),
  });

/** A text that is shown to a contact, with placeholders. */
export const text = z.string().min(1).max(5_000);

/** A value with placeholders: one that stands alone keeps its type. */
export const value = z.union([z.string().max(5_000), z.number(), z.boolean()], {
  error: ({ input }) =>
    input instanceof ExactNumber
      ? 'has more digits than a number can hold: put it in quotes'
      : 'must be a text of up to 5000 characters, a number, true or false',
});

/** The name of a custom field, or of a profile field that flows may set. */
export const fieldName = z.string().min(1).max(64).meta({
  description: 'A custom field, or first_name, last_name, email, phone, language or time_zone.',
});

/** An exact duration, from one second to a year. */
export const duration = z
  .string()
  .max(40)
  .refine((iso) => durationMs(iso) !== undefined, {
    error: 'must be an ISO 8601 duration of weeks, days, hours, minutes and seconds, from PT1S to P365D, such as PT1H',
  })
  .meta({
    format: 'duration',
    description: 'ISO 8601, from PT1S to P365D; a day has 24 hours.',
    examples: ['PT1H', 'P3D'],
  });
