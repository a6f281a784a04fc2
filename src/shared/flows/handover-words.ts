import { matchesKeyword, readMessage } from './keywords.ts';

/** The most words by which contacts ask for a person, and the most characters of one. */
export const handoverWordLimits = { words: 20, length: 40 } as const;

/** Whether a message is one of these words alone. */
export const asksForPerson = (words: readonly string[] | null, text: string): boolean =>
  words !== null &&
  text.length <= 5 * handoverWordLimits.length &&
  matchesKeyword(readMessage(text), { match: 'exact', words });
