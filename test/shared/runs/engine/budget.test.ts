import { describe, expect, test } from 'vitest';
import type { Block, BlockConfig, BlockContext, Input } from '../../../../src/shared/flows/blocks/block.ts';
import { parseDefinition } from '../../../../src/shared/flows/definition/definition.ts';
import { planOf } from '../../../../src/shared/flows/definition/plan.ts';
import { unitsPerBlock, type Budget } from '../../../../src/shared/flows/templating/budget.ts';
import { interpret, unitsPerPass } from '../../../../src/shared/runs/engine/interpret.ts';
import type { Pass } from '../../../../src/shared/runs/engine/pass.ts';
import type { StepState } from '../../../../src/shared/runs/engine/run-state.ts';
import type { RunSnapshot } from '../../../../src/shared/runs/engine/snapshot.ts';
import { cpuMsOf } from '../../../helpers/cpu-time.ts';
import { aField, aBlockContext } from '../../../helpers/block-context.ts';
import { aReply, aSnapshot, passAgain } from './snapshots.ts';

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** What is slow to compare, as long as a field and as `params` may be. */
const text = 'İ1a '.repeat(1_250);
const longest = 'ﷺ1a '.repeat(5_000);

const context = (): BlockContext =>
  aBlockContext({
    contact: {
      language: 'fa',
      tags: many(100, (index) => `${'İ'.repeat(90)}${index}`),
      fields: { text, day: '2026-03-04T22:30:00' },
    },
    fields: [aField('text', 'text'), aField('day', 'text')],
    run: { params: { longest, letter: 'a'.repeat(20_000) }, reply: { text } },
  });

const tenfold = '|lower|upper'.repeat(5);

/** Blocks that take as long as a published version lets them; none is compiled or known from another one. */
const costly: Readonly<Record<string, (index: number) => object>> = {
  'patterns that nobody has compiled': (index) => ({
    type: 'condition',
    match: 'any',
    rules: many(5, (rule) => ({
      field: 'params.letter',
      op: 'matches',
      value: `(?i)(.*a){8}.*[\\p{L}]{0,40}z${index}x${rule}$`,
    })),
    next: { true: null, false: `b${index + 1}` },
  }),
  'long texts that are compared': (index) => ({
    type: 'condition',
    match: 'any',
    rules: many(20, () => ({ field: 'text', op: 'is', value: '{{reply.text}}!' })),
    next: { true: null, false: `b${index + 1}` },
  }),
  'tags that are compared with a long name': (index) => ({
    type: 'condition',
    match: 'any',
    rules: many(20, () => ({ field: 'tags', op: 'has_tag', value: '{{reply.text}}{{reply.text}}' })),
    next: { true: null, false: `b${index + 1}` },
  }),
  'dates in words': () => ({
    type: 'send',
    messages: many(10, () => ({
      text: 'x',
      quick_replies: many(10, () => '{{day|date:"MMMM dddd MMMM"}}'.repeat(16)),
    })),
  }),
  'filters of quick replies': () => ({
    type: 'send',
    messages: many(10, () => ({ text: 'x', quick_replies: many(10, () => `{{params.letter${tenfold}}}`.repeat(4)) })),
  }),
  'placeholders of values that are not there': () => ({
    type: 'send',
    messages: many(10, () => ({ text: `x${'{{a}}'.repeat(999)}` })),
  }),
  'values for another flow': () => ({
    type: 'start_flow',
    flow_id: 'flow_01jd6z3qf5e8pb2zv0w8c4x1kn',
    mode: 'switch',
    params: Object.fromEntries(many(50, (name) => [`p${name}`, '{{day|date:"MMMM dddd"}}'.repeat(200)])),
  }),
};

type Watched = { plan: RunSnapshot['plan']; budgets: Set<Budget> };

/** A flow of these blocks, one after the other, of which each shows what it counts by. */
const watch = (blocks: readonly object[]): Watched => {
  const named = blocks.map((block, index) => ({ id: `b${index}`, ...block }));
  const last = { id: `b${blocks.length}`, type: 'end' };
  const plan = planOf(parseDefinition({ schema_version: 1, start: 'b0', blocks: [...named, last] }));
  const budgets = new Set<Budget>();
  const watched = (block: Block): Block => ({
    ...block,
    enter: (config: BlockConfig, at) => {
      if (at.budget) budgets.add(at.budget);
      return block.enter(config, at);
    },
  });
  return { plan: { ...plan, get: (id) => ({ ...plan.get(id), block: watched(plan.get(id).block) }) }, budgets };
};

/** All passes over a run, each of which goes on where the last one has left it, and finds what none has taken. */
const walk = (first: Pass): Pass[] => {
  const passes = [first];
  for (let last = first; last.next.type === 'more' && passes.length < 200; passes.push(last))
    last = passAgain(last, { inputs: last.inputs });
  return passes;
};

