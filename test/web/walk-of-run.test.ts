import { expect, it } from 'vitest';
import { walkOf } from '../../src/web/pages/runs/walk-of.ts';

const step = (reason: string | null) => ({ block_id: 'ask_shop', port: 'next', reason });
const went = { port: 'next', reason: null };

it.each([
  { steps: [step('timeout')], state: 'failed' },
  { steps: [step('timeout'), step(null)], state: 'entered' },
  { steps: [step(null), step('timeout')], state: 'failed' },
  { steps: [step('timeout'), { block_id: 'thanks', ...went }, step('cancelled')], state: 'entered' },
])('a block on the drawing of a run is $state by its last visit', ({ steps, state }) => {
  expect(walkOf({ status: 'completed', block_id: null }, steps).stateOf('ask_shop')).toBe(state);
});
