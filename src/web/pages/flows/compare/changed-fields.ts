import { equal, isPlain } from '../draft/equal.ts';

/** A field that two values have differently, by its dotted path; undefined where one has none. */
export type ChangedField = { path: string; before: unknown; after: unknown };

/** The most fields that are told of one value. */
const mostFields = 50;

/** How deeply fields are told one by one. */
const mostDepth = 4;

/** The fields that two values have differently. Lists of other lengths are told as a whole, and so is what is no object. */
export const changedFields = (before: unknown, after: unknown): ChangedField[] =>
  find(before, after, []).slice(0, mostFields);

const find = (before: unknown, after: unknown, path: readonly string[]): ChangedField[] => {
  if (equal(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length && path.length < mostDepth)
    return before.flatMap((item, index) => find(item, after[index], [...path, String(index + 1)]));
  if (!isPlain(before) || !isPlain(after) || path.length === mostDepth)
    return [{ path: path.join('.'), before, after }];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => find(before[key], after[key], [...path, key]));
};

/** The most characters of a value that are shown. */
const mostCharacters = 2_000;

/** A value as people read it. */
export const sayValue = (value: unknown, none: string): string => {
  const text = value === undefined ? none : typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)} …` : text;
};
