import type { Findings } from './findings.ts';
import { placeholderFor } from './variables.ts';
import { findCurlyQuote, goesOnAfter, joinsParameters, noteRest, Words, type Command } from './words.ts';

/** Characters as cmd hands them on, each with its place in the text. */
type Passed = { characters: string[]; places: number[]; end: number };

const redirection = /[<>]+&?[ \t]*(?:"[^"]*"|[^\s"|&<>^]*)/y;
const variable = /%([A-Za-z_]\w{1,63})%/y;

/** Splits a command as cmd of Windows and the programs that it starts do: first carets and variables, then quotes and backslashes. */
export const splitCmd = (source: string, from: number, findings: Findings): Command => {
  const passed = passThroughCmd(source, from, findings);
  noteRest(source, passed.end, findings);
  const doubled = doublesBackslashes(source.slice(from, passed.end), passed.characters.join(''));
  return { words: splitArguments(passed, doubled, findings) };
};

const passThroughCmd = (source: string, from: number, findings: Findings): Passed => {
  const characters: string[] = [];
  const places: number[] = [];
  let isQuoted = false;
  let position = from;
  const pass = (text: string): void => {
    for (const unit of text.split('')) {
      characters.push(unit);
      places.push(position);
    }
  };
  for (let character = source[position]; character !== undefined; character = source[position]) {
    const found = character === '%' ? readVariable(source, position, findings) : undefined;
    if (found) {
      pass(found.text);
      position = found.end;
    } else if (character === '^' && !isQuoted) {
      const { text, length } = readCaret(source, position);
      pass(text);
      position += length;
    } else if (!isQuoted && /[\r\n]/.test(character)) {
      if (!goesOnAfter(source, position)) break;
      pass(' ');
      position += 1;
    } else if (!isQuoted && /[|&]/.test(character)) {
      if (character !== '&' || !joinsParameters(lastWord(characters).includes('?'), source, position)) break;
      pass(character);
      position += 1;
    } else if (!isQuoted && /[<>]/.test(character)) {
      if (/^[ \t]\d$/.test(characters.slice(-2).join(''))) characters.pop();
      redirection.lastIndex = position;
      position += redirection.exec(source)?.[0].length ?? 1;
    } else {
      if (character === '"') isQuoted = !isQuoted;
      pass(character);
      position += 1;
    }
  }
  return { characters, places, end: position };
};

const lastWord = (characters: readonly string[]): string => characters.slice(-500).join('').split(/[ \t]/).at(-1) ?? '';

/** A caret takes the meaning from what follows it. At the end of a line the next line goes on, and an empty one is a line break. */
const readCaret = (source: string, at: number): { text: string; length: number } => {
  const [lineBreak, second] = /^\^[ \t]{0,20}(?:\r?\n)(\r?\n)?/.exec(source.slice(at, at + 30)) ?? [];
  if (lineBreak !== undefined) return { text: second === undefined ? '' : '\n', length: lineBreak.length };
  return { text: source[at + 1] ?? '', length: 2 };
};

/** A variable, but no percent-encoded text: `%C3%A9` has none, nor has `%20of%20`. */
const readVariable = (source: string, at: number, findings: Findings): { text: string; end: number } | undefined => {
  variable.lastIndex = at;
  const [written, name] = variable.exec(source) ?? [];
  if (written === undefined || name === undefined) return undefined;
  const end = at + written.length;
  const isEncoded = /^[\da-f]{2}/i.test(name) && (name.length < 3 || /^[\da-f]{2}/i.test(source.slice(end, end + 2)));
  return isEncoded ? undefined : { text: placeholderFor(name, written, findings), end };
};

/** Whether this is of Chrome, which puts a caret before each backslash, and doubles all of them, where only those before quotes need it. */
const doublesBackslashes = (source: string, passed: string): boolean =>
  !/(?<!\^)\\/.test(source) &&
  Array.from(passed.matchAll(/\\+"?/g)).every(([run]) => run.endsWith('"') || run.length % 2 === 0);

/** Splits as the runtime of C does: `\"` is a quote, so is `""` within quotes, and other backslashes stay. */
const splitArguments = ({ characters, places }: Passed, isDoubled: boolean, findings: Findings): Command['words'] => {
  const words = new Words();
  let isQuoted = false;
  let opened = 0;
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? '';
    const at = places[index] ?? 0;
    if (character === '\\') {
      let count = 1;
      while (characters[index + count] === '\\') count += 1;
      const escapesQuote = characters[index + count] === '"';
      words.add('\\'.repeat(escapesQuote || isDoubled ? Math.floor(count / 2) : count), at);
      index += count - 1;
      if (escapesQuote && count % 2 === 1) {
        words.add('"', at);
        index += 1;
      }
    } else if (character === '"') {
      const isQuoteItself = isQuoted && characters[index + 1] === '"';
      words.add(isQuoteItself ? '"' : '', at);
      if (isQuoteItself) index += 1;
      else isQuoted = !isQuoted;
      if (isQuoted && !isQuoteItself) opened = at;
    } else if (!isQuoted && /[ \t\u00a0]/.test(character)) words.finish();
    else {
      if (!isQuoted) findCurlyQuote(character, at, findings);
      words.add(character, at);
    }
  }
  if (isQuoted) findings.problem(opened, 'has a quote " here that is not closed');
  words.finish();
  return words.list;
};
