import type { Json } from '../../custom-fields/values.ts';
import { isDouble } from '../../platform/json/decimals.ts';
import { ExactNumber } from '../../platform/json/exact-number.ts';
import { explainArgument, explainBeginning, explainEnd } from './explain-template.ts';
import { filterNames, isFilterName, findArgumentFault, type FilterName } from './filters.ts';
import { dottedPath } from './scope.ts';

/** What one template can cost: its characters, its placeholders, and what each of them has. An argument has 1,000 characters. */
export const templateLimits = { characters: 262_144, placeholders: 1_000, filters: 10, segments: 16 } as const;

/** `{{path|filter:"argument"}}`, `items[0]` read as `items.0`. A quoted text may stand instead of the path; then `path` is null. */
export type Placeholder = {
  /** Where `{{` begins, and where what follows `}}` does. */
  position: number;
  end: number;
  path: string | null;
  literal: string | null;
  filters: readonly { name: FilterName; argument: Json | undefined }[];
};

/** Something that is wrong in a template, at a character of it, counted from 0. */
type TemplateProblem = { position: number; message: string };

/** Texts and placeholders as they follow one another. Problems of many placeholders are all told. */
export type Template = {
  source: string;
  parts: readonly (string | Placeholder)[];
  problems: readonly TemplateProblem[];
};

/** Reads a template, in a time that grows with its length alone. */
export const parseTemplate = (source: string): Template => {
  if (source.length > templateLimits.characters) {
    const message = `has more than ${templateLimits.characters} characters`;
    return { source, parts: [], problems: [{ position: templateLimits.characters, message }] };
  }
  const parts: (string | Placeholder)[] = [];
  const problems: TemplateProblem[] = [];
  let position = 0;
  for (let count = 0; ; count += 1) {
    const open = source.indexOf('{{', position);
    if (open < 0) break;
    if (count === templateLimits.placeholders) {
      problems.push({ position: open, message: `has more than ${templateLimits.placeholders} placeholders` });
      break;
    }
    if (open > position) parts.push(source.slice(position, open));
    const read = readPlaceholder(source, open);
    if ('message' in read) problems.push(read);
    else parts.push(read);
    const close = 'message' in read ? source.indexOf('}}', open) + 2 : read.end;
    position = close < 2 ? source.length : close;
  }
  if (position < source.length) parts.push(source.slice(position));
  return { source, parts, problems };
};

/** The placeholders of a template, in their order. */
export const placeholdersOf = (template: Template): Placeholder[] =>
  template.parts.filter((part) => typeof part !== 'string');

/** What stands between the braces of a template, whatever is in them. Braces that are not closed are text. */
export const withoutPlaceholders = (source: string): string => {
  let text = '';
  for (let position = 0; ;) {
    const open = source.indexOf('{{', position);
    const close = open < 0 ? -1 : source.indexOf('}}', open + 2);
    if (close < 0) return text + source.slice(position);
    text += source.slice(position, open);
    position = close + 2;
  }
};

const blank = /\s*/y;
const pathForm = /[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+|\[\d{1,9}\])*/uy;
const quotedForm = /"((?:[^"\\]|\\[^]){0,1000})"|'((?:[^'\\]|\\[^]){0,1000})'/y;
const scalarForm = /-?\d{1,40}(?:\.\d{1,40})?|true|false|null/y;
const nameForm = /[a-z_]{1,30}/y;
const bar = /\|/y;
const colon = /:/y;
const closing = /\}\}/y;

/** Reads the placeholder that begins at `open`, or says what is wrong with it. */
export const readPlaceholder = (source: string, open: number): Placeholder | TemplateProblem => {
  let position = open + 2;
  const take = (form: RegExp): RegExpExecArray | undefined => {
    position += matchAt(blank, position)?.[0].length ?? 0;
    const match = matchAt(form, position);
    position += match?.[0].length ?? 0;
    return match;
  };
  const matchAt = (form: RegExp, at: number): RegExpExecArray | undefined => {
    form.lastIndex = at;
    return form.exec(source) ?? undefined;
  };
  const problem = (message: string): TemplateProblem => ({ position, message });

  const literal = unquote(take(quotedForm));
  const name = literal === undefined ? take(pathForm)?.[0] : undefined;
  const path = name && dottedPath(name);
  if (literal === undefined && path === undefined) return problem(explainBeginning(source, position));
  if (path !== undefined && path.split('.', templateLimits.segments + 1).length > templateLimits.segments)
    return problem(`has a name of more than ${templateLimits.segments} parts`);

  const filters: { name: FilterName; argument: Json | undefined }[] = [];
  while (take(bar)) {
    const name = take(nameForm)?.[0];
    if (name === undefined || !isFilterName(name))
      return problem(`has an unknown filter; there are ${filterNames.join(', ')}`);
    const argument = take(colon) ? (unquote(take(quotedForm)) ?? scalarOf(take(scalarForm))) : undefined;
    const wrong = findArgumentFault(name, argument);
    if (wrong !== undefined) return problem(explainArgument(source, position) ?? wrong);
    filters.push({ name, argument });
    if (filters.length > templateLimits.filters) return problem(`has more than ${templateLimits.filters} filters`);
  }
  if (!take(closing)) return problem(explainEnd(source, position, { name: filters.length === 0 ? name : undefined }));
  return { position: open, end: position, path: path ?? null, literal: literal ?? null, filters };
};

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

const unquote = (match: RegExpExecArray | undefined): string | undefined =>
  (match?.[1] ?? match?.[2])?.replace(/\\([^])/g, (_, character: string) => escapes.get(character) ?? character);

const scalars: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

const scalarOf = (match: RegExpExecArray | undefined): Json | undefined => {
  if (!match) return undefined;
  const [written] = match;
  const known = scalars.get(written);
  if (known !== undefined) return known;
  return isDouble(written) ? Number(written) : new ExactNumber(written);
};
