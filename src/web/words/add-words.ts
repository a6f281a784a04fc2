import i18next from 'i18next';
import type { WordsOfPages } from './en/of-pages.ts';

/** Adds words that come with a page, before the page is shown. */
export const addWords = (words: Partial<WordsOfPages>): void => {
  for (const [noun, said] of Object.entries(words)) i18next.addResourceBundle('en', noun, said);
};
