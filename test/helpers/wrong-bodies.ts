import { z } from 'zod';

const schemas = z.record(z.string(), z.unknown());

/** A JSON schema of a body. */
type Schema = z.infer<typeof schemas>;

/** A body that has a value of a wrong type in one place. */
export type WrongBody = { place: string; kind: string; body: unknown };

const samples: Readonly<Record<string, unknown>> = {
  null: null,
  boolean: true,
  integer: 7,
  number: 1.5,
  string: 'x',
  array: [],
  object: {},
};
const kinds = Object.keys(samples);

/** So deep it is looked into a body. */
const depthAtMost = 4;

/** Every body that has in one place a value of a type that its schema does not take there; `components` are those of its document. */
export const wrongBodies = (schema: unknown, components: unknown = {}): WrongBody[] => {
  const known = schemas.parse(components);
  const definitions = schemas.parse(schemas.parse(schema)['$defs'] ?? {});

  const alternatives = (given: unknown): Schema[] => {
    const one = schemas.parse(given);
    const name = typeof one['$ref'] === 'string' ? one['$ref'].split('/').at(-1) : undefined;
    if (name !== undefined) return alternatives(known[name] ?? definitions[name]);
    const parts = [one['anyOf'], one['oneOf']].filter(Array.isArray).flat();
    return parts.length > 0 ? parts.flatMap(alternatives) : [one];
  };

  const kindsOf = (given: unknown): Set<string> =>
    new Set(
      alternatives(given).flatMap(({ type, const: only, enum: values }) => {
        if (only !== undefined) return [kindOf(only)];
        if (Array.isArray(values)) return values.map(kindOf);
        if (typeof type !== 'string') return kinds;
        return type === 'number' ? ['number', 'integer'] : [type];
      }),
    );

  /** Wrong values at a place; `wrap` puts one there. */
  const wrongAt = (given: unknown, place: readonly string[], wrap: (value: unknown) => unknown): WrongBody[] => {
    const taken = kindsOf(given);
    const wrong = kinds.filter((kind) => !taken.has(kind));
    return [
      ...wrong.map((kind) => ({ place: place.join('.'), kind, body: wrap(samples[kind]) })),
      ...below(given, place, wrap),
    ];
  };

  const below = (given: unknown, place: readonly string[], wrap: (value: unknown) => unknown): WrongBody[] => {
    if (place.length >= depthAtMost) return [];
    return alternatives(given).flatMap(({ properties, items }) => {
      const fields = Object.entries(schemas.parse(properties ?? {}));
      const told = Object.fromEntries(
        fields.flatMap(([name, field]) => {
          const { const: only, enum: values } = schemas.parse(field);
          const one = only ?? (Array.isArray(values) && values.length === 1 ? values[0] : undefined);
          return one === undefined ? [] : [[name, one]];
        }),
      );
      return [
        ...fields.flatMap(([name, field]) =>
          wrongAt(field, [...place, name], (value) => wrap({ ...told, [name]: value })),
        ),
        ...(items === undefined ? [] : wrongAt(items, [...place, '0'], (value) => wrap([value]))),
      ];
    });
  };
  return below(schema, [], (value) => value);
};

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
};

/** Whether a problem names a place, what it is in, or what is in it. */
export const isToldFor = (place: string, problem: string): boolean =>
  `${place}.`.startsWith(problem === '' ? '' : `${problem}.`) || problem.startsWith(`${place}.`);
