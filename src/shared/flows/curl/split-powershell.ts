import { readDollar, type Piece } from './expand.ts';
import type { Findings } from './findings.ts';
import { findCurlyQuote, goesOnAfter, noteRest, Words, type Command } from './words.ts';

const continuation = /`[ \t]*\r?\n/y;

/** Splits a command as PowerShell does for a program such as `curl.exe`. */
export const splitPowerShell = (source: string, from: number, findings: Findings): Command => {
  const words = new Words();
  let position = from;
  for (let character = source[position]; character !== undefined; character = source[position]) {
    continuation.lastIndex = position;
    const [skipped] = continuation.exec(source) ?? [];
    if (skipped !== undefined) {
      words.finish();
      position += skipped.length;
    } else if (character === '\n' || character === '\r') {
      words.finish();
      if (!goesOnAfter(source, position)) break;
      position += 1;
    } else if (/[ \t\u00a0]/.test(character)) {
      words.finish();
      position += 1;
    } else if (/[|;>]/.test(character)) break;
    else {
      findCurlyQuote(character, position, findings);
      const piece = readPiece(source, position, findings);
      if (piece) words.add(piece.text, position);
      else findings.problem(position, `has a quote ${character} here that is not closed`);
      position = piece?.end ?? source.length;
    }
  }
  words.finish();
  noteRest(source, position, findings);
  return { words: words.list.map(({ text, at }) => ({ text: asPassed(text), at })) };
};

/** Windows PowerShell needs `\"` for a quote that reaches a program. Where every quote is written so, it is meant so. */
const asPassed = (text: string): string => {
  const runs = Array.from(text.matchAll(/\\+"?|"/g), ([run]) => run).filter((run) => run.endsWith('"'));
  if (!runs.every(({ length }) => length % 2 === 0)) return text;
  return text.replaceAll(/\\+"?/g, (run) => (run.endsWith('"') ? `${run.slice(0, run.length / 2 - 1)}"` : run));
};

const singleQuoted = /'([^']*(?:''[^']*)*)'/y;
const letters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '0': '\0' };

const readPiece = (source: string, at: number, findings: Findings): Piece | undefined => {
  const character = source[at] ?? '';
  if (character === "'") {
    singleQuoted.lastIndex = at;
    const [written, inner = ''] = singleQuoted.exec(source) ?? [];
    return written === undefined ? undefined : { text: inner.replaceAll("''", "'"), end: at + written.length };
  }
  if (character === '"') return readDoubleQuoted(source, at + 1, findings);
  return readCharacter(source, at, findings);
};

const readDoubleQuoted = (source: string, from: number, findings: Findings): Piece | undefined => {
  let text = '';
  let position = from;
  while (position < source.length) {
    const isQuote = source[position] === '"';
    const isDoubled = isQuote && source[position + 1] === '"';
    if (isQuote && !isDoubled) return { text, end: position + 1 };
    const piece = isDoubled ? { text: '"', end: position + 2 } : readCharacter(source, position, findings);
    text += piece.text;
    position = piece.end;
  }
  return undefined;
};

/** A character, an escaped one, or a variable. */
const readCharacter = (source: string, at: number, findings: Findings): Piece => {
  const character = source[at] ?? '';
  const escaped = source[at + 1];
  if (character === '`' && escaped !== undefined) return { text: letters[escaped] ?? escaped, end: at + 2 };
  const variable = character === '$' ? readDollar(source, at, findings) : undefined;
  return variable ?? { text: character, end: at + 1 };
};
