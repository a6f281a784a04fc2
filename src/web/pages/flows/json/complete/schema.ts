import { propertiesOf, readText, type Node } from '../tree.ts';

/** As much of JSON Schema as `/schemas/flow.json` says things by. */
export type Schema = {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  examples?: readonly unknown[];
  minimum?: number;
  pattern?: string;
  description?: string;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  propertyNames?: Schema;
  additionalProperties?: Schema | boolean;
};

/** How many references and alternatives are followed within each other. */
const maxDepth = 16;

/** All alternatives of a schema, none of which has alternatives itself. */
export const alternativesOf = (root: Schema, schema: Schema, depth = 0): Schema[] => {
  if (depth > maxDepth) return [];
  const parts = schema.$ref === undefined ? (schema.anyOf ?? schema.oneOf) : [referred(root, schema.$ref)];
  return parts ? parts.flatMap((part) => alternativesOf(root, part, depth + 1)) : [schema];
};

const referred = (root: Schema, ref: string): Schema => {
  let found: unknown = root;
  for (const part of ref.replace(/^#\/?/, '').split('/').filter(Boolean))
    found = typeof found === 'object' && found !== null ? Reflect.get(found, part) : undefined;
  return typeof found === 'object' && found !== null ? found : {};
};

/** The schema of a property. */
export const propertyOf = ({ properties, additionalProperties }: Schema, name: string): Schema | undefined => {
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
};

type At = {
  root: Schema;
  text: string;
  node: Node;
  /** Where the value begins that is being chosen: it must not exclude its own alternatives. */
  chosenAt?: number;
};

/** The alternatives for the object or array at a node. */
export const schemasAt = ({ node, ...at }: At): Schema[] => {
  const above: Node[] = [];
  for (let up: Node | null = node; up; up = up.parent) if (isHolder(up)) above.push(up);
  above.reverse();
  let schemas = [at.root];
  for (const [depth, holder] of above.entries()) {
    const next = above[depth + 1];
    schemas = fitting({ ...at, node: holder }, schemas);
    if (!next) break;
    const name = holder.name === 'Array' ? undefined : nameOf(at.text, holder, next.from);
    schemas = schemas.flatMap((schema) => below(schema, name) ?? []);
    if (schemas.length === 0) break;
  }
  return schemas;
};

/** The schema of an item of an array, or of the property with this name. */
export const below = (schema: Schema, name: string | undefined): Schema | undefined =>
  name === undefined ? schema.items : propertyOf(schema, name);

/** The name of the last property that begins before a position. */
export const nameOf = (text: string, object: Node, before: number): string | undefined => {
  const name = propertiesOf(text, object).findLast(({ key }) => key.from < before)?.name;
  return typeof name === 'string' ? name : undefined;
};

export const isHolder = ({ name }: Node): boolean => name === 'Object' || name === 'Array';

/** Of alternatives those that the constants in an object's text allow, such as its `type`; all where none is. */
const fitting = ({ root, text, node, chosenAt }: At, schemas: readonly Schema[]): Schema[] => {
  const type = node.name.toLowerCase();
  const sameType = schemas.flatMap((schema) => alternativesOf(root, schema)).filter((schema) => schema.type === type);
  if (type === 'array') return sameType;
  const written = new Map(
    propertiesOf(text, node).flatMap(({ name, value }) =>
      value && value.from !== chosenAt ? [[name, readText(text, value)]] : [],
    ),
  );
  const allowed = sameType.filter(({ properties = {} }) =>
    Object.entries(properties).every(
      ([name, { const: only }]) => only === undefined || !written.has(name) || written.get(name) === only,
    ),
  );
  return allowed.length > 0 ? allowed : sameType;
};
