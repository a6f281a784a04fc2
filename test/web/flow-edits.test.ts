import {
  array,
  assert,
  constantFrom,
  integer,
  option,
  oneof,
  property,
  record,
  string,
  tuple,
  type Arbitrary,
} from 'fast-check';
import { expect, test } from 'vitest';
import { blocks as kinds } from '../../src/shared/flows/blocks/index.ts';
import type { RawBlock } from '../../src/shared/flows/raw-blocks.ts';
import type { AnyDefinition } from '../../src/web/pages/flows/definition-text.ts';
import { addBlock, insertBlock } from '../../src/web/pages/flows/edits/add.ts';
import { blocksOf, findBlock } from '../../src/web/pages/flows/edits/blocks.ts';
import { connect, disconnect } from '../../src/web/pages/flows/edits/connect.ts';
import { copyBlocks, pasteBlocks, readCopied } from '../../src/web/pages/flows/edits/copy.ts';
import { freshId } from '../../src/web/pages/flows/edits/ids.ts';
import { moveBlocks } from '../../src/web/pages/flows/edits/move.ts';
import { newBlock } from '../../src/web/pages/flows/edits/new-block.ts';
import { idOf, idsOf, listOf } from '../../src/web/pages/flows/edits/order.ts';
import { exitOf, portsOf } from '../../src/web/pages/flows/edits/ports.ts';
import { removeBlocks } from '../../src/web/pages/flows/edits/remove.ts';

const types = kinds.map(({ type }) => type);

/** Where every port of every block leads: "a default → b". */
const exits = (definition: AnyDefinition): string[] => {
  const list = listOf(definition);
  return blocksOf(definition).flatMap((block) =>
    portsOf(block).map((port) => {
      const exit = exitOf(block, port, idOf(list[list.indexOf(block) + 1]));
      return `${String(block['id'])} ${port.name} → ${'to' in exit ? exit.to : exit.end}`;
    }),
  );
};

/** The ports that lead to a block that is not there. */
const lost = (definition: AnyDefinition): string[] => {
  const ids = idsOf(definition);
  const ends = new Set(['completes', 'fails', 'open']);
  return exits(definition).filter((exit) => {
    const to = exit.split(' → ')[1] ?? '';
    return !ids.has(to) && !ends.has(to);
  });
};

const send = (id: string, next?: object): RawBlock => ({
  id,
  type: 'send',
  messages: [{ text: id }],
  ...(next && { next }),
});

const aDraft = (...blocks: RawBlock[]): AnyDefinition => ({ schema_version: 1, start: 'a', blocks });

const line = aDraft(send('a'), send('b'), send('c'));

test('a block that is added after a port takes its wire, and leads on to where the wire led', () => {
  const added = addBlock(line, { block: newBlock('add_tag', 'add_tag'), after: { from: 'a', port: 'default' } });
  expect(blocksOf(added).map((block) => block['id'])).toEqual(['a', 'add_tag', 'b', 'c']);
  expect(exits(added)).toEqual([
    'a default → add_tag',
    'a failed → fails',
    'add_tag default → b',
    'b default → c',
    'b failed → fails',
    'c default → completes',
    'c failed → fails',
  ]);
});

test('a block that is added at an open port ends the run after it, whatever follows in the list', () => {
  const added = addBlock(line, { block: send('sorry'), after: { from: 'a', port: 'failed' } });
  expect(exits(added)).toContain('sorry default → completes');
  expect(exits(added)).toContain('a default → b');
  expect(exits(added)).toContain('a failed → sorry');
});

test('a block that is added by itself changes no wire, and begins a flow that is empty', () => {
  const added = addBlock(line, { block: send('d') });
  expect(exits(added)).toContain('c default → completes');
  expect(addBlock({ schema_version: 1, blocks: [] }, { block: send('d') })).toMatchObject({ start: 'd' });
  const first = addBlock(line, { block: send('d'), after: { from: undefined, port: 'start' } });
  expect(first['start']).toBe('d');
  expect(exits(first)).toContain('d default → a');
});

test('removing a block heals its wire, and forgets where it stood', () => {
  const placed = moveBlocks(
    line,
    new Map([
      ['b', { x: 1.4, y: 2 }],
      ['c', { x: 3, y: 4 }],
    ]),
  );
  const removed = removeBlocks(placed, new Set(['b']));
  expect(exits(removed)).toEqual(['a default → c', 'a failed → fails', 'c default → completes', 'c failed → fails']);
  expect(removed['ui']).toEqual({ positions: { c: { x: 3, y: 4 } } });
  expect(removeBlocks(line, new Set(['a']))['start']).toBe('b');
  expect(removeBlocks(line, new Set(['a', 'b', 'c']))).toEqual({ schema_version: 1, blocks: [] });
});

