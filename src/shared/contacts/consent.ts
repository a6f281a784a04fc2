import { foldTyped, withoutPunctuation } from '../typed/text.ts';

const stop = new Set(['stop', 'stopall', 'unsubscribe']);
const start = new Set(['start', 'unstop', 'subscribe']);

/** Longer messages say more than one word, whatever invisible marks are in it. */
const longest = 100;

/** What a message that is one of these words alone asks for: no more messages, or messages again. */
export const readConsent = (text: string): 'stop' | 'start' | undefined => {
  if (text.length > longest) return undefined;
  const word = withoutPunctuation(foldTyped(text));
  return stop.has(word) ? 'stop' : start.has(word) ? 'start' : undefined;
};
