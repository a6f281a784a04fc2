import type { AnswerHeaders } from './read-head.ts';

/** How much of an answer's headers is kept as evidence, in characters. An answer may have four times as much. */
const keptCharacters = 16_384;

/** The headers of an answer that are kept: in their order, those that fit. */
export const keepHeaders = (headers: Readonly<AnswerHeaders>): AnswerHeaders => {
  let left = keptCharacters;
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => {
      const size = [value].flat().reduce((sum, one) => sum + one.length + name.length, 0);
      if (size > left) return false;
      left -= size;
      return true;
    }),
  );
};
