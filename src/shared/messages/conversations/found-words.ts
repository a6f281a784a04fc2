import { inUnicodeForm } from '../../platform/unicode-form.ts';

/** A word of a text, in which places between words stand for nothing. */
const word = /[\p{L}\p{N}\p{M}]+/gu;

/** Small letters without accents: what a search compares. */
const plain = (text: string): string => inUnicodeForm(text, 'NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** The words of a text that begin as one of those that were searched for: where each begins and ends. */
export const findWords = (text: string, searched: string): { from: number; to: number }[] => {
  const wanted = plain(searched).match(word) ?? [];
  return [...text.matchAll(word)].flatMap(({ 0: found, index: from }) =>
    wanted.some((one) => plain(found).startsWith(one)) ? [{ from, to: from + found.length }] : [],
  );
};
