import { expect, test } from 'vitest';
import { hasMoreValues } from '../../src/api/has-more-values.ts';

const countOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, child) => sum + countOf(child), 1)
    : 1;

test.each([
  '7',
  '"a, b"',
  '[]',
  ' [ ] ',
  '{}',
  '[1]',
  '[[]]',
  '[[],{}, [ ]]',
  '{"a": {"b": [1, 2, {"c": []}]}, "d": "[,,,{"}',
  String.raw`["\"", "\\", "\\\",", ["a\\"], "]"]`,
  `{"ü,": ["…", "😀,"]}`,
])('the values of %s are as many as a walk through them counts', (text) => {
  const [bytes, count] = [Buffer.from(text), countOf(JSON.parse(text))];
  expect(hasMoreValues(bytes, count)).toBe(false);
  expect(hasMoreValues(bytes, count - 1)).toBe(true);
});