test('removing blocks that lead to each other in a circle ends what led to them', () => {
  const circle = aDraft(send('a'), send('b'), send('c', { default: 'b' }), { id: 'd', type: 'goto', block: 'c' });
  const removed = removeBlocks(circle, new Set(['b', 'c']));
  expect(exits(removed)).toEqual(['a default → completes', 'a failed → fails', 'd default → open']);
});

test('a wire that is taken away leads nowhere, also where a block follows', () => {
  const cut = disconnect(line, { from: 'a', port: 'default' });
  expect(exits(cut)).toContain('a default → completes');
  const jump = aDraft({ id: 'a', type: 'goto', block: 'b' }, send('b'));
  expect(exits(disconnect(jump, { from: 'a', port: 'default' }))).toContain('a default → open');
  expect(exits(connect(jump, { from: 'a', port: 'default', to: 'a' }))).toContain('a default → a');
  const failing = connect(line, { from: 'a', port: 'failed', to: 'c' });
  expect(exits(failing)).toContain('a failed → c');
  expect(disconnect(failing, { from: 'a', port: 'failed' })).toEqual(line);
});

test('a block that is dropped on a wire stands in it', () => {
  const dropped = insertBlock(aDraft(send('a'), send('b', { default: null }), send('c', { default: null })), {
    id: 'c',
    into: { from: 'a', port: 'default' },
  });
  expect(exits(dropped)).toEqual(expect.arrayContaining(['a default → c', 'c default → b', 'b default → completes']));
});

test('ids come from what is wanted, with the first number that is free', () => {
  expect(freshId('send', new Set())).toBe('send');
  expect(freshId('send', new Set(['send', 'send_2']))).toBe('send_3');
  expect(freshId('send_2', new Set(['send_2']))).toBe('send_3');
  expect(freshId('a b', new Set())).toBe('a_b');
  expect(freshId('x'.repeat(64), new Set(['x'.repeat(64)]))).toHaveLength(61);
});

test('pasted blocks have ids of their own, keep the wires among them, and no other', () => {
  const copied = copyBlocks(line, new Set(['a', 'b']), {
    places: new Map([
      ['a', { x: 10, y: 20 }],
      ['b', { x: 30, y: 50 }],
    ]),
  });
  const read = readCopied(JSON.stringify(copied));
  if (!('copied' in read)) throw new Error('what is copied can be read');
  const { definition, ids } = pasteBlocks(line, read.copied, { at: { x: 100, y: 100 } });
  expect(ids).toEqual(['a_2', 'b_2']);
  expect(exits(definition)).toEqual([
    ...exits(line),
    'a_2 default → b_2',
    'a_2 failed → fails',
    'b_2 default → completes',
    'b_2 failed → fails',
  ]);
  expect(definition['ui']).toEqual({ positions: { a_2: { x: 100, y: 100 }, b_2: { x: 120, y: 130 } } });
});

const hostile: readonly [string, string, string][] = [
  ['no JSON', 'Hello', 'none'],
  ['other JSON', '{"blocks": []}', 'none'],
  ['half of it', '{"parley_blocks": 1, "blocks": [', 'broken'],
  ['no blocks', '{"parley_blocks": 1, "blocks": [], "positions": {}, "flows": {}}', 'broken'],
  [
    'an id that is none',
    '{"parley_blocks": 1, "blocks": [{"id": "a b", "type": "end"}], "positions": {}, "flows": {}}',
    'broken',
  ],
  ['a block that is none', '{"parley_blocks": 1, "blocks": [null], "positions": {}, "flows": {}}', 'broken'],
  ['a newer version', '{"parley_blocks": 2, "blocks": []}', 'newer'],
  [
    'too many blocks',
    JSON.stringify({
      parley_blocks: 1,
      blocks: Array.from({ length: 501 }, (_, id) => ({ id: `b${id}`, type: 'end' })),
      positions: {},
      flows: {},
    }),
    'too_large',
  ],
  ['a text that is too long', `{"parley_blocks": 1, "x": "${'x'.repeat(1_048_576)}"}`, 'too_large'],
];

test.each(hostile)('a text of the clipboard that is %s is refused', (_, text, refusal) => {
  expect(readCopied(text)).toEqual({ refusal });
});

const anId = constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'gone');

