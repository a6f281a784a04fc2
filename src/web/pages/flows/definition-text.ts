import * as z from 'zod/mini';
import { parseJson } from '../../../shared/platform/json/parse-json.ts';

/** A definition as the API takes one: an object of JSON. */
export type AnyDefinition = Record<string, unknown>;

const anyDefinition = z.record(z.string(), z.unknown());

const isObject = (value: unknown): value is AnyDefinition => anyDefinition.safeParse(value).success;

/** What stands first in a definition and in a block; the database keeps no order of names. */
const first = {
  definition: ['schema_version', 'start', 'triggers', 'reentry', 'blocks'],
  block: ['id', 'type'],
} as const;

const inOrder = (object: AnyDefinition, names: readonly string[], last: string): AnyDefinition => {
  const placeOf = (name: string): number => {
    const place = names.indexOf(name);
    return place >= 0 ? place : name === last ? names.length + 1 : names.length;
  };
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => placeOf(a) - placeOf(b)));
};

/** A definition as it is read and written by people: names in the order of the documents, two spaces deep. */
export const showDefinition = (definition: AnyDefinition): string => {
  const { blocks } = definition;
  const ordered = Array.isArray(blocks)
    ? {
        ...definition,
        blocks: blocks.map((block: unknown) => (isObject(block) ? inOrder(block, first.block, 'next') : block)),
      }
    : definition;
  return JSON.stringify(inOrder(ordered, first.definition, 'ui'), null, 2);
};

/** A text read as a definition, or why it is none. */
export const readDefinition = (text: string): { definition: AnyDefinition } | { problem: string } => {
  try {
    const given = parseJson(text);
    return isObject(given) ? { definition: given } : { problem: '{ … }' };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : '' };
  }
};
