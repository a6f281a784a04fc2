import type { Effect } from '../../flows/blocks/block.ts';
import { newBudget, unitsPerBlock, type Budget } from '../../flows/templating/budget.ts';
import { applyToContext } from '../effects/apply-to-context.ts';
import type { Answer, Arrived, Outcome, RunState, Scene, StepEffect, StepState } from './snapshot.ts';

/** A look at a run under way: what it has decided so far. */
export type Look = {
  readonly scene: Scene;
  run: RunState;
  step: StepState | undefined;
  context: Scene['context'];
  /** What its blocks have computed so far, as each of them counts it by its context. */
  readonly budget: Budget;
  foreground: string | null;
  handover: Scene['handover'];
  /** The step whose timer has fired, until that has been used. */
  due: number | undefined;
  left: Arrived[];
  entered: number;
  steps: Map<number, StepState>;
  effects: StepEffect[];
  taken: { seq: number; step: number }[];
};

/** Begins a look: nothing is decided yet. */
export const startLook = (scene: Scene): Look => {
  const budget = newBudget();
  return {
    scene,
    run: scene.run,
    step: scene.step,
    context: { ...scene.context, budget },
    budget,
    foreground: scene.foreground,
    handover: scene.handover,
    due: scene.due,
    left: [...scene.arrived],
    entered: 0,
    steps: new Map(),
    effects: [],
    taken: [],
  };
};

/** The context for the next block. Its budget is that of one block, whatever those before it have computed. */
export const contextOfBlock = ({ budget, context }: Look): Scene['context'] => {
  budget.most = budget.spent + unitsPerBlock;
  return context;
};

/** What a look has decided, with its answer. */
export const outcomeOf = ({ run, steps, context, effects, taken, foreground }: Look, next: Answer): Outcome => {
  const { reply, event } = context.run;
  return { run, reply, event, steps: [...steps.values()], effects, taken, foreground, next };
};

/** An effect is written with the outcome, and seen at once by the blocks that come after. */
export const carry = (look: Look, effect: Effect, place: { step: number; position: number }): void => {
  look.effects.push({ ...place, effect });
  look.context = applyToContext(look.context, effect);
  if (effect.type === 'send') change(look, { lastSeq: Infinity });
  look.handover = handoverAfter(look.handover, effect);
};

const handoverAfter = (open: Scene['handover'], { type }: Effect): Scene['handover'] => {
  if (type === 'request_handover') return open ?? { endsByClosing: true, endsByExpiring: true };
  const ends =
    (type === 'close_conversation' && open?.endsByClosing) || (type === 'expire_handover' && open?.endsByExpiring);
  return ends ? null : open;
};

/** Has the step take what has arrived. */
export const take = (look: Look, step: StepState, arrived: Arrived): void => {
  look.taken.push({ seq: arrived.seq, step: step.number });
  look.left = look.left.filter(({ seq }) => seq !== arrived.seq);
  const { input } = arrived;
  if (input.type === 'reply') change(look, { afterSeq: arrived.seq });
  if (input.type !== 'event') return;
  change(look, { eventSeq: arrived.seq });
  look.context = { ...look.context, run: { ...look.context.run, event: input.data } };
};

/** Changes where the run is. */
export const change = (look: Look, changes: Partial<RunState>): void => {
  look.run = { ...look.run, ...changes };
};

/** Keeps a step as it is now, and shows it to the blocks. */
export const record = (look: Look, step: StepState): void => {
  look.step = step;
  look.steps.set(step.number, step);
  const { number, visit, tries, enteredAt } = step;
  const { v } = look.scene.plan.get(step.blockId);
  look.context = { ...look.context, v, step: { number, visit, tries, enteredAt } };
};
