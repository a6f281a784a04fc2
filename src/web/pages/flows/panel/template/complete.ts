import { filterNames } from '../../../../../shared/flows/templating/filters.ts';

/** What can be completed at a position of a template: `from` and `to` bound the letters that a choice replaces. */
export type Completing =
  | { of: 'name' | 'filter'; from: number; to: number; isClosed: boolean }
  /** A whole placeholder, where none is begun. */
  | { of: 'placeholder'; from: number; to: number };

const nameLetters = /[\p{L}\p{N}_.[\]-]*/u;
const nameBefore = new RegExp(`^\\s*(${nameLetters.source})$`, 'u');
const filterBefore = /^\s*([a-z_]*)$/;

/** Finds what is being written at a position; undefined within quotes, and where only text stands. */
export const completingAt = (text: string, pos: number, { isAsked }: { isAsked: boolean }): Completing | undefined => {
  const open = text.lastIndexOf('{{', pos - 1);
  const inside = open < 0 || open + 2 > pos ? undefined : text.slice(open + 2, pos);
  if (inside === undefined || inside.includes('}}'))
    return isAsked ? { of: 'placeholder', from: pos, to: pos } : undefined;
  const unquoted = inside.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, (quoted) => '_'.repeat(quoted.length));
  if (/["']/.test(unquoted)) return undefined;
  const bar = unquoted.lastIndexOf('|');
  const written = (bar < 0 ? nameBefore : filterBefore).exec(unquoted.slice(bar + 1))?.[1];
  if (written === undefined) return undefined;
  const after = text.slice(pos);
  const rest = (bar < 0 ? new RegExp(`^${nameLetters.source}`, 'u') : /^[a-z_]*/).exec(after)?.[0] ?? '';
  const isClosed = /^\s*(?:\}\}|\||:)/.test(after.slice(rest.length));
  return { of: bar < 0 ? 'name' : 'filter', from: pos - written.length, to: pos + rest.length, isClosed };
};

/** What a choice writes, and where the cursor stands then. A name that only begins, "params.", stays open. */
export const choose = (
  completing: Completing,
  choice: string,
): { from: number; to: number; insert: string; caret: number } => {
  const { from, to, of } = completing;
  const isOpen = choice.endsWith('.');
  const argument = of === 'filter' ? (argumentOf[choice] ?? '') : '';
  const before = of === 'placeholder' ? '{{' : '';
  const after = of === 'placeholder' || !completing.isClosed ? '}}' : '';
  const insert = `${before}${choice}${argument}${after}`;
  const caretInside = before.length + choice.length + (argument === '' ? 0 : argument.length - 1);
  const staysInside = isOpen || argument !== '' || after === '';
  return { from, to, insert, caret: from + (staysInside ? caretInside : insert.length) };
};

/** The arguments that filters need, to be filled in. */
const argumentOf: Readonly<Record<string, string>> = { default: ':""', date: ':""' };

/** The filters that can be chosen. */
export const filterChoices: readonly string[] = filterNames;
