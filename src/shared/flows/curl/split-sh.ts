import { readAnsiC } from './ansi-c.ts';
import { readBackticks, readDollar, readExpanding, type Piece } from './expand.ts';
import type { Findings } from './findings.ts';
import { findCurlyQuote, goesOnAfter, joinsParameters, noteRest, Words, type Command } from './words.ts';

const continuation = /\\(?:\r?\n|[ \t]+\r?\n)/y;
const redirection = /<<-?|[<>]+[&|]?/y;

/** Splits a command as sh and bash do, from `from` to where the command ends. */
export const splitSh = (source: string, from: number, findings: Findings): Command => {
  const words = new Words();
  let position = from;
  let document: { delimiter: string; expands: boolean } | undefined;
  let awaitsDelimiter = false;
  let wasQuoted = false;
  const finish = (): void => {
    const word = words.finish();
    if (word !== undefined && awaitsDelimiter) {
      document = { delimiter: word, expands: !wasQuoted };
      awaitsDelimiter = false;
    }
    wasQuoted = false;
  };
  /** Takes a piece into the word, or ends with the problem that it is not closed. */
  const take = (piece: Piece | undefined, message: string): void => {
    if (piece) words.add(piece.text, position);
    else findings.problem(position, message);
    position = piece?.end ?? source.length;
  };
  for (let character = source[position]; character !== undefined; character = source[position]) {
    const next = source[position + 1];
    const isQuote = character === "'" || character === '"' || (character === '$' && (next === "'" || next === '"'));
    wasQuoted ||= isQuote || character === '\\';
    if (isQuote) take(readQuoted(source, position, findings), `has a quote ${character} here that is not closed`);
    else if (character === '\n' || character === '\r') {
      finish();
      if (document) return { words: words.list, stdin: readDocument(source, position, document, findings) };
      if (!goesOnAfter(source, position)) break;
      position += 1;
    } else if (/[ \t\u00a0]/.test(character)) {
      finish();
      position += 1;
    } else if (character === '\\') {
      continuation.lastIndex = position;
      const [skipped] = continuation.exec(source) ?? [];
      if (skipped === undefined) {
        words.add(next ?? '\\', position);
        position += 2;
      } else {
        if (/^\\[ \t]/.test(skipped)) finish();
        position += skipped.length;
      }
    } else if (character === '#' && !words.isOpen) position = endOfLine(source, position);
    else if (character === '&' && joinsParameters(words.hasQuery, source, position)) {
      findings.note('&', 'is taken as a part of the url, which needs quotes around it in a shell');
      words.add(character, position);
      position += 1;
    } else if (/[<>]/.test(character) || (character === '&' && next === '>')) {
      if (/^\d$/.test(words.text)) words.forget();
      finish();
      redirection.lastIndex = character === '&' ? position + 1 : position;
      const [operator = '>'] = redirection.exec(source) ?? [];
      awaitsDelimiter = /^<<-?$/.test(operator);
      words.dropsNext = true;
      position += operator.length + (character === '&' ? 1 : 0);
    } else if (/[|;&()]/.test(character)) break;
    else if (character === '`') take(readBackticks(source, position, findings), '');
    else {
      findCurlyQuote(character, position, findings);
      const piece = character === '$' ? readDollar(source, position, findings) : undefined;
      take(piece ?? { text: character, end: position + 1 }, '');
    }
  }
  finish();
  noteRest(source, position, findings);
  return { words: words.list };
};

const readQuoted = (source: string, at: number, findings: Findings): Piece | undefined => {
  if (source.startsWith("$'", at)) return readAnsiC(source, at + 2);
  if (source.startsWith('$"', at)) return readExpanding(source, at + 2, { until: '"', findings });
  if (source[at] === '"') return readExpanding(source, at + 1, { until: '"', findings });
  const close = source.indexOf("'", at + 1);
  return close < 0 ? undefined : { text: source.slice(at + 1, close), end: close + 1 };
};

const endOfLine = (source: string, from: number): number => {
  const end = source.indexOf('\n', from);
  return end < 0 ? source.length : end;
};

/** What the lines up to the delimiter give the command to read. */
const readDocument = (
  source: string,
  lineBreak: number,
  { delimiter, expands }: { delimiter: string; expands: boolean },
  findings: Findings,
): string => {
  const lines = source.slice(source.indexOf('\n', lineBreak) + 1).split(/\r?\n/);
  const end = lines.findIndex((line) => line.trim() === delimiter);
  if (end < 0) {
    findings.problem(lineBreak, `has no line with ${delimiter.slice(0, 40)} that ends its input`);
    return '';
  }
  const text = lines
    .slice(0, end)
    .map((line) => `${line}\n`)
    .join('');
  return expands ? (readExpanding(text, 0, { until: undefined, findings })?.text ?? '') : text;
};
