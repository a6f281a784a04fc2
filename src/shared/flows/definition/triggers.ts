import { z } from 'zod';
import { fold } from '../blocks/fold.ts';
import { tagName } from '../../tags/schema.ts';

const priority = z.int().min(-1_000).max(1_000).default(0).meta({
  description: 'Of flows that a message could start, the one with the highest gets it; of equal ones the oldest.',
});

const keyword = z.strictObject({
  type: z.literal('keyword'),
  match: z.enum(['exact', 'contains', 'prefix']).default('exact'),
  words: z.array(z.string().trim().min(1).max(100)).min(1).max(50),
  priority,
  interrupt: z.boolean().default(false).meta({ description: 'Starts even while another flow waits for an answer.' }),
});

/** What starts a run. Whatever a flow names, it can be started by the API. */
const kinds = [
  z.strictObject({ type: z.literal('api') }),
  keyword,
  z.strictObject({ type: z.literal('tag_applied'), tag: tagName }),
  z.strictObject({ type: z.literal('new_contact') }),
  z.strictObject({ type: z.literal('default_reply'), priority }),
] as const;

export const triggerSchema = z.discriminatedUnion('type', kinds);

export type Trigger = z.output<typeof triggerSchema>;

/** Whether a message starts a flow by a keyword. Case, blanks around it and forms of letters do not count. */
export const matchesKeyword = (
  { match, words }: Pick<Extract<Trigger, { type: 'keyword' }>, 'match' | 'words'>,
  message: string,
): boolean => {
  const text = fold(message);
  return words.some((word) => {
    const searched = fold(word);
    if (match === 'exact') return text === searched;
    return match === 'prefix' ? startsWithWord(text, searched) : containsWord(text, searched);
  });
};

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
