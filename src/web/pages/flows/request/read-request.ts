import type { RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import { isObject } from '../../../../shared/flows/raw-blocks.ts';

/** A row of a table of templates, in the order of the definition. `template` is JSON where the value is no text. */
export type Entry = { name: string; template: string };

/** A value as a template: one that is no text is shown as its JSON, and stays until somebody types. */
export const templateOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : (JSON.stringify(value) ?? '');

/** The rows of `headers`, `query` or `form`; undefined where there is something else. */
export const entriesOf = (value: unknown): Entry[] | undefined => {
  if (value === undefined) return [];
  if (!isObject(value)) return undefined;
  return Object.entries(value).map(([name, given]) => ({ name, template: templateOf(given) }));
};

/** The rows of a mapping; undefined where there is no list. */
export const mappingsOf = (value: unknown): readonly unknown[] | undefined =>
  value === undefined ? [] : Array.isArray(value) ? value : undefined;

/** The fields of the block that map values of an answer. */
export type MappingTable = 'mapping' | 'error_mapping';

export type BodyType = 'json' | 'form' | 'raw' | 'none';

const bodyTypes: ReadonlySet<unknown> = new Set<BodyType>(['json', 'form', 'raw', 'none']);

const isBodyType = (value: unknown): value is BodyType => bodyTypes.has(value);

/** The kind of body that a block has, also a half-finished one; undefined for a kind that nobody knows. */
export const rawBodyTypeOf = ({ body_type: type, body, form }: RawBlock): BodyType | undefined => {
  if (isBodyType(type)) return type;
  if (type !== undefined) return undefined;
  if (form !== undefined) return 'form';
  return body === undefined ? 'none' : 'json';
};

/** The host that a url names; undefined while it has none. */
export const hostOf = (url: string): string | undefined => {
  const [, authority] = /^https?:\/\/([^/?#\\\s@{}]+)(?=[/?]|$)/i.exec(url) ?? [];
  if (authority === undefined) return undefined;
  return URL.parse(`https://${authority}/`)?.hostname;
};

/** What is typed as a constant: a number or a truth is one where JSON would write it so, all else is text. */
export const readConstant = (typed: string): string | number | boolean => {
  if (typed === 'true' || typed === 'false') return typed === 'true';
  const number = Number(typed);
  return typed !== '' && String(number) === typed && Number.isFinite(number) ? number : typed;
};
