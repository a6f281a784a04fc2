import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/shared/custom-fields/values.ts';
import { findJsonFault } from '../../../../src/shared/flows/templating/json-fault.ts';
import { renderJson } from '../../../../src/shared/flows/templating/render-json.ts';
import { Marker } from '../../../../src/shared/flows/templating/scope.ts';
import { parseJson } from '../../../../src/shared/platform/json/parse-json.ts';
import { cpuMsOf } from '../../../helpers/cpu-time.ts';
import { aScope } from '../../../helpers/scope.ts';

const parse = (source: string, values: Json): unknown => {
  const rendered = renderJson(source, aScope(values));
  return rendered.ok ? JSON.parse(rendered.text) : rendered.problem;
};

/** Texts that break out of JSON wherever they are put in unescaped, and whatever else there is. */
const hostile = fc.oneof(
  fc.constantFrom(
    '"',
    '\\',
    '\\"',
    '","evil":"',
    '"}',
    '{{a}}',
    '}}',
    '\0',
    '\n',
    '\u2028',
    '\ud800',
    '__proto__',
    'null',
  ),
  fc.string({ unit: 'binary' }),
);

test.for([
  ['{"id": {{id}}}', '{"id": 1234567890123456789}'],
  ['{"id": "{{id}}"}', '{"id": "1234567890123456789"}'],
  ['{"ids": {{ids}}, "same": {{ids.0}}}', '{"ids": [1234567890123456789,0.1], "same": 1234567890123456789}'],
  ['{"ids": "{{ids}}"}', '{"ids": "1234567890123456789, 0.1"}'],
  ['{"in": {{thing|json}}}', '{"in": {"id":1234567890123456789}}'],
  ['{"in": "{{thing}}"}', '{"in": "{\\"id\\":1234567890123456789}"}'],
  [
    '{"no": {{id.digits}}, "default": {{none|default:1234567890123456789}}}',
    '{"no": null, "default": 1234567890123456789}',
  ],
] as const)('a long number keeps its digits: %s', ([source, text]) => {
  const values = parseJson(
    '{"id":1234567890123456789,"ids":[1234567890123456789,0.1],"thing":{"id":1234567890123456789}}',
  );
  expect(renderJson(source, aScope(values))).toEqual({ ok: true, text });
});

describe('within quotes a value is text', () => {
  test('whatever it holds, the parser reads it again, and nothing else of the body changes', () => {
    fc.assert(
      fc.property(hostile, hostile, (a, b) => {
        const source = '{"size": "{{a}}", "say \\"{{a}}\\"": ["x{{b}}\\\\{{a}}y", 1], "last": true}';
        expect(parse(source, { a, b })).toEqual({
          size: a,
          [`say "${a}"`]: [`x${b}\\${a}y`, 1],
          last: true,
        });
      }),
      { numRuns: 500 },
    );
  });

  test('numbers, truth and objects are their text there', () => {
    const values = { n: 4.5, yes: true, thing: { a: '"' }, list: ['a', 'b'] };
    expect(parse('["{{n}} {{yes}} {{nothing}}", "{{thing}}", "{{list}}", "{{thing|json}}"]', values)).toEqual([
      '4.5 true ',
      '{"a":"\\""}',
      'a, b',
      '{"a":"\\""}',
    ]);
  });

  test('a megabyte of quotes is escaped, or refused as too long, in time', () => {
    const tookMs = cpuMsOf(() => {
      expect(parse('{"a": "{{a}}"}', { a: 'x'.repeat(1_000_000) })).toEqual({ a: 'x'.repeat(1_000_000) });
      expect(parse('{"a": "{{a}}"}', { a: '"'.repeat(1_000_000) })).toMatchObject({ code: 'too_long', path: 'a' });
      expect(parse('{"a": {{a}}}', { a: '\0'.repeat(1_000_000) })).toMatchObject({ code: 'too_long', path: 'a' });
    });
    expect(tookMs).toBeLessThan(1_000);
  });

  test('a backslash before a placeholder does not escape what the value begins with', () => {
    expect(parse('{"a": "\\{{a}}"}', { a: '" , "evil": "' })).toMatchObject({
      code: 'invalid_json',
      position: 8,
      path: 'a',
    });
    expect(parse('{"a": "\\{{a}}"}', { a: 'n' })).toMatchObject({ code: 'invalid_json', position: 8, path: 'a' });
    expect(parse('{"a": "\\\\{{a}}"}', { a: '"' })).toEqual({ a: '\\"' });
    expect(parse('{"a": "\\u{{a}}"}', { a: '0022' })).toEqual({ a: '"' });
    expect(parse('{"a": "{{a}}\\{{b}}"}', { a: 'x', b: '"' })).toMatchObject({ code: 'invalid_json', path: 'b' });
  });
});

