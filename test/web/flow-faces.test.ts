import { expect, test } from 'vitest';
import { faceOf } from '../../src/web/pages/flows/drawing/face.ts';
import { layOut, placeAround } from '../../src/web/pages/flows/drawing/layout.ts';
import { sayBlock } from '../../src/web/pages/flows/drawing/say-block.ts';
import { readFlow, type Way } from '../../src/web/pages/flows/drawing/read-flow.ts';

const read = (blocks: readonly unknown[], rest = {}) => readFlow({ start: 'a', blocks, ...rest });

const whereOf = (way: Way): string =>
  `${way.port} ${'to' in way ? way.to : 'end' in way ? way.end : `missing ${way.missing}`}`;

const table: readonly [string, object, readonly string[]][] = [
  [
    'what follows, and an error that fails',
    { type: 'send', messages: [{ text: 'Hi' }] },
    ['default id:b', 'failed fails'],
  ],
  [
    'what is said',
    { type: 'send', messages: [{ text: 'Hi' }], next: { default: null, failed: 'b' } },
    ['default completes', 'failed id:b'],
  ],
  [
    'a block that is missing, and itself',
    { type: 'send', messages: [], next: { default: 'no', failed: 'a' } },
    ['default missing no', 'failed again'],
  ],
  ['a false way that leads nowhere', { type: 'condition', rules: [] }, ['true id:b', 'false open']],
  [
    'ports of a block that is half finished',
    { type: 'external_request' },
    ['success id:b', 'error fails', 'timeout fails'],
  ],
  ['ports that follow from what is not there yet', { type: 'split', next: { a: 'b' } }, ['a id:b']],
  ['a jump', { type: 'goto', block: 'b' }, ['default id:b']],
  ['a jump without a target', { type: 'goto' }, ['default open']],
  ['an end', { type: 'end' }, []],
  ['an unknown type', { type: 'asks', next: { default: 'b' } }, ['default id:b']],
  ['no type', {}, []],
];

test.each(table)('a drawn block has a way for each port: %s', (_, block, ways) => {
  const { blocks } = read([
    { id: 'a', ...block },
    { id: 'b', type: 'end' },
  ]);
  expect(blocks[0]?.ways.map(whereOf)).toEqual(ways);
});

test('a drawn block stays the same object until it or a way of it changes', () => {
  const [a, b, c] = [
    { id: 'a', type: 'add_tag', tag: 'x' },
    { id: 'b', type: 'end' },
    { id: 'c', type: 'end' },
  ];
  const before = read([a, b, c]).blocks;
  const after = read([a, { ...b, name: 'End' }, c]).blocks;
  expect([after[0] === before[0], after[1] === before[1], after[2] === before[2]]).toEqual([true, false, true]);
  expect(read([a, c]).blocks[0]).not.toBe(before[0]);
});

test('whatever stands in a definition is read without an error', () => {
  for (const definition of [
    {},
    { blocks: 3 },
    { blocks: [null, 'x', [], { id: 5 }, { id: 'a' }, { id: 'a', type: {} }, { id: '__proto__', type: 'split' }] },
    { start: [], blocks: [{ id: 'a', type: 'send', messages: 'x', next: [] }], ui: { positions: [{ x: 1 }] } },
    { blocks: [{ id: 'a', type: 'end' }], ui: { positions: { a: { x: Number.NaN, y: 1e9 } } }, triggers: [{}, null] },
  ]) {
    const flow = readFlow(definition);
    expect(flow.positions.size).toBe(0);
    for (const block of flow.blocks) expect(faceOf(block).height).toBeGreaterThan(40);
  }
});

test('a face shows a message in up to three lines, and of many choices how many more there are', () => {
  const choices = Array.from({ length: 9 }, (_, index) => `Choice ${index}`);
  const { blocks } = read([
    { id: 'a', type: 'ask', prompt: 'x'.repeat(4_000), expects: 'choice', choices, save_to: 'size' },
  ]);
  const { parts } = faceOf(blocks[0] ?? { key: '', id: '', type: '', raw: {}, ways: [] });
  expect(parts.map((part) => (part.type === 'message' ? part.lines : 'text' in part ? part.text : ''))).toEqual([
    3,
    ...choices.slice(0, 6),
    '+3 more',
    '→ size',
  ]);
});

test('blocks that somebody has placed stay there, and the others stand around them without overlapping', () => {
  const keys = Array.from({ length: 30 }, (_, index) => `id:${index}`);
  const sketch = {
    boxes: keys.map((key) => [key, 272, 120] as const),
    wires: keys.slice(1).map((key, index) => [keys[Math.floor(index / 2)] ?? '', key, 1] as const),
  };
  const placed = new Map([
    ['id:3', { x: 0, y: 0 }],
    ['id:9', { x: 40, y: 500 }],
  ]);
  const places = placeAround(sketch, layOut(sketch), placed);
  expect(places.get('id:3')).toEqual({ x: 0, y: 0 });
  expect(places.get('id:9')).toEqual({ x: 40, y: 500 });
  const all = [...places.values()];
  expect(all).toHaveLength(30);
  const overlapping = all.filter((one, index) =>
    all.slice(index + 1).some((other) => Math.abs(one.x - other.x) < 272 && Math.abs(one.y - other.y) < 120),
  );
  expect(overlapping).toEqual([]);
});

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
  'a block is drawn also where its type or operator is the name of what every object has: %s',
  (name) => {
    const raw = {
      id: 'a',
      type: name,
      rules: [{ field: 'size', op: name, value: 'M' }],
      field: 'size',
      op: name,
      value: 1,
    };
    const [block] = read([raw]).blocks;
    expect(block && faceOf(block).parts).toEqual([{ type: 'does' }]);
    const says = (type: string) => sayBlock(type, raw, { flow: (id) => id });
    expect([says(name), says('set_field')]).toEqual(['', 'size = 1']);
    expect(says('condition')).toBe(`size ${name.replaceAll('_', ' ')} M`);
  },
);
