import { parseTemplate, placeholdersOf, type Template } from '../templating/template.ts';

type Unfilled = { path: string; message: string };

/** Placeholders that nothing fills in: in texts whose dotted paths are not among `filledIn`, and in the names of tables. */
export const findUnfilled = (value: unknown, filledIn: ReadonlySet<string>, path = ''): Unfilled[] => {
  if (typeof value === 'string') {
    const place = filledIn.has(path) ? undefined : placeOf(value);
    return place === undefined
      ? []
      : [{ path, message: `has a placeholder at character ${place}, where none is filled in` }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const below = path === '' ? name : `${path}.${name}`;
    const inName =
      placeOf(name) === undefined
        ? []
        : [{ path: below, message: 'has a placeholder in its name, where none is filled in' }];
    return [...inName, ...findUnfilled(part, filledIn, below)];
  });
};

/** Where the first placeholder of a text begins, counted from 1. */
const placeOf = (text: string): number | undefined => {
  const [first] = text.includes('{{') ? placeholdersOf(parseTemplate(text)) : [];
  return first && first.position + 1;
};

const singleBraces = /(?<!\{)\{([\p{L}_][\p{L}\p{N}_.-]{0,99})\}(?!\})/gu;

/** Names in single braces, as in `{first_name}`, and where they begin. */
export const findSingleBraces = ({ parts }: Template): { position: number; name: string }[] => {
  const found: { position: number; name: string }[] = [];
  let position = 0;
  for (const part of parts) {
    if (typeof part === 'string') {
      for (const { index, 1: name = '' } of part.matchAll(singleBraces))
        found.push({ position: position + index, name });
      position += part.length;
    } else position = part.end;
  }
  return found;
};
