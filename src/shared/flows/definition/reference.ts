import { z } from 'zod';
import { end } from '../blocks/end.ts';
import { blocks } from '../blocks/index.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A field of a block as readers see it; the default as JSON, null when there is none. */
type FieldReference = { name: string; type: string; required: boolean; default: string | null; description: string };

/** A kind of block as readers of the documentation see it, made of its schema. */
export type BlockReference = {
  type: string;
  summary: string;
  ports: readonly string[];
  fields: readonly FieldReference[];
};

/** All kinds of blocks with their own fields and their ports. */
export const blockReference = (): BlockReference[] =>
  blocks.map(({ type, summary, schema }) => {
    const { properties = {}, required = [] }: JsonSchema = z.toJSONSchema(schema, { io: 'input' });
    const { id: _id, type: _type, name: _name, next, ...own } = properties;
    const fields = Object.entries(own).flatMap(([name, field]) => fieldsOf(name, field, required.includes(name)));
    return { type, summary, ports: portsOf(next), fields };
  });

/** The reference as Markdown: what every block has, then a heading and a table for each kind. */
export const blockReferenceMarkdown = (): string => [everyBlock(), ...blockReference().map(sectionOf)].join('\n');

/** What every block has. */
const everyBlock = (): string => {
  const { id, name, next }: Record<string, JsonSchema | boolean> =
    z.toJSONSchema(end.schema, { io: 'input' }).properties ?? {};
  const fields = Object.entries({ id, name, next }).flatMap(([key, field = {}]) => fieldsOf(key, field, key === 'id'));
  return sectionOf({
    type: 'Every block',
    summary: 'Has these fields beside its `type` and its own.',
    ports: [],
    fields,
  });
};

const sectionOf = ({ type, summary, ports, fields }: BlockReference): string => {
  const rows = fields.map(
    (field) =>
      `| \`${field.name}\` | ${field.type} | ${field.required ? 'required' : (field.default ?? '')} | ${field.description} |`,
  );
  const table =
    rows.length === 0 ? [] : ['| field | type | default | meaning |', '| --- | --- | --- | --- |', ...rows, ''];
  const out = ports.length === 0 ? [] : [`Ports: ${ports.map((port) => `\`${port}\``).join(', ')}.`, ''];
  return [`## ${type}`, '', summary, '', ...table, ...out].join('\n');
};

/** A field, and below it those of the object, or of each object of the list, that it holds. */
const fieldsOf = (name: string, field: JsonSchema | boolean, required: boolean): FieldReference[] => {
  const schema = typeof field === 'boolean' ? {} : field;
  const { default: value, description = '', items } = schema;
  const json = value === undefined ? null : `\`${JSON.stringify(value)}\``;
  const isList = typeof items === 'object' && !Array.isArray(items);
  const inner = isList ? items : schema;
  const below = Object.entries(inner.properties ?? {}).flatMap(([below, of]) =>
    fieldsOf(`${name}${isList ? '[]' : ''}.${below}`, of, inner.required?.includes(below) ?? false),
  );
  return [{ name, type: sayType(schema), required, default: json, description }, ...below];
};

const sayType = (schema: JsonSchema): string => {
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.anyOf)
    return schema.anyOf.map((option) => (typeof option === 'boolean' ? '' : sayType(option))).join(' or ');
  if (schema.format === 'duration') return 'duration';
  if (schema.type === 'integer') return `whole number, ${schema.minimum} to ${schema.maximum}`;
  if (schema.type === 'array') return `list of up to ${schema.maxItems}`;
  return { string: 'text', boolean: 'true or false', object: 'object', number: 'number' }[String(schema.type)] ?? '';
};

const portsOf = (next: JsonSchema | boolean | undefined): string[] => {
  const names = typeof next === 'object' ? next.propertyNames : undefined;
  return typeof names === 'object' ? (names.enum ?? []).map(String) : [];
};
