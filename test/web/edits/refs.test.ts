import { expect, test } from 'vitest';
import { changeBlock, findBlock } from '../../../src/web/pages/flows/edits/blocks.ts';
import { connect } from '../../../src/web/pages/flows/edits/connect.ts';
import { freshIdOf } from '../../../src/web/pages/flows/edits/ids.ts';
import { indexOf, isId, refsOf } from '../../../src/web/pages/flows/edits/refs.ts';
import { removeBlocks } from '../../../src/web/pages/flows/edits/remove.ts';
import { findBlockOf } from '../../../src/web/pages/flows/panel/problems/fix.ts';

const end = (id?: unknown, rest: object = {}) => ({ ...(id !== undefined && { id }), type: 'end', ...rest });

/** Blocks of which only the first and the last have an id of their own. */
const odd = {
  start: 'a',
  blocks: [
    { id: 'a', type: 'send', messages: [{ text: 'One' }], next: { default: 'z' } },
    { id: 'a', type: 'send', messages: [{ text: 'Two' }], next: { default: 'z' } },
    end(),
    end(''),
    end('@start'),
    end(7),
    null,
    end('z'),
  ],
};

test('each block of a half-finished draft has a name of its own, which finds this very block', () => {
  const refs = refsOf(odd);
  expect(refs).toEqual(['a', '@place:1', '@place:2', '@place:3', '@place:4', '@place:5', '@place:6', 'z']);
  for (const [index, ref] of refs.entries()) {
    expect(indexOf(odd, ref)).toBe(index);
    expect(findBlock(odd, ref) ?? null).toBe(odd.blocks[index]);
  }
  expect(refs.filter(isId)).toEqual(['a', 'z']);
  expect(indexOf(odd, '@start')).toBe(-1);
  expect(refsOf({})).toEqual([]);
});

test('an edit of the second block of an id changes that one, and leaves the first alone', () => {
  const renamed = changeBlock(odd, '@place:1', (block) => ({ ...block, name: 'Second' }));
  expect(renamed.blocks).toEqual(odd.blocks.with(1, { ...odd.blocks[1], name: 'Second' } as never));
  const led = connect(odd, { from: '@place:1', port: 'default', to: null });
  expect(led.blocks).toEqual(odd.blocks.with(1, { ...odd.blocks[1], next: { default: null } } as never));
});

test('deleting the second block of an id keeps the first, and what leads to it', () => {
  const left = removeBlocks(odd, new Set(['@place:1', '@place:2']));
  expect(left).toEqual({ ...odd, blocks: odd.blocks.toSpliced(1, 2) });
});

test('deleting the first block of an id keeps the second, and the flow begins where it led', () => {
  const left = removeBlocks(odd, new Set(['a']));
  expect(left).toEqual({ ...odd, start: 'z', blocks: odd.blocks.slice(1) });
});

test('a problem of a doubled id leads to the block at its place, also after the list has changed', () => {
  const second = { block_id: 'a', path: 'blocks.1.messages.0.text' };
  expect(findBlockOf(odd, second)).toBe('@place:1');
  expect(findBlockOf(odd, { block_id: 'a', path: 'blocks.0' })).toBe('a');
  expect(findBlockOf(odd, { block_id: null, path: 'blocks.2.id' })).toBe('@place:2');
  expect(findBlockOf({ ...odd, blocks: odd.blocks.slice(1) }, { block_id: 'z', path: 'blocks.7' })).toBe('z');
  expect(findBlockOf(odd, { block_id: 'gone', path: 'blocks.1' })).toBeUndefined();
  expect(findBlockOf(odd, { block_id: null, path: 'start' })).toBeUndefined();
});

test('a block without an id of its own is given a free one, after its id or its type', () => {
  expect(freshIdOf(odd, 1)).toBe('a_2');
  expect(freshIdOf(odd, 2)).toBe('end');
  expect(freshIdOf(odd, 6)).toBe('block');
});
