import { z } from 'zod';
import { exampleId, parseId, showId, type Noun } from './ids.ts';
import type { Json } from './platform/json/json.ts';

/** One field of an answer: its schema, and how it is made of what is stored. */
export type Field<Stored, Schema extends z.ZodType> = { schema: Schema; show: (stored: Stored) => z.output<Schema> };

type Fields = Readonly<Record<string, Field<never, z.ZodType>>>;

/** A field is named in snake_case, and its column, as it is read, in camelCase. */
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

type Row<All extends Fields> = {
  [Name in keyof All & string as Camel<Name>]: Parameters<All[Name]['show']>[0];
};
type Body<All extends Fields> = z.ZodObject<{ [Name in keyof All]: All[Name]['schema'] }>;

/** What a noun's fields say in one place: the schema of its answer, and how a row is shown. */
export type Codec<All extends Fields> = { body: Body<All>; show: (row: Row<All>) => z.output<Body<All>> };

/** The row that a codec shows. */
export type RowOf<Shows extends { show: (row: never) => unknown }> = Parameters<Shows['show']>[0];

/** Makes a codec of fields, in the order in which they are shown. */
export function codec<const All extends Fields>(fields: All): Codec<All>;
export function codec(fields: Record<string, Field<unknown, z.ZodType>>): Codec<typeof fields> {
  const all = Object.entries(fields).map(([name, field]) => ({ ...field, name, column: camelCase(name) }));
  return {
    body: z.object(Object.fromEntries(all.map(({ name, schema }) => [name, schema]))),
    show: (row) => Object.fromEntries(all.map(({ name, column, show }) => [name, show(row[column])])),
  };
}

const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, first: string) => first.toUpperCase());

/** A field that is shown as it is stored. */
export const asStored = <Schema extends z.ZodType>(schema: Schema): Field<z.output<Schema>, Schema> => ({
  schema,
  show: (stored) => stored,
});

/** Any JSON value, in answers: what it was stored as. The document leaves it open, because generators of clients stumble over schemas that contain themselves. */
export const anyJson = z.custom<Json>().meta({
  id: 'Json',
  description: 'Any JSON value.',
  override: { description: 'Any JSON value.' },
});

/** A UUID, shown as the TypeID of its noun. */
export const id = (noun: Noun, schema = z.string()): Field<string, z.ZodString> => ({
  schema: schema.meta({ ...schema.meta(), example: exampleId(noun) }),
  show: (uuid) => showId(noun, uuid),
});

/** A time, shown as ISO 8601 in UTC. */
export const time = (schema = z.iso.datetime()): Field<Date, z.ZodISODateTime> => ({
  schema,
  show: (date) => date.toISOString(),
});

/** The same field where it may be null. */
export const nullable = <Stored, Schema extends z.ZodType>(
  { schema, show }: Field<Stored, Schema>,
  meta?: z.core.GlobalMeta,
): Field<Stored | null, z.ZodNullable<Schema>> => {
  const orNull = schema.nullable();
  return {
    schema: meta ? orNull.meta(meta) : orNull,
    show: (stored) => (stored === null ? null : show(stored)),
  };
};

/** An id of a noun in a request, read to its UUID; `name` is the noun with its article. */
export const idOf = (noun: Noun, name: string) =>
  z
    .string()
    .max(64)
    .meta({ example: exampleId(noun) })
    .transform((text, ctx) => {
      const uuid = parseId(noun, text);
      if (uuid !== undefined) return uuid;
      ctx.addIssue({ code: 'custom', message: `is not the id of ${name}` });
      return z.NEVER;
    });
