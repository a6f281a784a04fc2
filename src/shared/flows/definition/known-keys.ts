import { z } from 'zod';

/** The keys that an object may have at a path into what a schema describes; none where it describes no such object. */
export const keysAt = (schema: unknown, path: readonly PropertyKey[]): string[] => {
  const within = unwrap(schema);
  const [first, ...rest] = path;
  if (first === undefined) return keysOf(within);
  if (within instanceof z.ZodArray) return keysAt(within.element, rest);
  return within instanceof z.ZodObject && Object.hasOwn(within.shape, first)
    ? keysAt(within.shape[String(first)], rest)
    : [];
};

const keysOf = (schema: unknown): string[] => {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  return schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodEnum ? schema.keyType.options.map(String) : [];
};

const unwrap = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? unwrap(schema.unwrap()) : schema;
