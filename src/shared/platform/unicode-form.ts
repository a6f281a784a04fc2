/** More marks on one letter than any language writes. U+FF9E and U+FF9F become marks in NFKC. */
const tooManyMarks = /([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu;

/**
 * A text in one form of Unicode. A letter keeps its first 30 marks, as in Unicode's stream-safe text format (UAX 15): normalizing puts marks in
 * order, which takes quadratic time for a long run of them.
 */
export const inUnicodeForm = (text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string =>
  text.replace(tooManyMarks, '$1').normalize(form);
