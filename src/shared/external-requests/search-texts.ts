/** Where a text was found in another one. */
export type Found = { start: number; end: number };

/** Numbers of texts are compared before their characters. Nobody can know them, and so make texts that only seem to be the same. */
const base = (Math.floor(Math.random() * 2 ** 31) * 2) | 1;

/** A text as it is searched for: its characters and the number of all of them, and how that number is shifted by as many. */
type Sought = { characters: Uint16Array; number: number; shift: number };

/**
 * Makes a search for texts, whatever the case of their letters. What it finds does not overlap; of several texts at one place it is the longest.
 * Its cost grows with the length of what is searched and with how many texts begin alike, but not with how long they are alike.
 */
export const createSearch = (texts: readonly string[]): ((text: string) => Generator<Found>) => {
  const longestFirst = [...new Set(texts)]
    .filter((text) => text !== '')
    .sort((one, other) => other.length - one.length);
  const byFirst = Map.groupBy(longestFirst.map(soughtOf), ({ characters }) => characters[0]);
  return function* search(text) {
    if (byFirst.size === 0) return;
    const characters = foldAll(text);
    const numbers = numbersOf(characters);
    for (let start = 0; start < characters.length; start += 1) {
      const found = byFirst.get(characters[start])?.find((sought) => isAt(sought, start, { characters, numbers }));
      if (!found) continue;
      const end = start + found.characters.length;
      yield { start, end };
      start = end - 1;
    }
  };
};

const soughtOf = (text: string): Sought => {
  const characters = foldAll(text);
  let shift = 1;
  for (let count = 0; count < characters.length; count += 1) shift = Math.imul(shift, base);
  return { characters, number: numbersOf(characters)[characters.length] ?? 0, shift };
};

/** For each place the number of all characters before it. That of a part is the difference of two, one of them shifted. */
const numbersOf = (characters: Uint16Array): Int32Array => {
  const numbers = new Int32Array(characters.length + 1);
  let number = 0;
  for (let at = 0; at < characters.length; at += 1) {
    number = (Math.imul(number, base) + (characters[at] ?? 0) + 1) | 0;
    numbers[at + 1] = number;
  }
  return numbers;
};

const isAt = (
  sought: Sought,
  start: number,
  { characters, numbers }: { characters: Uint16Array; numbers: Int32Array },
): boolean => {
  const end = start + sought.characters.length;
  if (end > characters.length) return false;
  const number = ((numbers[end] ?? 0) - Math.imul(numbers[start] ?? 0, sought.shift)) | 0;
  return number === sought.number && sought.characters.every((character, at) => character === characters[start + at]);
};

const foldAll = (text: string): Uint16Array => {
  const characters = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) characters[at] = fold(text.charCodeAt(at));
  return characters;
};

/** The upper case of a UTF-16 unit, where it is one as well and does not make ASCII of another letter. */
const fold = (code: number): number => {
  if (code < 128) return code >= 97 && code <= 122 ? code - 32 : code;
  const known = folded.get(code);
  if (known !== undefined) return known;
  const upper = String.fromCharCode(code).toUpperCase();
  const unit = upper.length === 1 && upper.charCodeAt(0) >= 128 ? upper.charCodeAt(0) : code;
  folded.set(code, unit);
  return unit;
};

/** At most as many as there are UTF-16 units. */
const folded = new Map<number, number>();
