import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitText } from '../../../../../src/shared/messages/channels/telegram/split-text.ts';

const words = (text: string) => text.split(/\s+/u).filter((word) => word !== '');

const longTexts = fc
  .array(
    fc.tuple(
      fc.integer({ min: 1, max: 30 }),
      fc.constantFrom(' ', '\n', ' \n\n ', '\u3000'),
      fc.constantFrom('x', 'ß', '👋'),
    ),
    { minLength: 1, maxLength: 600 },
  )
  .map((pieces) => pieces.map(([length, gap, letter]) => letter.repeat(length) + gap).join(''));

test('a long text is split between words, into at most 4,096 characters each, with nothing lost', () => {
  fc.assert(
    fc.property(longTexts, (text) => {
      const parts = splitText(text);
      expect(parts.every((part) => part.length > 0 && part.length <= 4_096)).toBe(true);
      expect(parts.flatMap(words)).toEqual(words(text));
      expect(splitText(text)).toEqual(parts);
    }),
    { numRuns: 200 },
  );
});

test('a text that fits is sent as it is', () => {
  for (const text of ['hi', ' a \n', 'x'.repeat(4_096)]) expect(splitText(text)).toEqual([text]);
});

test('a long text is split at the end of a line where there is one', () => {
  const [first, second] = [`${'x'.repeat(2_500)} y`, `z ${'x'.repeat(3_000)}`];
  expect(splitText(`${first}\n\n${second}`)).toEqual([first, second]);
});

test('a word that is too long is split, but no character of it', () => {
  const text = `a${'👋'.repeat(4_000)}`;
  const parts = splitText(text);
  expect(parts.join('')).toBe(text);
  expect(parts.map(({ length }) => length)).toEqual([4_095, 3_906]);
  expect(parts.every((part) => part.isWellFormed())).toBe(true);
});

test('the longest message has at most five parts, wherever its blanks are', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 9_999 }), { maxLength: 20 }), (blanks) => {
      const letters = Array.from({ length: 10_000 }, (_, at) => (blanks.includes(at) ? ' ' : 'x'));
      expect(splitText(letters.join('')).length).toBeLessThanOrEqual(5);
    }),
  );
});
