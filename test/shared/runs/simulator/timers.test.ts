import { describe, expect, test } from 'vitest';
import type { FlowBlocks } from '../../../helpers/live-flows.ts';
import { simulated } from '../../../helpers/simulations.ts';
import type { SimulatedInput } from '../../../../src/shared/runs/simulator/simulation.ts';

const hourMs = 3_600_000;
const text = (said: string) => ({ type: 'text', text: said }) as const;
const after = (ms: number) => ({ type: 'after', ms }) as const;
const end = { default: null, failed: null };

/** The first run waits for what the second one does: so the second one begins to wait for its time before it does. */
const waits: Readonly<Record<string, object>> = {
  delay: { type: 'delay', for: 'PT1H', next: { default: 'done' } },
  wait_event: { type: 'wait_event', event: 'order_placed', timeout: 'PT1H', next: { received: null, timeout: 'done' } },
};

describe('timers due at the same time fire in the order in which their waits began', () => {
  test.each(Object.entries(waits))('at %s', async (_, wait) => {
    const rules = [{ field: 'event.tag.name', op: 'is', value: 'vip' }];
    const blocks: FlowBlocks = [
      {
        id: 'first',
        type: 'condition',
        rules: [{ field: 'tags', op: 'has_tag', value: 'begun' }],
        next: { true: 'tag', false: 'begun' },
      },
      { id: 'begun', type: 'add_tag', tag: 'begun' },
      { id: 'vip', type: 'wait_event', event: 'tag_applied', rules, next: { received: 'wait', timeout: null } },
      { id: 'tag', type: 'add_tag', tag: 'vip', next: { default: 'wait' } },
      { ...wait, id: 'wait', type: String(Object(wait).type) },
      { id: 'done', type: 'send', messages: [{ text: 'done' }], next: end },
    ];
    const inputs: SimulatedInput[] = [text('go'), after(2 * hourMs)];
    const rest = { reentry: 'allow', triggers: [{ type: 'keyword', match: 'exact', words: ['go'] }] };
    const { messages } = await simulated({ blocks, rest, inputs });
    expect(messages.map(({ run }) => run)).toEqual([2, 1]);
  });
});
