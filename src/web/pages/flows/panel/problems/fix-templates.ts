import { parseTemplate, placeholdersOf } from '../../../../../shared/flows/templating/template.ts';
import { createFieldOf, put, useNear } from './fix-values.ts';
import { namesIn, type FindFixes, type Problem } from './fix.ts';
import { words } from './words.ts';

/** The character at which a message says its placeholder begins, counted from 0. */
const positionIn = (message: string): number => Number(/at character (\d+)/.exec(message)?.[1] ?? 0) - 1;

/** The placeholder that a problem is about, with its text before and after; undefined where the text has changed since. */
const findIn = ({ issue, value }: Problem) => {
  if (typeof value !== 'string') return undefined;
  const position = positionIn(issue.message);
  const found = placeholdersOf(parseTemplate(value)).find((placeholder) => placeholder.position === position);
  if (found?.path === null || found?.path === undefined) return undefined;
  const source = value.slice(found.position, found.end);
  return {
    path: found.path,
    replace: (to: string): string => value.slice(0, found.position) + to + value.slice(found.end),
    /** The same placeholder with another name. */
    named: (name: string): string => source.replace(/^\{\{\s*[\p{L}\p{N}_.[\]-]+/u, () => `{{${name}`),
    /** The same one with a filter first. */
    filtered: (filter: string): string =>
      source.replace(/^\{\{\s*[\p{L}\p{N}_.[\]-]+/u, (begin) => `${begin}|${filter}`),
  };
};

/** A name that there is not: one like it, or a new field. */
export const unknownPlaceholder: FindFixes = (problem) => {
  const { issue } = problem;
  const found = findIn(problem);
  if (!found) return [];
  const { path } = found;
  return [
    ...namesIn(issue).map((name) => put(words.usePlaceholder(name), issue.path, found.replace(found.named(name)))),
    ...createFieldOf(path.replace(/^contact\.custom_fields\./, ''), 'text'),
  ];
};

/** A credential that there is not, named by a placeholder or by the block. */
export const unknownCredential: FindFixes = (problem) => {
  const { issue } = problem;
  const found = findIn(problem);
  if (!found) return useNear(problem);
  return namesIn(issue).map((name) =>
    put(words.usePlaceholder(`credential.${name}`), issue.path, found.replace(found.named(`credential.${name}`))),
  );
};

/** Says what stands in the place of nothing. */
export const addDefault: FindFixes = (problem) => {
  const found = findIn(problem);
  return found ? [put(words.addDefault, problem.issue.path, found.replace(found.filtered('default:""')))] : [];
};

/** A name in single braces, which was meant to be a placeholder. */
export const doubleBraces: FindFixes = ({ issue, value }) => {
  const [, name = ''] = /^has \{([^}]*)\}/.exec(issue.message) ?? [];
  const at = positionIn(issue.message);
  if (typeof value !== 'string' || !value.startsWith(`{${name}}`, at)) return [];
  const changed = `${value.slice(0, at)}{{${name}}}${value.slice(at + name.length + 2)}`;
  return [put(words.usePlaceholder(name), issue.path, changed)];
};