describe('outside quotes a value is JSON of its own type', () => {
  test('whatever it is, the parser reads it again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), hostile, (value, text) => {
        const a: Json = JSON.parse(JSON.stringify(value));
        const expected = a === '' ? null : a;
        expect(parse('{"a": {{a}}, "b":[{{b}} , {{a|json}}]}', { a, b: text })).toEqual({
          a: expected,
          b: [text === '' ? null : text, a],
        });
      }),
    );
  });

  test('empty is null, and a default has its type', () => {
    expect(parse('[{{no}}, {{empty}}, {{no|default:0}}, {{no|default:"x"}}]', { empty: '' })).toEqual([
      null,
      null,
      0,
      'x',
    ]);
  });

  test('keys of values named __proto__ stay keys', () => {
    const values: Json = JSON.parse('{"a": {"__proto__": {"x": 1}}}');
    const rendered = renderJson('{{a}}', aScope(values));
    expect(rendered).toEqual({ ok: true, text: '{"__proto__":{"x":1}}' });
  });

  test('nested braces belong to the JSON', () => {
    expect(parse('{"a":{"b":{{n}}},"c":{"d":{"e":"{{n}}"}}}', { n: 7 })).toEqual({ a: { b: 7 }, c: { d: { e: '7' } } });
  });
});

describe('what is no JSON is refused', () => {
  test.for<[string, Json, number, string | null]>([
    ['{"a": {{a}}', { a: 1 }, 11, 'a'],
    ['{"a": {{a}} {{b}}}', { a: 1, b: 2 }, 12, 'b'],
    ['{"a": {{a}}, }', { a: 1 }, 13, 'a'],
    ['{"a": x, "b": {{b}}}', { b: 1 }, 6, null],
    ['{"a": 1{{a}}}', { a: 'x' }, 7, 'a'],
    ['{"a": "{{a}}\n"}', { a: 'xyz' }, 12, 'a'],
    ['', {}, 0, null],
    ['{{a}}{{b}}', { a: 1, b: [] }, 5, 'b'],
    ["{'a': 1}", {}, 1, null],
  ])('%j with %j: at %d, by %s', ([source, values, position, path]) => {
    expect(renderJson(source, aScope(values))).toMatchObject({
      ok: false,
      problem: { code: 'invalid_json', position, path },
    });
  });
});

test('a marker is text in both places', () => {
  const scope = aScope({}, { 'credential.shop': new Marker('M1') });
  expect(renderJson('{"a": "x {{credential.shop}}", "b": {{credential.shop}}}', scope)).toEqual({
    ok: true,
    text: '{"a": "x M1", "b": "M1"}',
  });
});

test('the place of a fault is found exactly where the parser finds one', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 2 }), (json, at, replacement) => {
      const text = json.slice(0, at % (json.length + 1)) + replacement + json.slice((at % (json.length + 1)) + 1);
      const isJson = (source: string): boolean => {
        try {
          JSON.parse(source);
          return true;
        } catch {
          return false;
        }
      };
      expect(isJson(text)).toBe(findJsonFault(text) === undefined);
    }),
    { numRuns: 2_000 },
  );
});

test('deeply nested JSON overflows no stack', () => {
  const deep = '['.repeat(200_000);
  expect(findJsonFault(deep)?.offset).toBe(deep.length);
  expect(findJsonFault(deep + ']'.repeat(200_000))).toBeUndefined();
});

test('a body of 100 KB with a thousand values is rendered within 5 ms', () => {
  const filler = 'x'.repeat(80);
  const source = `[${Array.from({ length: 1_000 }, () => `{"${filler}":"{{a}}"}`).join(',')}]`;
  expect(source.length).toBeGreaterThan(90_000);
  const scope = aScope({ a: 'a "value" of text' });
  const times = Array.from({ length: 20 }, () => cpuMsOf(() => expect(renderJson(source, scope).ok).toBe(true)));
  // Five times what is promised: other tests run at the same time.
  expect(Math.min(...times)).toBeLessThan(25);
});
