import { createMemo } from '../platform/memo.ts';
import { foldStably, withoutPunctuation } from '../typed/text.ts';
import { bordersOf, type Borders } from '../typed/words.ts';

/** The words of a keyword trigger. */
export type Keyword = { match: 'exact' | 'contains' | 'prefix'; words: readonly string[] };

/** A message as it is compared with keywords: whole, without the punctuation around it, and where its words begin and end. */
export type ReadMessage = { text: string; bare: string; borders: Borders };

/** The most characters of a message and of a word that are compared. Some characters grow to eighteen when they are read. */
const compared = { message: 20_000, word: 200 } as const;

/** Reads a message that is compared with many words. */
export const readMessage = (message: string): ReadMessage => {
  const text = foldStably(message).slice(0, compared.message);
  return { text, bare: withoutPunctuation(text), borders: bordersOf(text) };
};

/** Whether a message is one of the words (whatever its punctuation), begins with one, or has one. A keyword is a whole word: "hi" is not in "this". */
export const matchesKeyword = (message: ReadMessage, { match, words }: Keyword): boolean =>
  words.some((word) => {
    const keyword = readWord(word);
    if (keyword.text === '') return false;
    if (match === 'exact') return message.text === keyword.text || message.bare === keyword.bare;
    return match === 'prefix' ? startsWithWord(message, keyword.text) : containsWord(message, keyword.text);
  });

/** Words that were read: each inbound message is compared with all of its account. */
const readWord = createMemo(10_000, (word): { text: string; bare: string } => {
  const text = foldStably(word).slice(0, compared.word);
  return { text, bare: withoutPunctuation(text) };
});

const isWord = ({ borders }: ReadMessage, start: number, end: number): boolean =>
  borders.isBorder(start) && borders.isBorder(end);

/** Also behind an opening mark, as in "¿menu". */
const startsWithWord = (message: ReadMessage, word: string): boolean => {
  const opening = message.text.indexOf(message.bare);
  return [0, opening].some((at) => message.text.startsWith(word, at) && isWord(message, at, at + word.length));
};

const containsWord = (message: ReadMessage, word: string): boolean => {
  const { text, borders } = message;
  let at = text.indexOf(word);
  while (at >= 0 && !isWord(message, at, at + word.length)) at = text.indexOf(word, borders.nextBorder(at + 1));
  return at >= 0;
};
