import { expect, test } from 'vitest';
import { parseJson } from '../../../src/shared/platform/json/parse-json.ts';
import { readSample } from '../../../src/web/pages/flows/request/read-sample.ts';
import { showValue } from '../../../src/web/pages/flows/request/show-value.ts';
import { listRows, openAtFirst } from '../../../src/web/pages/flows/request/tree-rows.ts';
import { cpuMsOf } from '../../helpers/cpu-time.ts';

const rowsOf = (document: unknown) => listRows(document, { open: openAtFirst(document), shown: new Map() });

test('a small answer is open at first, in its order, with the parts that lead to each value', () => {
  const rows = rowsOf({ order: { id: 7, tags: ['a'] }, none: {} });
  expect(rows.map((row) => (row.kind === 'value' ? [row.depth, row.name, row.isOpen] : row))).toEqual([
    [0, undefined, true],
    [1, 'order', true],
    [2, 'id', undefined],
    [2, 'tags', true],
    [3, 0, undefined],
    [1, 'none', undefined],
  ]);
});

test('an answer of 1 MiB draws at most 51 rows at first, and says how many more there are', () => {
  const document = parseJson(JSON.stringify(Array.from({ length: 90_000 }, (_, index) => index)));
  const all = listRows(document, { open: new Set(['[]']), shown: new Map() });
  expect(all).toHaveLength(52);
  expect(all.at(-1)).toMatchObject({ kind: 'more', left: 89_950 });
  expect(rowsOf(document)).toHaveLength(1);
  expect(cpuMsOf(() => rowsOf(document))).toBeLessThan(100);
});

test('an answer that is nested 100,000 deep is drawn, as far as it is opened', () => {
  const document = parseJson(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  const rows = rowsOf(document);
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.length).toBeLessThanOrEqual(41);
});

test('of an answer that was cut off what is whole is read', () => {
  expect(readSample('{"a": [1, {"b": "x, ]"}, {"c": "y', true)?.document).toEqual({ a: [1, { b: 'x, ]' }, {}] });
  expect(readSample('{"a": 1, "b": 12', true)?.document).toEqual({ a: 1 });
  expect(readSample('<html>', true)).toBeUndefined();
  expect(readSample('{"a": 1', false)).toBeUndefined();
  expect(readSample(null, false)).toBeUndefined();
});

test('a value is shown in one short line, with all digits of a number', () => {
  expect(showValue('x'.repeat(1_000)).length).toBeLessThan(310);
  expect(showValue(parseJson('12345678901234567890123'))).toBe('12345678901234567890123');
  expect([[], {}, [1, 2], { a: 1 }, null, 'a', false].map(showValue)).toEqual([
    '[]',
    '{}',
    '[2]',
    '{1}',
    'null',
    '"a"',
    'false',
  ]);
});
