import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { equal } from '../../../src/web/pages/flows/draft/equal.ts';
import { beginWith, edit, rebase, redo, undo, type DraftState } from '../../../src/web/pages/flows/draft/state.ts';
import { mostSteps } from '../../../src/web/pages/flows/draft/steps.ts';
import { aSmallFlow, intents } from './definitions.ts';

const begin = (): DraftState => beginWith({ revision: 1, definition: aSmallFlow() });

const say = (state: DraftState, text: string, { at, gesture }: { at: number; gesture?: string }): DraftState =>
  edit(state, { step: { label: text, ...(gesture && { gesture }) }, change: (now) => ({ ...now, text }), at });

test('as many undos as steps bring back the start, and as many redos the end', () => {
  fc.assert(
    fc.property(fc.array(intents, { maxLength: 60, size: 'max' }), (all) => {
      const start = begin();
      let state = start;
      all.forEach(({ name, change }, at) => (state = edit(state, { step: { label: name }, change, at })));
      const end = state.definition;
      const steps = state.history.done.length;
      for (let count = 0; count < steps; count += 1) state = undo(state);
      expect(equal(state.definition, start.definition)).toBe(true);
      expect(undo(state).definition).toBe(state.definition);
      for (let count = 0; count < steps; count += 1) state = redo(state);
      expect(equal(state.definition, end)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('a gesture is one step until another one, a pause or an undo comes between', () => {
  let state = say(begin(), 'a', { at: 0, gesture: 'text' });
  state = say(state, 'ab', { at: 900, gesture: 'text' });
  state = say(state, 'abc', { at: 1_800, gesture: 'text' });
  expect(state.history.done).toHaveLength(1);
  state = say(state, 'abcd', { at: 2_800, gesture: 'text' });
  expect(state.history.done).toHaveLength(2);
  state = say(undo(state), 'abce', { at: 2_900, gesture: 'text' });
  expect(state.history.done).toHaveLength(2);
  state = say(state, 'abc', { at: 3_000, gesture: 'text' });
  expect(state.history.done, 'a gesture that comes back to its beginning is none').toHaveLength(1);
});

test('no more than 100 steps are kept, the latest ones', () => {
  let state = begin();
  for (let count = 0; count <= mostSteps; count += 1) state = say(state, `${count}`, { at: count });
  for (let count = 0; count <= mostSteps; count += 1) state = undo(state);
  expect(state.definition['text']).toBe('0');
});

test('undo leaves what others have changed meanwhile, also in the same block', () => {
  const mine = edit(begin(), {
    step: { label: 'mine' },
    change: (now) => ({ ...now, blocks: [{ id: 'ask', type: 'ask', text: 'Mine?' }] }),
    at: 0,
  });
  const theirs = {
    ...mine.definition,
    blocks: [{ id: 'ask', type: 'ask', text: 'Mine?', note: 'theirs' }, { id: 'new' }],
  };
  const merged = rebase(
    { ...mine, base: { revision: 2, definition: mine.definition } },
    { revision: 3, definition: theirs },
  );
  expect(undo(merged).definition['blocks']).toEqual([
    { id: 'ask', type: 'ask', text: 'Well?', note: 'theirs' },
    { id: 'stock', type: 'external_request', text: 'GET' },
    { id: 'answer', type: 'send', text: 'Hello' },
    { id: 'new' },
  ]);
});