const stepsOf = (passes: readonly Pass[]): Pick<StepState, 'blockId' | 'port' | 'reason'>[] =>
  passes.flatMap(({ steps }) => steps.map(({ blockId, port, reason }) => ({ blockId, port, reason })));

describe.for(Object.entries(costly))('of %s', ([, block]) => {
  const blocks = many(20, block);

  test('no pass computes more than its share and that of one block', () => {
    const { plan, budgets } = watch(blocks);
    const passes = walk(interpret({ ...aSnapshot({ plan }), context: context() }));
    expect(passes.at(-1)?.next.type).toBe('over');
    expect(budgets.size).toBe(passes.length);
    for (const { spent } of budgets) expect(spent).toBeLessThanOrEqual(unitsPerPass + unitsPerBlock);
  });

  test('no costly block takes long', () => {
    const { plan } = watch(blocks);
    const { block: one, config } = plan.get('b0');
    const at = context();
    expect(
      Math.min(
        cpuMsOf(() => one.enter(config, at)),
        cpuMsOf(() => one.enter(config, at)),
      ),
    ).toBeLessThan(250);
  });

  test('the contact goes the way that the blocks say, each alone', () => {
    const { plan } = watch(blocks);
    const walked = stepsOf(walk(interpret({ ...aSnapshot({ plan }), context: context() })));
    const alone = walked.slice(0, -1).map(({ blockId }) => {
      const { block: one, config, v } = plan.get(blockId);
      const move = one.enter(config, { ...context(), v });
      return {
        blockId,
        port: move.type === 'go' ? move.port : null,
        reason: 'reason' in move ? (move.reason ?? null) : null,
      };
    });
    expect(walked.slice(0, -1)).toEqual(alone);
  });

  test('a process that has compiled nothing decides the same as one that has compiled everything', () => {
    const { plan } = watch(blocks);
    const snapshot = { ...aSnapshot({ plan }), context: context() };
    expect(interpret(snapshot)).toEqual(interpret(snapshot));
  });
});

test('a block that would compute more than its budget fails the run', () => {
  const rules = many(20, () => ({ field: 'params.longest', op: 'is', value: 'x' }));
  const { plan } = watch([{ type: 'condition', rules, match: 'any', next: { true: null, false: null } }]);
  const { next } = interpret({ ...aSnapshot({ plan }), context: context() });
  expect(next).toEqual({ type: 'over', status: 'failed', reason: 'over_budget', blockId: 'b0' });
});

const ask = (index: number) => ({
  type: 'ask',
  prompt: 'Which?',
  expects: 'choice',
  choices: many(50, (choice) => ({ label: `{{first_name}} ${choice}`, value: `${index}${'ﷺ'.repeat(60)}` })),
  next: { invalid: null, timeout: null, failed: null },
});

test('answers that came together are taken in their order, over as many passes as they need', () => {
  const { plan } = watch(many(8, ask));
  const asked = interpret(aSnapshot({ plan, run: { lastSeq: 0 } }));
  expect(asked.next).toMatchObject({ type: 'wait', waiting: 'reply' });
  const inputs = [aReply(21, 'no'), aReply(22, 'nor this'), aReply(23, 'Ada 7')];
  const passes = walk(passAgain(asked, { inputs }));
  expect(passes.length).toBeGreaterThan(1);
  expect(passes.flatMap(({ taken }) => taken)).toEqual(inputs.map(({ seq }) => ({ seq, step: 1 })));
});

test('a pass compares the latest of slow events, and no more than it may compute', () => {
  const rules = many(5, (rule) => ({ field: 'params.letter', op: 'matches', value: `(.*a){8}.*[b-y]{0,40}${rule}z$` }));
  const fits = { field: 'event.tag.name', op: 'is', value: 'it' };
  const { plan } = watch([{ type: 'wait_event', event: 'tag_applied', rules: [fits], next: { timeout: null } }]);
  const slow = watch([{ type: 'wait_event', event: 'tag_applied', rules, next: { timeout: null } }]);
  const inputs = many(200, (index): Extract<Input, { type: 'event' }> => ({
    type: 'event',
    seq: 20 + index,
    name: 'tag_applied',
    data: { tag: { name: index === 7 || index === 199 ? 'it' : 'no' } },
    at: new Date(),
  }));
  const at = (snapshot: RunSnapshot): RunSnapshot => ({ ...snapshot, context: context() });
  const { taken } = interpret(at(aSnapshot({ plan, inputs })));
  expect(taken).toEqual([{ seq: 27, step: 1 }]);
  const { next } = interpret(at(aSnapshot({ plan: slow.plan, inputs })));
  expect(next).toMatchObject({ type: 'wait', waiting: 'event' });
  const [{ spent } = { spent: 0 }] = slow.budgets;
  expect(spent).toBeLessThan(unitsPerPass + unitsPerBlock);
});
