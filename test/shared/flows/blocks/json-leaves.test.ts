import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { coerceValue, fieldKey, reservedKeys, type Json } from '../../../../src/shared/custom-fields/values.ts';
import { listLeaves } from '../../../../src/shared/flows/blocks/json-leaves.ts';
import { readMappingPath } from '../../../../src/shared/flows/blocks/mapping-paths.ts';
import { findByPath } from '../../../../src/shared/platform/json-path.ts';
import { parseBothWays } from '../../../../src/shared/platform/json/parse-json.ts';
import { cpuMsOf } from '../../../helpers/cpu-time.ts';

/** What a mapping finds at a path, as a run does. */
const findAt = (json: string, path: string): unknown[] | undefined => {
  const read = readMappingPath(path);
  if (!read.ok || read.source.from !== 'json') return undefined;
  const { plain, exact } = parseBothWays(json);
  return findByPath(plain, read.source.path, 2, exact);
};

const leavesOf = (json: string) => listLeaves(parseBothWays(json).exact);

test('each value of an answer has its path, its type, and a field that could take it', () => {
  const json = JSON.stringify({
    order: { status: 'paid', orderTotal: 12.5, 'paid-at': '2026-03-01T10:00:00Z', due: '2026-03-29', gift: false },
    items: [{ sku: 'A-1' }, { sku: 'B-2' }],
    tags: ['new', 'vip'],
    'a.b': { "it's": null, '0': 'x', '': 'y' },
    none: {},
    status: 'open',
    id: 7,
  });
  const { leaves, isWhole } = leavesOf(json);
  expect(isWhole).toBe(true);
  expect(leaves.map(({ path, type, key, name }) => [path, type, key, name])).toEqual([
    ['$.order.status', 'text', 'order_status', 'Order status'],
    ['$.order.orderTotal', 'number', 'order_order_total', 'Order order total'],
    ["$.order['paid-at']", 'datetime', 'order_paid_at', 'Order paid at'],
    ['$.order.due', 'date', 'order_due', 'Order due'],
    ['$.order.gift', 'boolean', 'order_gift', 'Order gift'],
    ['$.items[0].sku', 'text', 'items_0_sku', 'Items 0 sku'],
    ['$.items[1].sku', 'text', 'items_1_sku', 'Items 1 sku'],
    ['$.tags', 'list', 'tags_value', 'Tags value'],
    ['$.tags[0]', 'text', 'tags_0', 'Tags 0'],
    ['$.tags[1]', 'text', 'tags_1', 'Tags 1'],
    ["$['a.b']['0']", 'text', 'a_b_0', 'A b 0'],
    ["$['a.b']['it\\'s']", 'text', 'a_b_it_s', 'A b it s'],
    ["$['a.b']['']", 'text', 'a_b', 'A b'],
    ['$.none', 'json', 'none', 'None'],
    ['$.status', 'text', 'status_value', 'Status value'],
    ['$.id', 'number', 'id_value', 'Id value'],
  ]);
});

test.for<[string, string, string]>([
  ['"pong"', '$', 'text'],
  ['[]', '$', 'list'],
  ['null', '$', 'text'],
  ['[[1]]', '$[0][0]', 'number'],
  ['{"n":123456789012345678901234567890}', '$.n', 'text'],
  [`{"t":"${'x'.repeat(5_001)}"}`, '$.t', 'json'],
])('a value of an answer that is little else has its path, too (%#)', ([json, path, type]) => {
  expect(leavesOf(json).leaves).toMatchObject([{ path, type }]);
});

test('the path of every value leads to that value alone, whatever names and values an answer has', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6, stringUnit: 'binary' }), (json) => {
      const { leaves } = leavesOf(json);
      for (const { path, value } of leaves) expect(findAt(json, path)).toEqual([value]);
    }),
    { numRuns: 2_000 },
  );
});

test('the proposed fields take the values, and no two have the same key', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((written) => !written.includes('\0'));
  const document = fc.object({
    key: text,
    values: [text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()],
  });
  fc.assert(
    fc.property(document, (made) => {
      const { leaves } = leavesOf(JSON.stringify(made));
      const refused = leaves.filter(({ value, type, key, name }) => {
        const field = { key, name, type, options: null, default: null };
        return value !== null && !coerceValue(field, value, 'UTC').ok;
      });
      expect(refused).toEqual([]);
      const keys = leaves.map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys.filter((key) => !fieldKey.test(key) || reservedKeys.has(key))).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});

test('an answer is looked at up to 2,000 values, and as deeply as paths go', () => {
  const wide = leavesOf(JSON.stringify(Array.from({ length: 1_999 }, (_, index) => index)));
  expect([wide.leaves.length, wide.isWhole]).toEqual([1_999, true]);
  const wider = leavesOf(JSON.stringify(Array.from({ length: 2_000 }, (_, index) => index)));
  expect([wider.leaves.length, wider.isWhole]).toEqual([1_999, false]);
  const deep = leavesOf(`${'['.repeat(40)}1${']'.repeat(40)}`);
  expect(deep.leaves).toMatchObject([{ path: `$${'[0]'.repeat(32)}`, type: 'json' }]);
  const longName = leavesOf(JSON.stringify({ ['x'.repeat(500)]: 1, a: 2 }));
  expect(longName).toMatchObject({ leaves: [{ path: '$.a' }], isWhole: false });
});

test('a large answer of one shape takes no longer than its first 2,000 values need', () => {
  const item: Json = { id: 1, 'a name': { text: 'x', list: ['a', 'b'] } };
  const document: Json = Array.from({ length: 50_000 }, () => item);
  expect(cpuMsOf(() => listLeaves(document))).toBeLessThan(2_000);
});
