import type { Findings } from './findings.ts';
import { placeholderFor } from './variables.ts';

/** A piece of a text that was read, and where it ends. */
export type Piece = { text: string; end: number };

const named = /\$(?:\{(?:env:)?([A-Za-z_]\w{0,63})[^}]{0,200}\}|(?:env:)?([A-Za-z_]\w{0,63}))/iy;

/** Reads a variable or a command at a `$`; undefined where it is a mere character. */
export const readDollar = (source: string, at: number, findings: Findings): Piece | undefined => {
  if (source[at + 1] === '(')
    return readSubstitution(source, at, { inner: at + 2, end: endOfParentheses(source, at + 1) }, findings);
  named.lastIndex = at;
  const match = named.exec(source);
  const name = match?.[1] ?? match?.[2];
  if (!match || name === undefined) return undefined;
  const [written] = match;
  // What stands behind the name in braces may be a secret, as in ${KEY:-sk_live}.
  const shown = written.replace(/^(\$\{(?:env:)?\w{1,64})[^}]*\}$/i, '$1}');
  return { text: placeholderFor(name, shown.length > 40 ? `$${name}` : shown, findings), end: at + written.length };
};

/** Reads a command between backticks. */
export const readBackticks = (source: string, at: number, findings: Findings): Piece => {
  const close = source.indexOf('`', at + 1);
  return readSubstitution(source, at, { inner: at + 1, end: close < 0 ? undefined : close + 1 }, findings);
};

const commandName = /\s*(?:[\w.-]{0,64}\/){0,8}([A-Za-z_][\w.-]{0,30})?/y;

const readSubstitution = (
  source: string,
  at: number,
  { inner, end }: { inner: number; end: number | undefined },
  findings: Findings,
): Piece => {
  if (end === undefined) {
    findings.problem(at, 'has a command here that is not closed');
    return { text: '', end: source.length };
  }
  commandName.lastIndex = inner;
  const name = commandName.exec(source)?.[1] ?? 'command';
  return { text: placeholderFor(name, `$(${name} …)`, findings), end };
};

/** Where the parenthesis ends that opens here. What is quoted within it does not count. */
const endOfParentheses = (source: string, open: number): number | undefined => {
  const forms = /[()]|\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*"/g;
  forms.lastIndex = open;
  let depth = 0;
  for (let match = forms.exec(source); match; match = forms.exec(source)) {
    if (match[0] === '(') depth += 1;
    if (match[0] === ')') depth -= 1;
    if (depth === 0) return forms.lastIndex;
  }
  return undefined;
};

/** Reads what stands between double quotes in sh, or in a here-document, up to the quote or to the end of the text. */
export const readExpanding = (
  source: string,
  from: number,
  { until, findings }: { until: '"' | undefined; findings: Findings },
): Piece | undefined => {
  let text = '';
  let position = from;
  for (;;) {
    const character = source[position];
    if (character === undefined) return until === undefined ? { text, end: position } : undefined;
    if (character === until) return { text, end: position + 1 };
    if (character === '\\') {
      const [escape = '\\', kept = '\\'] = escapeAt(source, position) ?? [];
      text += kept;
      position += escape.length;
      continue;
    }
    const piece =
      character === '$'
        ? readDollar(source, position, findings)
        : character === '`'
          ? readBackticks(source, position, findings)
          : undefined;
    text += piece?.text ?? character;
    position = piece?.end ?? position + 1;
  }
};

const escape = /\\(?:\r?\n|["$`\\])/y;

/** A backslash escapes only what means something between double quotes. One before a line break takes it away. */
const escapeAt = (source: string, at: number): [escape: string, kept: string] | undefined => {
  escape.lastIndex = at;
  const [written] = escape.exec(source) ?? [];
  return written === undefined ? undefined : [written, written.endsWith('\n') ? '' : written.slice(1)];
};
