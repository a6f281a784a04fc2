import { z } from 'zod';
import { definitionJsonSchema } from '../../../src/shared/flows/definition/definition.ts';

/** As much of a JSON Schema as says which fields there are. */
const jsonSchema = z.object({
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  get properties() {
    return z.record(z.string(), jsonSchema).optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), jsonSchema]).optional();
  },
  get items() {
    return jsonSchema.optional();
  },
  get anyOf() {
    return z.array(jsonSchema).optional();
  },
  get oneOf() {
    return z.array(jsonSchema).optional();
  },
});

export type JsonSchema = z.infer<typeof jsonSchema>;

/** The fields of each kind of block, by its type, as the JSON Schema of a definition has them. */
export const blockSchemas: ReadonlyMap<string, Readonly<Record<string, JsonSchema>>> = new Map(
  jsonSchema
    .parse(definitionJsonSchema())
    .properties?.['blocks']?.items?.anyOf?.map(({ properties = {} }) => [
      String(properties['type']?.const),
      properties,
    ]),
);
