import type { BlockContext, Effect } from '../../flows/blocks/block.ts';
import { newBudget, unitsPerBlock, type Budget } from '../../flows/templating/budget.ts';
import type { PlacedEffect } from '../effects/effect.ts';
import { seeEffect } from '../effects/index.ts';
import type { Next } from '../types.ts';
import type { RunState, StepState } from './run-state.ts';
import type { RunSnapshot } from './snapshot.ts';

/** One pass over a run: what it has decided so far. All of it is written in one transaction. */
export type Pass = {
  readonly snapshot: RunSnapshot;
  run: RunState;
  step: StepState | undefined;
  /** What its blocks see: effects change it at once. */
  context: BlockContext;
  /** What its blocks have computed so far, as each of them counts it by its context. */
  readonly budget: Budget;
  foreground: string | null;
  handover: RunSnapshot['handover'];
  /** The step whose timer has fired, until that has been used. */
  due: number | undefined;
  /** What no step has taken yet. */
  inputs: RunSnapshot['inputs'];
  /** How many blocks it has entered. */
  entered: number;
  /** The steps that are new or have changed. */
  steps: readonly StepState[];
  /** In order. */
  effects: readonly PlacedEffect[];
  /** The stored inputs that were taken, and by which step. */
  taken: readonly { seq: number; step: number }[];
  /** What the workflow does after it. */
  next: PassNext;
};

/** The driver of the engine adds what only it knows of a request. */
export type PassNext = Exclude<Next, { type: 'call' }> | { type: 'call'; step: number; blockId: string; item?: number };

/** Begins a pass: nothing is decided yet. */
export const startPass = (snapshot: RunSnapshot): Pass => {
  const { run, step, context, foreground, handover, due, inputs } = snapshot;
  const budget = newBudget();
  return {
    snapshot,
    run,
    step,
    context: { ...context, budget },
    budget,
    foreground,
    handover,
    due,
    inputs,
    entered: 0,
    steps: [],
    effects: [],
    taken: [],
    next: { type: 'more' },
  };
};

/** The context for the next block. Its budget is that of one block, whatever those before it have computed. */
export const contextOfBlock = ({ budget, context }: Pass): BlockContext => {
  budget.most = budget.spent + unitsPerBlock;
  return context;
};

/** Adds an effect, which is written with the pass, and seen at once by the blocks that come after. */
export const addEffect = (pass: Pass, effect: Effect, place: { step: number; position: number }): void => {
  pass.effects = [...pass.effects, { ...effect, ...place }];
  const { context, handover, run } = pass;
  const seen = seeEffect({ context, handover, lastSeq: run.lastSeq }, effect);
  pass.context = seen.context;
  pass.handover = seen.handover;
  change(pass, { lastSeq: seen.lastSeq });
};

/** Has the step take an input. */
export const take = (pass: Pass, step: StepState, input: Pass['inputs'][number]): void => {
  pass.inputs = pass.inputs.filter((other) => other !== input);
  if ('seq' in input) pass.taken = [...pass.taken, { seq: input.seq, step: step.number }];
  if (input.type === 'reply') change(pass, { afterSeq: input.seq });
  if (input.type !== 'event') return;
  change(pass, { eventSeq: input.seq });
  pass.context = { ...pass.context, run: { ...pass.context.run, event: input.data } };
};

/** Changes where the run is. */
export const change = (pass: Pass, changes: Partial<RunState>): void => {
  pass.run = { ...pass.run, ...changes };
};

/** Keeps a step as it is now, and shows it to the blocks. */
export const record = (pass: Pass, step: StepState): void => {
  pass.step = step;
  pass.steps = [...pass.steps.filter(({ number }) => number !== step.number), step];
  const { number, visit, tries, enteredAt } = step;
  const { v } = pass.snapshot.plan.get(step.blockId);
  pass.context = { ...pass.context, v, step: { number, visit, tries, enteredAt } };
};
