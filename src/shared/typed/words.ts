/** What a character is for the borders of words. Marks belong to the letter before. `ideograph` and `unspaced` scripts put no blanks between words. */
type Kind = 'other' | 'letter' | 'mark' | 'ideograph' | 'unspaced';

const kinds: readonly (readonly [Kind, RegExp])[] = [
  ['mark', /\p{M}/u],
  ['ideograph', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['unspaced', /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u],
  ['letter', /[\p{L}\p{N}]/u],
];

const kindOf = (character: string): Kind => {
  if (character < '\x80') return /[0-9a-z]/i.test(character) ? 'letter' : 'other';
  return kinds.find(([, pattern]) => pattern.test(character))?.[0] ?? 'other';
};

/** Where the words of a text may begin and end; a place is an index of a UTF-16 unit. */
export type Borders = { isBorder: (place: number) => boolean; nextBorder: (place: number) => number };

/** The borders of a text's words. The text is looked through once, when the first place is asked for. */
export const bordersOf = (text: string): Borders => {
  let found: Int32Array | undefined;
  const next = (place: number): number => (found ??= findBorders(text))[place] ?? text.length;
  return { isBorder: (place) => next(place) === place, nextBorder: next };
};

/** For each place the first border from it on. */
const findBorders = (text: string): Int32Array => {
  const next = new Int32Array(text.length + 1).fill(-1);
  next[0] = 0;
  next[text.length] = text.length;
  let cuts: ReadonlySet<number> | undefined;
  let before: Kind = 'other';
  let place = 0;
  for (const character of text) {
    const kind = kindOf(character);
    const isCut = () => (cuts ??= cutsOf(text)).has(place);
    if (place > 0 && isBetween(before, kind, isCut)) next[place] = place;
    if (kind !== 'mark') before = kind;
    place += character.length;
  }
  for (let at = text.length - 1; at >= 0; at -= 1) if (next[at] === -1) next[at] = next[at + 1] ?? text.length;
  return next;
};

/** Whether a word ends between characters of these kinds; a dictionary says it within scripts without blanks. */
const isBetween = (before: Kind, after: Kind, isCut: () => boolean): boolean => {
  if (after === 'mark') return false;
  if (before === 'unspaced' && after === 'unspaced') return isCut();
  return before !== 'letter' || after !== 'letter';
};

let segmenter: Intl.Segmenter | undefined;

const cutsOf = (text: string): ReadonlySet<number> => {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  return new Set(Array.from(segmenter.segment(text), ({ index }) => index));
};