const aBlock: Arbitrary<RawBlock> = record({
  id: anId,
  type: oneof(constantFrom(...types), string({ maxLength: 5 })),
  isNew: integer({ min: 0, max: 3 }),
  next: option(
    array(tuple(constantFrom('default', 'failed', 'answered', 'true', 'false', 'success', 'a'), option(anId)), {
      maxLength: 3,
    }),
  ),
  to: anId,
}).map(({ id, type, isNew, next, to }) => ({
  ...(isNew > 0 ? newBlock(type, id) : { id, type }),
  ...(type === 'goto' && { block: to }),
  ...(type === 'send' && { messages: [{ text: 'Hi' }] }),
  ...(next && { next: Object.fromEntries(next) }),
}));

const aDefinition: Arbitrary<AnyDefinition> = record({ blocks: array(aBlock, { maxLength: 7 }), start: anId }).map(
  ({ blocks, start }) => {
    const seen = new Set<unknown>();
    const once = blocks.filter(({ id }) => !seen.has(id) && id !== 'gone' && seen.add(id));
    return { schema_version: 1, start, blocks: once };
  },
);

const origins = (definition: AnyDefinition) =>
  blocksOf(definition).flatMap((block) =>
    portsOf(block).map(({ name }) => ({ from: String(block['id']), port: name })),
  );

/** Any edit of a draft, with the blocks and the ports that it is about. */
const edits: Readonly<
  Record<string, (definition: AnyDefinition, pick: number) => { after: AnyDefinition; changed: string[] }>
> = {
  add: (definition, pick) => {
    const all = origins(definition);
    const origin = all[pick % Math.max(all.length, 1)];
    const block = newBlock(types[pick % types.length] ?? '', freshId('new', idsOf(definition)));
    return {
      after: addBlock(definition, { block, after: origin }),
      changed: origin ? [`${origin.from} ${origin.port} `, 'new '] : ['new '],
    };
  },
  remove: (definition, pick) => {
    const ids = [...idsOf(definition)].filter((_, index) => (pick >> index) % 2 === 1);
    const led = exits(definition).filter((exit) => ids.includes(exit.split(' → ')[1] ?? ''));
    return {
      after: removeBlocks(definition, new Set(ids)),
      changed: [...ids.map((id) => `${id} `), ...led.map((exit) => `${exit.split(' → ')[0] ?? ''} `)],
    };
  },
  cut: (definition, pick) => {
    const all = origins(definition);
    const origin = all[pick % Math.max(all.length, 1)];
    if (!origin) return { after: definition, changed: [] };
    const wired = insertBlock(definition, { id: [...idsOf(definition)][pick % 3] ?? '', into: origin });
    return {
      after: disconnect(wired, origin),
      changed: origins(definition).map(({ from, port }) => `${from} ${port} `),
    };
  },
  paste: (definition, pick) => {
    const ids = new Set([...idsOf(definition)].filter((_, index) => (pick >> index) % 2 === 1));
    const copied = copyBlocks(definition, ids, { places: new Map() });
    const { definition: after, ids: pasted } = pasteBlocks(definition, copied, { at: { x: 0, y: 0 } });
    return { after, changed: pasted.map((id) => `${id} `) };
  },
};

test.each(Object.keys(edits))(
  '%s: no wire leads to nowhere that did not, and no other port changes its way',
  (name) => {
    assert(
      property(aDefinition, integer({ min: 0, max: 200 }), (definition, pick) => {
        const { after, changed } = edits[name]?.(definition, pick) ?? { after: definition, changed: [] };
        const before = exits(definition);
        expect(lost(definition)).toEqual(expect.arrayContaining(lost(after)));
        const others = (list: string[]) => list.filter((exit) => !changed.some((start) => exit.startsWith(start)));
        expect(others(exits(after)).toSorted()).toEqual(others(before).toSorted());
        expect(idsOf(after).size).toBe(blocksOf(after).length);
        // What is read of a block is kept by its object, so that one which nothing happened to stays the same.
        const isFollowed = (of: AnyDefinition, id: string) =>
          idOf(listOf(of)[listOf(of).findIndex((entry) => idOf(entry) === id) + 1]);
        const untouched = blocksOf(definition).filter(({ id }) => {
          const isTouched = changed.some((start) => start.startsWith(`${String(id)} `));
          return !isTouched && isFollowed(definition, String(id)) === isFollowed(after, String(id));
        });
        expect(untouched.filter((block) => findBlock(after, String(block['id'])) !== block)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  },
);
