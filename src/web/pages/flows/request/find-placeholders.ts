import type { FieldDefinition, FieldType } from '../../../../shared/custom-fields/values.ts';
import { isProfileField } from '../../../../shared/custom-fields/values.ts';
import { isItemName } from '../../../../shared/flows/blocks/for-each.ts';
import { shortName } from '../../../../shared/flows/blocks/scope.ts';
import { isObject, type RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import { dottedPath } from '../../../../shared/flows/templating/scope.ts';
import { parseTemplate, placeholdersOf } from '../../../../shared/flows/templating/template.ts';
import { entriesOf, rawBodyTypeOf } from './read-request.ts';

/** A value that a test needs: one of the contact's fields, or what a run brings. */
export type Asked = {
  /** Its name as templates write it; `tags[0]` is `tags.0`. */
  path: string;
  from: 'field' | 'params' | 'reply' | 'event';
  /** Of a field; undefined for what only a run knows, and for a field that is not there. */
  type: FieldType | undefined;
};

/** The most values that a form asks for: the API takes no more. */
const mostAsked = 50;

/** The templates of a block that are sent. */
const templatesOf = (block: RawBlock): string[] => {
  const type = block['method'] === 'GET' ? 'none' : rawBodyTypeOf(block);
  const tables = ['headers', 'query', ...(type === 'form' ? ['form'] : [])];
  const forEach = block['for_each'];
  const texts = [
    isObject(forEach) ? forEach['items'] : undefined,
    block['url'],
    ...(type === 'json' || type === 'raw' ? [block['body']] : []),
  ];
  return [
    ...texts.filter((text) => typeof text === 'string'),
    ...tables.flatMap((table) => (entriesOf(block[table]) ?? []).map(({ template }) => template)),
  ];
};

/** The values that the templates of a block name, each once. What the service itself knows of a run is not asked for. */
export const findPlaceholders = (block: RawBlock, fields: ReadonlyMap<string, FieldDefinition>): Asked[] => {
  const isRepeated = block['for_each'] !== undefined;
  const paths = templatesOf(block).flatMap((template) =>
    placeholdersOf(parseTemplate(template)).flatMap(({ path }) =>
      path === null || (isRepeated && isItemName(path)) ? [] : [shortName(dottedPath(path))],
    ),
  );
  return [...new Set(paths.flatMap((path) => askedOf(path, fields) ?? []).map((asked) => JSON.stringify(asked)))]
    .slice(0, mostAsked)
    .map((json) => JSON.parse(json));
};

const askedOf = (path: string, fields: ReadonlyMap<string, FieldDefinition>): Asked | undefined => {
  const [root = ''] = path.split('.', 1);
  if (root === 'params' || root === 'event') return path === root ? undefined : { path, from: root, type: undefined };
  // A test makes no message with attachments.
  if (path.startsWith('reply.attachment')) return undefined;
  if (root === 'reply') return { path: 'reply.text', from: 'reply', type: 'text' };
  if (isProfileField(root)) return { path: root, from: 'field', type: 'text' };
  const field = fields.get(root);
  // A part of a field is asked for as the whole field.
  return field && { path: root, from: 'field', type: field.type };
};

/** What was typed as a value of JSON: `7`, `true` and `{…}` are such, anything else is text. */
export const readTyped = (typed: string): unknown => {
  if (!/^\s*(?:[[{"\d-]|true\s*$|false\s*$|null\s*$)/.test(typed)) return typed;
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
};

/** Puts a value into an object at a path of names, `order.id`. What is in the way is replaced. */
const putAt = (
  within: Readonly<Record<string, unknown>>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> => {
  const below = Object.hasOwn(within, name) ? within[name] : undefined;
  return { ...within, [name]: rest.length === 0 ? value : putAt(isObject(below) ? below : {}, rest, value) };
};

/** The body of a test. Fields that nobody has typed are the contact's own. */
export const sampleOf = (asked: readonly Asked[], typed: ReadonlyMap<string, string>) => {
  let values: Record<string, unknown> = {};
  let params: Record<string, unknown> = {};
  let event: Record<string, unknown> | null = null;
  let reply: string | null = null;
  for (const { path, from, type } of asked) {
    const text = typed.get(path);
    if (text === undefined) continue;
    const [, ...below] = path.split('.');
    if (from === 'reply') reply = text;
    else if (from === 'params') params = putAt(params, below, readTyped(text));
    else if (from === 'event') event = putAt(event ?? {}, below, readTyped(text));
    else values = { ...values, [path]: type === 'json' || type === 'list' ? readTyped(text) : text };
  }
  return { values, params, reply, event };
};
