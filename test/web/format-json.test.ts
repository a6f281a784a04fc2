import { assert, constantFrom, jsonValue, property } from 'fast-check';
import { expect, test } from 'vitest';
import { formatJson } from '../../src/web/parts/format-json.ts';

test('JSON has a line for each value, as JSON.stringify lays it out, however it was laid out before', () => {
  assert(
    property(jsonValue(), constantFrom(undefined, 1, '\t'), (value, space) => {
      expect(formatJson(JSON.stringify(value, null, space))).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

test('numbers keep all of their digits, and names that stand twice stay', () => {
  expect(formatJson('{"id":12345678901234567890,"a":1.0,"a":[2e3,{}]}')).toBe(
    '{\n  "id": 12345678901234567890,\n  "a": 1.0,\n  "a": [\n    2e3,\n    {}\n  ]\n}',
  );
});

test('texts are told unescaped, with marks and spaces in them as they are', () => {
  expect(formatJson('["caf\\u00e9 \\/ {a: 1,  b}", "\\"\\\\"]')).toBe('[\n  "café / {a: 1,  b}",\n  "\\"\\\\"\n]');
});

test.for(['', 'Thank you', '{"a": 1', '{a: 1}'])('what is not JSON, such as %j, is left alone', (text) => {
  expect(formatJson(text)).toBeUndefined();
});
