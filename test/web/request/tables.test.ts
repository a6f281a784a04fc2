import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { entriesOf, hostOf, rawBodyTypeOf, readConstant } from '../../../src/web/pages/flows/request/read-request.ts';
import { jumps, removeRow, renameRow, writeRow } from '../../../src/web/pages/flows/request/tables.ts';

const anyJson = fc.jsonValue({ maxDepth: 2 });
const table = fc.dictionary(fc.string({ maxLength: 4 }), anyJson, { maxKeys: 5, noNullPrototype: true });

test('a renamed row keeps its place and its value, and no other row changes', () => {
  expect(Object.entries(renameRow({ a: '1', b: '2', c: '3' }, 'b', 'x') ?? {})).toEqual([
    ['a', '1'],
    ['x', '2'],
    ['c', '3'],
  ]);
  fc.assert(
    fc.property(table, fc.string({ maxLength: 4 }), fc.string({ maxLength: 4 }), (rows, from, to) => {
      const after = renameRow(rows, from, to) ?? {};
      expect(
        Object.values(after)
          .map((value) => JSON.stringify(value))
          .sort(),
      ).toEqual(
        Object.values(rows)
          .map((value) => JSON.stringify(value))
          .sort(),
      );
    }),
  );
});

test('a row that is renamed to a name in use keeps its own name', () => {
  expect(renameRow({ a: '1', b: '2' }, 'a', 'b')).toEqual({ a: '1', b: '2' });
});

test('a table without rows is left out of the block', () => {
  expect(removeRow({ a: '1' }, 'a')).toBeUndefined();
  expect(removeRow({ a: '1', b: 2 }, 'a')).toEqual({ b: 2 });
  expect(writeRow(undefined, 'a', '')).toEqual({ a: '' });
});

test('a name that JavaScript would move to the front of a table is known', () => {
  expect(['0', '17', '4294967294', '01', 'a1', '-1', ''].map(jumps)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test('a table of anything is read without an error, and what is no table is a problem', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const entries = entriesOf(value);
      const isTable = typeof value === 'object' && value !== null && !Array.isArray(value);
      expect(entries !== undefined).toBe(isTable);
    }),
  );
});

test.for<[object, string | undefined]>([
  [{}, 'none'],
  [{ body: '{}' }, 'json'],
  [{ form: {} }, 'form'],
  [{ form: {}, body_type: 'raw' }, 'raw'],
  [{ body_type: 'xml' }, undefined],
  [{ body_type: 7 }, undefined],
])('the body type of a half-finished block is read: %j', ([block, type]) => {
  expect(rawBodyTypeOf({ ...block })).toBe(type);
});

test.for<[string, string | undefined]>([
  ['https://api.example.com:8443/x', 'api.example.com'],
  ['http://127.0.0.1?x={{a}}', '127.0.0.1'],
  ['https://{{host}}/x', undefined],
  ['https://', undefined],
  ['api.example.com', undefined],
])('the host of a url is read: %s', ([url, host]) => {
  expect(hostOf(url)).toBe(host);
});

test.for<[string, unknown]>([
  ['true', true],
  ['7', 7],
  ['-0.5', -0.5],
  ['007', '007'],
  ['1e3', '1e3'],
  ['12345678901234567890', '12345678901234567890'],
  ['', ''],
  ['NaN', 'NaN'],
  ['ok', 'ok'],
])('a constant that is typed keeps its digits: %s', ([typed, value]) => {
  expect(readConstant(typed)).toBe(value);
});
