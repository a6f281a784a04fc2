import { isDouble } from './decimals.ts';
import { ExactNumber } from './exact-number.ts';
import type { Json, PlainJson } from './json.ts';

/** What a double may change: 16 digits, or an exponent of three. A double gives every other number of JSON back as it was. */
const mayBeLong = /[\d.]{16}|\d[eE][+-]?\d{3}/;

/**
 * Parses JSON as `JSON.parse` does, except that a number which a double would change becomes an `ExactNumber`. Throws `SyntaxError`. A text
 * without long numbers costs one search more.
 */
export const parseJson = (text: string): Json => parseBothWays(text).exact;

/** The same beside what `JSON.parse` makes of it. Both are one where no number is long. */
export const parseBothWays = (text: string): { plain: PlainJson; exact: Json } => {
  const plain: PlainJson = JSON.parse(text);
  if (!mayBeLong.test(text)) return { plain, exact: plain };
  const { marked, numbers } = markNumbers(text);
  return { plain, exact: numbers.length === 0 ? plain : putNumbers(JSON.parse(marked), numbers) };
};

/** Begins the texts that stand for numbers meanwhile. Nobody outside can know it. */
const mark = `${Math.random()}${Math.random()}:`;

/** Puts a text in the place of each number that a double would change. `text` is JSON, so that what is found outside of texts is a number. */
const markNumbers = (text: string): { marked: string; numbers: ExactNumber[] } => {
  const numbers: ExactNumber[] = [];
  const long = new RegExp(mayBeLong, 'g');
  let marked = '';
  let copied = 0;
  let outside = 0;
  let quote = text.indexOf('"');
  for (let found = long.exec(text); found; found = long.exec(text)) {
    while (quote >= 0 && quote < found.index) {
      outside = endOfText(text, quote);
      quote = text.indexOf('"', outside);
    }
    if (found.index >= outside) {
      const [start, end] = edgesOf(text, found.index);
      const digits = text.slice(start, end);
      outside = end;
      if (!isDouble(digits)) {
        marked += `${text.slice(copied, start)}"${mark}${numbers.length}"`;
        copied = end;
        numbers.push(new ExactNumber(digits));
      }
    }
    long.lastIndex = outside;
  }
  return { marked: marked + text.slice(copied), numbers };
};

/** The offset after the closing quote of a text, which has an even number of backslashes before it. */
const endOfText = (text: string, opening: number): number => {
  for (let closing = text.indexOf('"', opening + 1); ; closing = text.indexOf('"', closing + 1)) {
    let before = closing;
    while (text[before - 1] === '\\') before -= 1;
    if ((closing - before) % 2 === 0) return closing + 1;
  }
};

const partCodes = new Set(Array.from('0123456789.eE+-', (character) => character.charCodeAt(0)));

/** Where the number begins and ends that has a character at the offset. */
const edgesOf = (text: string, within: number): [start: number, end: number] => {
  const isPart = (offset: number): boolean => partCodes.has(text.charCodeAt(offset));
  let [start, end] = [within, within + 1];
  while (isPart(start - 1)) start -= 1;
  while (isPart(end)) end += 1;
  return [start, end];
};

/** The value with the numbers in the places of their texts. It walks without recursion, because JSON may be nested very deeply. */
const putNumbers = (value: PlainJson, numbers: readonly ExactNumber[]): Json => {
  const numberOf = (part: unknown): ExactNumber | undefined =>
    typeof part === 'string' && part.startsWith(mark) ? numbers[Number(part.slice(mark.length))] : undefined;
  const whole = numberOf(value);
  if (whole) return whole;
  const rest: unknown[] = [value];
  const put = (holder: object, key: string | number, part: unknown): void => {
    const number = numberOf(part);
    if (number) Reflect.set(holder, key, number);
    else if (typeof part === 'object' && part !== null) rest.push(part);
  };
  while (rest.length > 0) {
    const holder = rest.pop();
    if (Array.isArray(holder)) for (let index = 0; index < holder.length; index += 1) put(holder, index, holder[index]);
    else if (isObject(holder)) for (const key of Object.keys(holder)) put(holder, key, holder[key]);
  }
  return value;
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
