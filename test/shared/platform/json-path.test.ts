import { describe, expect, test } from 'vitest';
import type { JSONValue } from 'json-p3';
import { findByPath, type JsonPath, readJsonPath } from '../../../src/shared/platform/json-path.ts';
import { cpuMsOf } from '../../helpers/cpu-time.ts';

const document: JSONValue = {
  items: [
    { id: 1, left: 3, 'a b': true },
    { id: 2, left: 0 },
  ],
  total: null,
  ...JSON.parse('{"__proto__": {"x": 1}}'),
};

const findAll = (document: JSONValue, path: JsonPath) => findByPath(document, path, Infinity);

const find = (path: string): unknown[] | string | undefined => {
  const read = readJsonPath(path);
  return read.ok ? findAll(document, read.path) : read.problem;
};

test.for([
  ['$.items[0].left', [3], true],
  ['items[0].left', [3], true],
  ["$['items'][-1]['id']", [2], true],
  ['$.items[0]["a b"]', [true], true],
  ['$.total', [null], true],
  ['$', [document], true],
  ['$.none', [], true],
  ['$.items[7].left', [], true],
  ['$.items.length', [], true],
  ['$.constructor', [], true],
  ['$.toString', [], true],
  ['$.items[*].id', [1, 2], false],
  ['$..id', [1, 2], false],
  ['$.items[?@.left > 0].id', [1], false],
  ['$.items[?@.id == $.items[1].id].left', [0], false],
  ['$.items[?count(@.*) > 2].id', [1], false],
  ['$.items[0:1].id', [1], false],
  ["$.items[0]['id','left']", [1, 3], false],
] as const)('%s', ([path, values, isSingular]) => {
  expect(find(path)).toEqual(values);
  expect(readJsonPath(path)).toMatchObject({ path: { isSingular } });
});

test('a key that names a prototype is a key like any other', () => {
  expect(find('$.__proto__.x')).toEqual([1]);
  const read = readJsonPath('$.__proto__');
  expect(read.ok && findAll({}, read.path)).toEqual([]);
});

test.for([
  ['$.items[?@.id == 1234567890123456789]', false],
  ['$[?@.id==-9007199254740993&&@.a=="1"]', false],
  ['$.id1234567890123456789', true],
  ['$["1234567890123456789"]', true],
  ["$[?@.id == '1234567890123456789']", true],
  ['$[?@.a == 1e21]', true],
] as const)('a path compares with no number that a double would change: %s', ([path, isRead]) => {
  const read = readJsonPath(path);
  expect(read.ok || read.problem).toBe(isRead || 'compares with a number that has too many digits');
});

test.for([
  ['', 'is not a JSONPath'],
  ['$.', 'is not a JSONPath'],
  ['$.a b', 'is not a JSONPath'],
  ['$.a[', 'is not a JSONPath'],
  ['$.a.b()', 'is not a JSONPath'],
  ['$[?f(@)]', 'is not a JSONPath'],
  ['$[?count(1) == 1]', 'is not a JSONPath'],
  ['$.~a', 'is not a JSONPath'],
  ['$.items[?#]', 'is not a JSONPath'],
  [`$[?${'('.repeat(150)}@.a${')'.repeat(150)}]x`, 'is not a JSONPath'],
  [`$.${'a'.repeat(500)}`, 'more than 500 characters'],
  [`$${'.a'.repeat(33)}`, 'more than 32 parts'],
  ['$[?match(@.a, "x")]', 'match or search'],
  ['$[?search(@.a, "x")]', 'match or search'],
  ['$..a..b', '.. more than once'],
  ['$.items[?count(@..x) > 1]', '.. in a filter'],
  ['$.items[?count($..*) > 1]', '.. in a filter'],
  ['$.items[?$.items[*].id]', 'from $ in a filter'],
  ['$.items[?@.a[?@.b]]', 'filter in a filter'],
  ["$['a','a']['a','a']", 'several selectors'],
  [`$[${"'a',".repeat(10)}'a']`, 'more than 10 selectors'],
] as const)('%s is refused: %s', ([path, problem]) => {
  expect(find(path)).toContain(problem);
});

test('of many it finds no more than asked for, and in what is nested too deeply nothing', () => {
  const of = (document: JSONValue, source: string, atMost: number) => {
    const read = readJsonPath(source);
    return read.ok && findByPath(document, read.path, atMost);
  };
  expect(of([1, 2, 3], '$[*]', 2)).toEqual([1, 2]);
  const deep: JSONValue = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  expect(of(deep, '$..a', 1)).toBeUndefined();
});

describe('what may be asked for', () => {
  const deep: JSONValue = JSON.parse(`${'{"a":'.repeat(400)}1${'}'.repeat(400)}`);
  const wide: JSONValue = Array.from({ length: 20_000 }, (_, id) => ({ id, a: [id, id] }));

  test.for([
    '$..a',
    '$..*',
    "$..['a','a','a','a','a','a','a','a','a','a']",
    '$..[?@.a.a.a.a.a.a.a.a || @.b]',
    '$..[?count(@.*.*.*.*) > 1 || count(@.*.*.*) > 1]',
    '$[?@.id == 7 || @.id == 8 || @.id == 9 || @.a == $[0].a]',
    `$${'[*]'.repeat(32)}`,
  ])('%s takes no longer than its document is long', (path) => {
    const read = readJsonPath(path);
    if (!read.ok) throw new Error(read.problem);
    for (const document of [deep, wide]) {
      expect(cpuMsOf(() => findAll(document, read.path))).toBeLessThan(3_000);
    }
  });
});
