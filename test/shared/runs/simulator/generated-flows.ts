import * as fc from 'fast-check';
import type { FlowBlocks } from '../../../helpers/live-flows.ts';
import { generatedBlock, tag } from './generated-blocks.ts';

/** What an act does: what a contact says, a tag that it gets, the next timer, or the end of its handover. */
export type Act =
  | { type: 'says'; text: string }
  | { type: 'tag'; name: string }
  | { type: 'timer' | 'resolve' | 'shares' };

/** A flow of blocks of all types that need no other flow. */
export type GeneratedFlow = { blocks: FlowBlocks; triggers: object[]; reentry: 'one_active' | 'allow' };

/** When all begins, near a change of clocks, and for how long automation is paused for the contact then. */
export type Beginning = { at: string; pausedForMs: number };

export const generatedBeginning: fc.Arbitrary<Beginning> = fc.record({
  at: fc.constantFrom('2027-03-13T16:40:00Z', '2027-03-27T21:10:00Z', '2027-07-07T11:30:00Z', '2027-10-29T23:50:00Z'),
  pausedForMs: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.constantFrom(2_460_000, 97_260_000)),
});

const portsOf: Readonly<Record<string, readonly string[]>> = {
  send: ['default', 'failed'],
  ask: ['answered', 'invalid', 'timeout', 'failed'],
  condition: ['true', 'false'],
  split: ['a', 'b'],
  external_request: ['success', 'error', 'timeout'],
  wait_event: ['received', 'timeout'],
  handover: ['resolved', 'timeout'],
  end: [],
};

type AnyBlock = { type: string; wait?: boolean; until?: string };

/** A handover that nobody waits for has no time that is up. */
const portsOfBlock = ({ type, wait }: AnyBlock): readonly string[] =>
  type === 'handover' && wait === false ? ['resolved'] : (portsOf[type] ?? ['default']);

const waiting = new Set(['ask', 'delay', 'wait_event']);

/**
 * Blocks that do not wait lead only forward, and so do failures, so that no circle is without a wait. Few of those that wait for a date do: a circle
 * with one that has passed ends by a guard, after thousands of steps. `places` say where each port leads.
 */
const place = (blocks: readonly AnyBlock[], places: readonly number[]): FlowBlocks =>
  blocks.map((block, index) => {
    const placeOf = (number: number): number => places[(index * 4 + number) % places.length] ?? 0;
    const ahead = blocks.length - index - 1;
    if (block.type === 'goto')
      return ahead === 0
        ? { id: `b${index}`, type: 'end' }
        : { id: `b${index}`, type: 'goto', block: `b${index + 1 + (placeOf(0) % ahead)}` };
    const leadsBack = waiting.has(block.type) && (block.until === undefined || placeOf(1) % 8 === 0);
    const next = portsOfBlock(block).map((port, number) => {
      const first = leadsBack && port !== 'failed' ? 0 : index + 1;
      const target = first + (placeOf(number) % (blocks.length - first + 1));
      return [port, target >= blocks.length ? null : `b${target}`];
    });
    return { ...block, id: `b${index}`, next: Object.fromEntries(next) };
  });

const trigger = fc.oneof(
  fc.record({
    type: fc.constant('keyword'),
    match: fc.constantFrom('exact', 'contains'),
    words: fc.constant(['go']),
    interrupt: fc.boolean(),
  }),
  fc.constant({ type: 'default_reply' }),
  fc.constant({ type: 'tag_applied', tag: 'hot' }),
);

/** Flows of up to ten blocks. */
export const generatedFlow = (url: (path: string) => string): fc.Arbitrary<GeneratedFlow> =>
  fc.record({
    blocks: fc
      .tuple(
        fc.array(generatedBlock(url), { minLength: 2, maxLength: 10 }),
        fc.array(fc.nat(30), { minLength: 40, maxLength: 40 }),
      )
      .map(([blocks, places]) => place(blocks, places)),
    triggers: fc.array(trigger, { maxLength: 3 }),
    reentry: fc.constantFrom('one_active', 'allow', 'allow'),
  });

const usualText = fc.constantFrom('M', '7', ' 7. ', 'ada@example.com', 'go', 'go', 'go', 'what?', 'start');

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('says' as const),
      text: fc.oneof({ weight: 15, arbitrary: usualText }, fc.constantFrom('human', 'stop')),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('tag' as const), name: tag }) },
  { weight: 4, arbitrary: fc.constant({ type: 'timer' as const }) },
  { weight: 2, arbitrary: fc.constant({ type: 'shares' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'resolve' as const }) },
);

/** What happens to a contact in a flow. */
export const generatedActs: fc.Arbitrary<Act[]> = fc.array(act, { maxLength: 16 });
