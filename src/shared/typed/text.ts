import { inUnicodeForm } from '../platform/unicode-form.ts';

/** Zero-width and direction marks, variation selectors, soft hyphens, keycaps and skin tones; not the tags that tell flags apart. */
const invisible = /[[\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\u20E3]--[\u{E0020}-\u{E007F}]]/gv;

/** What phones write for an apostrophe or for quotation marks. NFKC would make a blank of some. */
const apostrophes = /[\u2018-\u201B\u02BC\u2032\u00B4`]/g;
const quotes = /[\u201C-\u201F\u00AB\u00BB]/g;

/** Of such a text nothing but its blanks changes. */
const plain = /^[\n\r\t !"#$%&'()*+,\-./0-9:;<=>?@A-Z[\\\]^_a-z{|}~]*$/;

/**
 * A text that somebody typed, as it is read, whatever the keyboard: in one form (NFKC), without invisible marks, with ASCII digits, dashes and
 * quotation marks, and single blanks. Letters keep their case. Takes time in proportion to the text.
 */
export const readTyped = (text: string): string => {
  const read = plain.test(text) ? text : readMarks(text);
  return read.replace(/\s+/g, ' ').trim();
};

/** What a text takes to be read and folded, in characters of a plain one: NFKC makes eighteen of some, and each is looked at again and again. */
export const weightOf = (text: string): number =>
  plain.test(text) ? text.length : 16 * inUnicodeForm(text, 'NFKC').length;

const readMarks = (text: string): string => {
  const inOneForm = inUnicodeForm(text.replace(apostrophes, "'").replace(quotes, '"'), 'NFKC');
  const visible = inOneForm.replace(invisible, '').replace(/\p{Dash}/gu, '-');
  return inUnicodeForm(visible.replace(/(?![0-9])\p{Nd}/gu, digitOf), 'NFC');
};

/** The digits of every script stand in order, ten by ten. */
const digitOf = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
};

/** A text as it is compared with what people type: as it is read, and the same in upper and lower case, the Turkish i and the last sigma too. */
export const foldTyped = (text: string): string =>
  inUnicodeForm(readTyped(text).toUpperCase().toLowerCase().replaceAll('i\u0307', 'i').replaceAll('ς', 'σ'), 'NFKC');

/** As `foldTyped`, and what was folded already stays: a few characters, such as ″ or ŉ, become others that are folded, too. */
export const foldStably = (text: string): string => foldTyped(foldTyped(text));

const opening = /^[\p{Ps}\p{Pi}\p{Quotation_Mark}¡¿ ]*/u;
const closing = /^[\p{Terminal_Punctuation}\p{Pe}\p{Pf}\p{Quotation_Mark} ]$/u;

/** A text without the punctuation around it, such as "Menu." or "2)"; one that is nothing else stays. */
export const withoutPunctuation = (text: string): string => {
  const start = opening.exec(text)?.[0].length ?? 0;
  let end = text.length;
  for (let last = characterBefore(text, end); last !== '' && closing.test(last); last = characterBefore(text, end))
    end -= last.length;
  return end <= start ? text : text.slice(start, end);
};

/** The character that ends at this place, an index of a UTF-16 unit; empty at the beginning. */
const characterBefore = (text: string, place: number): string => {
  const isLow = /[\uDC00-\uDFFF]/.test(text.charAt(place - 1));
  return text.slice(Math.max(0, place - (isLow ? 2 : 1)), place);
};
