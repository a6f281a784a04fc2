import { expect, test } from 'vitest';
import { createMemo } from '../../../src/shared/platform/memo.ts';

test('a memo makes a value once while it is in use, and drops those that were not used for longest', () => {
  const made: string[] = [];
  const lengthOf = createMemo(2, (key) => {
    made.push(key);
    return { length: key.length };
  });
  const others = ['two', 'three', 'four', 'five', 'seven', 'eleven'];
  for (const key of ['one', ...others.flatMap((other) => [other, 'one'])])
    expect(lengthOf(key).length).toBe(key.length);
  expect(made).toEqual(['one', ...others]);
  lengthOf('eleven');
  lengthOf('two');
  expect(made).toEqual(['one', ...others, 'two']);
});

test('a memo keeps at most twice the values that it was made for', () => {
  const made: string[] = [];
  const keep = createMemo(3, (key) => {
    made.push(key);
    return { key };
  });
  const keys = Array.from({ length: 100 }, (_, number) => String(number));
  for (const key of keys) keep(key);
  for (const key of keys.toReversed()) keep(key);
  expect(made.length).toBeGreaterThanOrEqual(200 - 2 * 3);
});

test('a memo asks a maker that threw again, and loses nothing that it has', () => {
  const made: string[] = [];
  const compile = createMemo(1, (pattern) => {
    made.push(pattern);
    return new RegExp(pattern);
  });
  compile('a');
  expect(() => compile('(')).toThrow(SyntaxError);
  expect(() => compile('(')).toThrow(SyntaxError);
  compile('a');
  expect(made).toEqual(['a', '(', '(']);
});
