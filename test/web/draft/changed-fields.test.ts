import { expect, test } from 'vitest';
import { changedFields } from '../../../src/web/pages/flows/compare/changed-fields.ts';
import { differencesOf, withRemoved } from '../../../src/web/pages/flows/compare/differences.ts';
import { readFlow } from '../../../src/web/pages/flows/drawing/read-flow.ts';

test('two versions of a block are told by the fields that differ, within lists of the same length', () => {
  const before = { id: 'a', messages: [{ text: 'Hi' }, { text: 'Same' }], next: { default: 'b' }, tags: ['x'] };
  const after = { id: 'a', messages: [{ text: 'Hello' }, { text: 'Same' }], tags: ['x', 'y'], url: '/' };
  expect(changedFields(before, after)).toEqual([
    { path: 'messages.1.text', before: 'Hi', after: 'Hello' },
    { path: 'next', before: { default: 'b' }, after: undefined },
    { path: 'tags', before: ['x'], after: ['x', 'y'] },
    { path: 'url', before: undefined, after: '/' },
  ]);
  expect(changedFields(undefined, after)).toEqual([{ path: '', before: undefined, after }]);
});

test('differences name added, removed and changed blocks, and moved places once', () => {
  const before = { blocks: [{ id: 'a' }, { id: 'b' }], ui: { positions: { a: { x: 1 }, b: { x: 2 } } } };
  const after = { blocks: [{ id: 'c' }, { id: 'a', text: 'now' }], ui: { positions: { a: { x: 3 }, c: { x: 4 } } } };
  expect(differencesOf(before, after).map(({ part, kind }) => [part, kind])).toEqual([
    ['block:c', 'added'],
    ['block:a', 'changed'],
    ['position:a', 'changed'],
    ['block:b', 'removed'],
  ]);
  expect(withRemoved(before, after)['blocks']).toEqual([{ id: 'c' }, { id: 'a', text: 'now' }, { id: 'b' }]);
  expect(differencesOf(before, { ...before, blocks: before.blocks.toReversed() }).map(({ part }) => part)).toEqual([
    'order',
  ]);
});

test('a removed block is drawn with the wire that it had, also where only its place in the list said it', () => {
  const send = (id: string) => ({ id, type: 'send', messages: [{ text: id }] });
  const before = { blocks: [send('a'), send('gone'), send('b'), send('also_gone')] };
  const after = { blocks: [send('a'), send('b')] };
  const { blocks } = readFlow(withRemoved(before, after));
  const ways = Object.fromEntries(blocks.map(({ id, ways: [way] }) => [id, way]));
  expect(ways).toEqual({
    a: { port: 'default', to: 'id:b' },
    b: { port: 'default', end: 'completes' },
    gone: { port: 'default', to: 'id:b' },
    also_gone: { port: 'default', end: 'completes' },
  });
});
