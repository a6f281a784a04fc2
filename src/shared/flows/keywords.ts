import { fold } from './blocks/fold.ts';

/** The words of a keyword trigger as they are compared: see `normalizeText`. */
export type Keyword = { match: 'exact' | 'contains' | 'prefix'; words: readonly string[] };

/** A message or a word as they are compared: case, blanks around it and forms of letters do not count. */
export const normalizeText = (text: string): string => fold(text);

/** Whether a message, as `normalizeText` makes it, has one of the words. */
export const matchesKeyword = (message: string, { match, words }: Keyword): boolean =>
  words.some((word) => {
    if (match === 'exact') return message === word;
    return match === 'prefix' ? startsWithWord(message, word) : containsWord(message, word);
  });

/** Letters and digits of scripts that put blanks between words. */
const inWord = /[[\p{L}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]]/v;

/** A keyword is a whole word: "hi" is not in "this". */
const isWord = (text: string, start: number, end: number): boolean =>
  !(isInWord(text[start - 1]) && isInWord(text[start])) && !(isInWord(text[end - 1]) && isInWord(text[end]));

const isInWord = (character: string | undefined): boolean => character !== undefined && inWord.test(character);

const startsWithWord = (text: string, word: string): boolean => text.startsWith(word) && isWord(text, 0, word.length);

const containsWord = (text: string, word: string): boolean => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (isWord(text, at, at + word.length)) return true;
  return false;
};
