import { isDouble } from './json/decimals.ts';
import {
  jsonpath,
  JSONPathEnvironment,
  JSONPathQuery,
  JSONPathRecursionLimitError,
  Token,
  TokenKind,
  type JSONValue,
} from 'json-p3';

/** A JSONPath (RFC 9535) that was read, within limits that keep its cost in proportion to the document. */
export type JsonPath = {
  query: JSONPathQuery;
  /** It leads to one place at most: only names and indices. */
  isSingular: boolean;
};

export type ReadJsonPath = { ok: true; path: JsonPath } | { ok: false; problem: string };

/** The most characters, parts and selectors of one part that a path may have. */
const limits = { characters: 500, segments: 32, selectors: 10 };

/** How deep a document may be nested for a path with `..`. */
const maxDepth = 500;

const environment = new JSONPathEnvironment({ maxRecursionDepth: maxDepth });

/**
 * Reads a JSONPath, or says what is wrong with it. The form without `$`, as in `a[0].b`, is read, too. Refused is what could take long:
 * `match` and `search`, more than one `..`, a list of selectors more than once, a filter in a filter, and in a filter `..` and any but
 * a plain path from `$`.
 */
export const readJsonPath = (source: string): ReadJsonPath => {
  if (source.length > limits.characters) return refuse(`has more than ${limits.characters} characters`);
  const text = source.startsWith('$') ? source : `$${source.startsWith('[') ? '' : '.'}${source}`;
  let query: JSONPathQuery;
  try {
    query = environment.compile(text);
  } catch {
    // The messages of the library are for its own users, and deep nesting is an error of the stack.
    return refuse('is not a JSONPath such as $.items[0].price');
  }
  if (!numbersIn(text).every(isDouble)) return refuse('compares with a number that has too many digits');
  const problem = findCost(query);
  return problem === undefined ? { ok: true, path: { query, isSingular: query.singularQuery() } } : refuse(problem);
};

/**
 * What a path leads to in a document, in its order: `atMost` of it. Filters compare its doubles; what is found is taken from `exact`, the same
 * document with all digits. Undefined when the document is nested too deeply for `..`.
 */
export const findByPath = (
  document: JSONValue,
  { query }: JsonPath,
  atMost: number,
  exact: unknown = document,
): unknown[] | undefined => {
  const found: unknown[] = [];
  try {
    for (const { value, location } of query.lazyQuery(document)) {
      found.push(exact === document ? value : valueAt(exact, location));
      if (found.length === atMost) break;
    }
    return found;
  } catch (error) {
    if (error instanceof JSONPathRecursionLimitError) return undefined;
    throw error;
  }
};

const valueAt = (document: unknown, location: readonly (string | number)[]): unknown =>
  location.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), document);

const isObject = (value: unknown): value is Record<string | number, unknown> =>
  typeof value === 'object' && value !== null;

/** The numbers of a path: what has quotes around it, or is a part of a name, is none. */
const numbersIn = (path: string): string[] =>
  Array.from(path.matchAll(tokens), ([token]) => token).filter((token) => /^\d/.test(token));

const tokens = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[\p{L}_][\p{L}\d_]*|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gu;

const refuse = (problem: string): ReadJsonPath => ({ ok: false, problem });

/** A part of a path that was read: a segment, a selector, or an expression of a filter. */
type Part = {
  kind: TokenKind;
  isFilter: boolean;
  inFilter: boolean;
  fields: Readonly<Record<string, unknown>>;
};

/** What makes a path costly; undefined for nothing. */
const findCost = (query: JSONPathQuery): string | undefined => {
  const parts = [...walk(query.segments, false)];
  const count = (isOne: (part: Part) => boolean): number => parts.filter(isOne).length;
  const withSelectors = (atLeast: number): number =>
    count(({ fields: { selectors } }) => Array.isArray(selectors) && selectors.length >= atLeast);
  const isDescent = ({ kind, fields }: Part): boolean => kind === TokenKind.DDOT && 'selectors' in fields;
  if (withSelectors(0) > limits.segments) return `has more than ${limits.segments} parts`;
  if (count(({ kind, fields }) => kind === TokenKind.FUNCTION && /^(match|search)$/.test(String(fields['name']))) > 0)
    return 'has match or search, which are not here';
  if (count(isDescent) > 1) return 'has .. more than once';
  if (withSelectors(2) > 1) return 'has several selectors in brackets more than once';
  if (withSelectors(limits.selectors + 1) > 0) return `has more than ${limits.selectors} selectors in brackets`;
  const inFilter = parts.filter((part) => part.inFilter);
  if (inFilter.some(isDescent)) return 'has .. in a filter';
  if (inFilter.some(({ isFilter }) => isFilter)) return 'has a filter in a filter';
  if (inFilter.some(({ kind, fields }) => kind === TokenKind.ROOT && !isPlain(fields['path'])))
    return 'has a search from $ in a filter';
  return undefined;
};

const isPlain = (path: unknown): boolean => path instanceof JSONPathQuery && path.singularQuery();

/** Every part of a path. The environment, which each of them has, is none. */
function* walk(value: unknown, inFilter: boolean): Generator<Part> {
  if (typeof value !== 'object' || value === null || value === environment || value instanceof Token) return;
  const fields: Part['fields'] = Object.fromEntries(Object.entries(value));
  const isFilter = value instanceof jsonpath.selectors.FilterSelector;
  const { token } = fields;
  if (token instanceof Token) yield { kind: token.kind, isFilter, inFilter, fields };
  for (const child of Object.values(fields)) yield* walk(child, inFilter || isFilter);
}
