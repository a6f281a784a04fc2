import { assert, constantFrom, property } from 'fast-check';
import { expect, test } from 'vitest';
import { isObject } from '../../../src/shared/flows/raw-blocks.ts';
import type { AnyDefinition } from '../../../src/web/pages/flows/definition-text.ts';
import { isTwofold, beginWith, edit, keepTwo, rebase, undo } from '../../../src/web/pages/flows/draft/state.ts';
import { findBlock } from '../../../src/web/pages/flows/edits/blocks.ts';
import { keepBoth } from '../../../src/web/pages/flows/edits/keep-both.ts';
import { idOf, idsOf, listOf } from '../../../src/web/pages/flows/edits/order.ts';
import { exitOf, portsOf } from '../../../src/web/pages/flows/edits/ports.ts';

const send = (id: string, text: string, next?: object) => ({
  id,
  type: 'send',
  messages: [{ text }],
  ...(next && { next }),
});

const aDraft = (...blocks: object[]): AnyDefinition => ({ schema_version: 1, start: 'a', triggers: [], blocks });

/** Where the main ports of a definition lead, also as what follows. */
const wires = (definition: AnyDefinition): Record<string, string> =>
  Object.fromEntries(
    listOf(definition).flatMap((entry, index, list) => {
      const [port] = isObject(entry) ? portsOf(entry) : [];
      if (!isObject(entry) || !port) return [];
      const exit = exitOf(entry, port, idOf(list[index + 1]));
      return [[idOf(entry) ?? '', 'to' in exit ? exit.to : exit.end]];
    }),
  );

const base = aDraft(send('a', 'A', { default: null }), send('b', 'B', { default: null }), send('c', 'C'));

const mine = aDraft(
  send('a', 'A', { default: 'new' }),
  send('b', 'B', { default: null }),
  send('new', 'Mine'),
  send('c', 'C'),
);

const theirs = aDraft(
  send('a', 'A', { default: null }),
  send('b', 'B', { default: 'new' }),
  send('c', 'C'),
  send('new', 'Theirs'),
);

const step = { label: 'step' };

/** A draft after both have added a block under one id. */
const conflicted = () => {
  const begun = beginWith({ revision: 1, definition: base });
  const edited = edit(begun, { step, change: () => mine, at: 0 });
  return rebase(edited, { revision: 2, definition: theirs });
};

test('a block that two added under one id is kept twice, each with the wires that its author drew', () => {
  const state = conflicted();
  expect(state.conflicts.map((one) => [one.part, isTwofold(state, one)])).toEqual([['block:new', true]]);
  const both = keepTwo(state, { part: 'block:new', step, at: 1 });
  expect(both.conflicts).toEqual([]);
  expect(wires(both.definition)).toEqual({ a: 'new_2', b: 'new', c: 'new', new: 'completes', new_2: 'completes' });
  expect(findBlock(both.definition, 'new_2')).toMatchObject({ messages: [{ text: 'Mine' }] });
  expect(findBlock(both.definition, 'new')).toMatchObject({ messages: [{ text: 'Theirs' }] });
  expect(undo(both).definition).toEqual(state.definition);
});

test('of two versions kept as two blocks each stands where its author put it, and never over the other', () => {
  const at = (x: number, of: AnyDefinition): AnyDefinition => ({ ...of, ui: { positions: { new: { x, y: 0 } } } });
  const block = { id: 'new', theirs: send('new', 'Theirs') };
  const apart = keepBoth(at(7, mine), { ...block, stored: at(300, theirs) });
  expect(apart['ui']).toEqual({ positions: { new: { x: 300, y: 0 }, new_2: { x: 7, y: 0 } } });
  const same = keepBoth(at(7, mine), { ...block, stored: at(7, theirs) });
  expect(same['ui']).toEqual({ positions: { new: { x: 7, y: 0 }, new_2: { x: 47, y: 40 } } });
});

test('a flow that begins with the own version begins with it under its new id', () => {
  const begun = { ...mine, start: 'new' };
  expect(keepBoth(begun, { id: 'new', theirs: send('new', 'T'), stored: theirs })['start']).toBe('new_2');
  const both = { ...theirs, start: 'new' };
  expect(keepBoth(begun, { id: 'new', theirs: send('new', 'T'), stored: both })['start']).toBe('new');
});

test('keeping both loses no block and leaves no wire that led to a block without one', () => {
  const id = constantFrom('a', 'b', 'c', 'new');
  assert(
    property(id, id, id, (from, to, start) => {
      const own = {
        ...mine,
        start,
        blocks: listOf(mine).map((entry) => (idOf(entry) === from ? send(from, 'X', { default: to }) : entry)),
      };
      const kept = keepBoth(own, { id: 'new', theirs: send('new', 'Theirs'), stored: theirs });
      expect(idsOf(kept)).toEqual(new Set(['a', 'b', 'c', 'new', 'new_2']));
      const ids = new Set([...idsOf(kept), 'completes']);
      expect(Object.values(wires(kept)).filter((leads) => !ids.has(leads))).toEqual([]);
    }),
  );
});

test('a full flow keeps one version only', () => {
  const full = { ...mine, blocks: [...listOf(mine), ...Array.from({ length: 500 }, (_, n) => send(`x${n}`, ''))] };
  expect(isTwofold({ definition: full }, { part: 'block:new', theirs: send('new', 'T') })).toBe(false);
  expect(keepBoth(full, { id: 'new', theirs: send('new', 'T'), stored: theirs })).toBe(full);
});
