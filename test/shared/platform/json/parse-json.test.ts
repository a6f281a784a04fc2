import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExactNumber } from '../../../../src/shared/platform/json/exact-number.ts';
import { parseJson } from '../../../../src/shared/platform/json/parse-json.ts';
import { cpuMsOf } from '../../../helpers/cpu-time.ts';

/** What was parsed, with the digits of exact numbers marked: `toEqual` would find any two of them equal. */
const shown = (value: unknown): unknown => {
  if (value instanceof ExactNumber) return `exact ${String(value)}`;
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shown(inner)]));
};

describe('a number is exact where a double would change it', () => {
  test.for<[string, unknown]>([
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 'exact 9007199254740993'],
    ['-9007199254740993', 'exact -9007199254740993'],
    ['1234567890123456789', 'exact 1234567890123456789'],
    ['1152921504606846976', 'exact 1152921504606846976'],
    ['12345678901234567000', 12345678901234567000],
    ['1000000000000000000000', 'exact 1000000000000000000000'],
    ['1e21', 1e21],
    ['1e400', 'exact 1e400'],
    ['-1e-400', 'exact -1e-400'],
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ['5e-324', Number.MIN_VALUE],
    ['0.1', 0.1],
    ['1.10', 1.1],
    ['0.30000000000000004', 0.30000000000000004],
    ['0.10000000000000000000', 0.1],
    ['0.10000000000000001', 'exact 0.10000000000000001'],
    ['123456789012345678.5', 'exact 123456789012345678.5'],
    ['-0', -0],
    ['-0.00000000000000000', -0],
    [
      '{"a": [1, 1234567890123456789], "b": {"c": 12345678901234567890}}',
      { a: [1, 'exact 1234567890123456789'], b: { c: 'exact 12345678901234567890' } },
    ],
    ['[1234567890123456789,1234567890123456788]', ['exact 1234567890123456789', 'exact 1234567890123456788']],
    ['{"a": 1, "a": 1234567890123456789}', { a: 'exact 1234567890123456789' }],
    ['{"a": 1234567890123456789, "a": 2}', { a: 2 }],
    ['"1234567890123456789"', '1234567890123456789'],
    [
      String.raw`["\"1234567890123456789", "a\\", 1234567890123456789, "\\\"1e400"]`,
      ['"1234567890123456789', 'a\\', 'exact 1234567890123456789', '\\"1e400'],
    ],
    ['{"1234567890123456789": true}', { '1234567890123456789': true }],
    [' [ 1234567890123456789 ] ', ['exact 1234567890123456789']],
  ])('%s', ([text, expected]) => {
    const parsed = parseJson(text);
    expect(shown(parsed)).toEqual(expected);
    expect(shown(parseJson(JSON.stringify(parsed)))).toEqual(Object.is(expected, -0) ? 0 : expected);
  });

  test('an own key __proto__ holds one as every other key does', () => {
    expect(JSON.stringify(parseJson('{"__proto__": 1234567890123456789}'))).toBe('{"__proto__":1234567890123456789}');
  });

  test('nesting as deep as the text allows is no problem', () => {
    const text = `${'['.repeat(50_000)}1234567890123456789${']'.repeat(50_000)}`;
    let inner: unknown = parseJson(text);
    while (Array.isArray(inner)) inner = inner[0];
    expect(String(inner)).toBe('1234567890123456789');
  });
});

test.for(['', '1234567890123456789a', '{1234567890123456789: 1}', '[01234567890123456789]', '"1234567890123456'])(
  'what is no JSON is refused, also with a long number in it: %s',
  (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  },
);

test('whatever is parsed and written again is read as the same values by everybody', () => {
  const digits = fc.stringMatching(/^-?(?:0|[1-9]\d{0,30})(?:\.\d{1,25})?(?:[eE][+-]?\d{1,3})?$/);
  const texts = fc.string({
    unit: fc.constantFrom('"', '\\', '1', '2', '.', 'e', '-', '\u0000', 'ä', ' '),
    maxLength: 40,
  });
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      digits,
      texts.map((text) => JSON.stringify(text)),
      fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(' , ')}]`),
      fc
        .array(fc.tuple(texts, tie('value')), { maxLength: 4 })
        .map((entries) => `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${item}`).join(',')}}`),
    ),
  }));
  fc.assert(
    fc.property(value, (text) => {
      const again = JSON.stringify(parseJson(text));
      expect(JSON.stringify(JSON.parse(again))).toBe(JSON.stringify(JSON.parse(text)));
      expect(JSON.stringify(parseJson(again))).toBe(again);
    }),
  );
});

test.for([
  ['numbers that are all long', `[${Array(20_000).fill('1234567890123456789').join(',')}]`],
  ['one long number beside many short ones', `[${'1,'.repeat(200_000)}1234567890123456789]`],
  ['a text of backslashes and quotes', `["${String.raw`\\\"`.repeat(60_000)}",1234567890123456789]`],
  ['a number of 400,000 digits', `[${'9'.repeat(400_000)}]`],
  ['zeros between two digits', `[1${'0'.repeat(400_000)}1]`],
] as const)('reading is linear in the text: %s', ([, text]) => {
  expect(Math.min(...Array.from({ length: 3 }, () => cpuMsOf(() => parseJson(text))))).toBeLessThan(400);
});
