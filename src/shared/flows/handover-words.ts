import { normalizeText } from './keywords.ts';

/** The most words by which contacts ask for a person, and the most characters of one. */
export const handoverWordLimits = { words: 20, length: 40 } as const;

/** Whether a message is one of these words alone, which are as `normalizeText` makes them. */
export const asksForPerson = (words: readonly string[] | null, text: string): boolean =>
  words !== null && text.length <= 2 * handoverWordLimits.length && words.includes(normalizeText(text));
