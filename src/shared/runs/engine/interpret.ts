import type { Move } from '../../flows/blocks/block.ts';
import { unreachable } from '../../unreachable.ts';
import { carry, change, outcomeOf, record, contextOfBlock, startLook, take, type Look } from './pass.ts';
import type { Answer, Arrived, Outcome, RunState, Scene, StepState } from './snapshot.ts';
import { isDue, passTime, suspend, takeUpAgain, wait, waitAnswer, waitingFor } from './waits.ts';

/** The most blocks that one look enters; the workflow then looks again. */
const blocksPerLook = 20;

/**
 * What one look computes, in the units of a budget, before it leaves the rest to the next one in the same way: what a block may have taken beyond
 * comes on top. A look holds up everybody on its thread.
 */
export const unitsPerLook = 1_000_000;

/** A run that enters more blocks than this without a wait in between goes round in circles. */
const blocksWithoutWait = 100;

/** A run that enters more blocks than this goes round in circles, however long it waits in between. Each of them is a row. */
const blocksPerRun = 10_000;

/**
 * Walks a run as far as it goes without waiting, and answers what has to be written and what its workflow does next. Pure: the same scene has
 * the same outcome, and nothing is done twice when a crash comes before the outcome is written.
 */
export const interpret = (scene: Scene): Outcome => {
  const look = startLook(scene);
  for (;;) {
    const next = takeStep(look);
    if (next) return outcomeOf(look, next);
  }
};

/** The outcome in place of one that cannot be written: the run fails where it is. */
export const failHere = (scene: Scene, reason: string): Outcome => {
  const look = startLook(scene);
  if (look.step && look.step.status !== 'done') close(look, look.step, { port: null, reason });
  return outcomeOf(look, end(look, 'failed', reason));
};

const takeStep = (look: Look): Answer | undefined => {
  const { step } = look;
  if (step?.status === 'pending') return begin(look, step);
  if (step?.status === 'open') return goOn(look, step);
  return enter(look, step);
};

/** Goes from a step that is done, or from the start, to the next block. */
const enter = (look: Look, done: StepState | undefined): Answer | undefined => {
  const { plan, flowIsPaused, context } = look.scene;
  const target = done ? plan.targetOf(done.blockId, done.port ?? '') : { block: plan.start };
  if (target === 'completes') return end(look, 'completed', null);
  if (target === 'fails') return end(look, 'failed', done?.reason ?? `${done?.blockId}: ${done?.port}`);
  if (look.run.stepsSinceWait >= blocksWithoutWait || look.run.step >= blocksPerRun)
    return end(look, 'failed', 'loop_guard');
  if (flowIsPaused) return wait(look, { waiting: 'paused', until: null });
  change(look, goingOn);
  if (look.entered === blocksPerLook || isSpent(look)) return { type: 'more' };
  look.entered += 1;
  const blockId = target.block;
  const { run } = look;
  const visit = 1 + (Object.hasOwn(run.visits, blockId) ? (run.visits[blockId] ?? 0) : 0);
  const visits = { ...run.visits, [blockId]: visit };
  change(look, { step: run.step + 1, blockId, visits, stepsSinceWait: run.stepsSinceWait + 1 });
  const fresh = { status: 'pending', port: null, reason: null, tries: 0, leftAt: null } as const;
  record(look, { ...fresh, number: look.run.step, blockId, visit, enteredAt: context.now });
  return undefined;
};

/** Enters a block when what it needs is there. */
const begin = (look: Look, step: StepState): Answer | undefined => {
  const { block, config } = look.scene.plan.get(step.blockId);
  const { rootRunId } = look.run;
  if (block.speaks) {
    const silence = silenceOf(look);
    if (silence) return wait(look, { waiting: 'silence', until: silence.until });
    if (look.scene.unsendable) return leave(look, step, { port: 'failed', reason: look.scene.unsendable });
  }
  if (block.listens) {
    if (!mayHold(look)) return wait(look, { waiting: 'foreground', until: null });
    look.foreground = rootRunId;
  }
  if (block.yields && look.foreground === rootRunId) look.foreground = null;
  const open = { ...step, status: 'open', enteredAt: look.context.now } as const;
  record(look, open);
  return apply(look, open, block.enter(config, contextOfBlock(look)));
};

/** Looks whether what an open block waits for is there. Answers come before the time is up: one that was in time wins. */
const goOn = (look: Look, step: StepState): Answer | undefined => {
  const { block, config } = look.scene.plan.get(step.blockId);
  if (look.run.waiting === 'call') return call(step);
  if (isSpent(look)) return { type: 'more' };
  if (block.listens) {
    const silence = silenceOf(look);
    if (silence) return suspend(look, { waiting: 'silence', until: silence.until });
    if (!mayHold(look)) return suspend(look, { waiting: 'foreground', until: null });
    look.foreground = look.run.rootRunId;
    takeUpAgain(look);
  }
  passTime(look);
  const fitting = findFitting(look, step);
  if (fitting) {
    take(look, step, fitting.arrived);
    return apply(look, step, fitting.move);
  }
  const until = block.until?.(config, contextOfBlock(look));
  if (until) change(look, { wakeAt: until });
  if (!isDue(look)) return waitAnswer(look);
  look.due = undefined;
  const move = block.resume?.(config, contextOfBlock(look), { type: 'due' });
  return move ? apply(look, step, move) : waitAnswer(look);
};

/** Whether this look has computed its share. */
const isSpent = ({ budget }: Look): boolean => budget.spent >= unitsPerLook;

/**
 * The first of what has arrived that the block takes. Events that fit none stay for later blocks and are compared at every look: the latest come
 * first there, as many as the look may compute.
 */
const findFitting = (look: Look, step: StepState): { arrived: Arrived; move: Move } | undefined => {
  const { block, config } = look.scene.plan.get(step.blockId);
  const candidates = look.left.filter((arrived) => isCandidate(look.run, arrived));
  let found: { arrived: Arrived; move: Move } | undefined;
  for (const arrived of block.listensFor ? candidates.toReversed() : candidates) {
    if (isSpent(look)) break;
    const move = block.resume?.(config, contextOfBlock(look), arrived.input);
    if (move) found = { arrived, move };
    if (found && !block.listensFor) break;
  }
  return found;
};

/** Does what a block has decided. Answers what the workflow does; undefined when the run goes on at once. */
const apply = (look: Look, step: StepState, move: Move): Answer | undefined => {
  const sentBefore = look.run.lastSeq;
  const position = move.type === 'wait' && move.tried ? step.tries + 1 : 0;
  if ('effects' in move) {
    for (const effect of move.effects ?? []) {
      const refused = effect.type === 'start_flow' ? look.scene.targets.get(effect.flowId) : null;
      if (refused) return apply(look, step, { type: 'fail', reason: refused });
      carry(look, effect, { step: step.number, position });
    }
  }
  switch (move.type) {
    case 'go':
      return leave(look, step, move);
    case 'wait': {
      if (move.for === 'reply' && !move.tried) change(look, { afterSeq: move.early ? sentBefore : look.run.lastSeq });
      record(look, { ...step, tries: step.tries + (move.tried ? 1 : 0) });
      change(look, waitingFor(look, move.for, move.until ?? look.run.wakeAt));
      return undefined;
    }
    case 'call':
      change(look, waitingFor(look, 'call', null));
      return call(step);
    case 'end': {
      close(look, step, { port: null, reason: null });
      return end(look, 'completed', move.reason ?? null);
    }
    case 'fail':
      close(look, step, { port: null, reason: move.reason });
      return end(look, 'failed', move.reason);
    default:
      return unreachable(move);
  }
};

/** Leaves a block by a port. */
const leave = (look: Look, step: StepState, { port, reason = null }: { port: string; reason?: string | null }) => {
  close(look, step, { port, reason });
  const waited = look.run.waiting !== null;
  change(look, { ...goingOn, ...(waited && { stepsSinceWait: 0 }) });
  return undefined;
};

const goingOn = { status: 'running', waiting: null, waitingSince: null, wakeAt: null, leftMs: null } as const;

const close = (look: Look, step: StepState, by: Pick<StepState, 'port' | 'reason'>): void =>
  record(look, { ...step, ...by, status: 'done', leftAt: look.context.now });

const end = (look: Look, status: 'completed' | 'failed', reason: string | null): Answer => {
  change(look, { ...goingOn, status, reason });
  if (look.run.id === look.foreground) look.foreground = null;
  const blockId = status === 'failed' ? look.run.blockId : null;
  return { type: 'over', status, ...(reason !== null && { reason }), ...(blockId !== null && { blockId }) };
};

/** Replies after the prompt; events after the last one that the run took. */
const isCandidate = ({ afterSeq, eventSeq }: RunState, { seq, input }: Arrived): boolean =>
  input.type === 'reply' ? seq > afterSeq : input.type === 'event' ? seq > eventSeq : true;

/** Whether the run's family holds the foreground or may take it. */
const mayHold = ({ foreground, run }: Look): boolean => foreground === null || foreground === run.rootRunId;

/**
 * The silence of the contact, unless the workflow's timer says that it is over: one that was made longer meanwhile is not, nor is that of a
 * handover, which has no timer. That timer says nothing of the block's own time.
 */
const silenceOf = (look: Look): { until: Date | null } | null => {
  const { run, scene } = look;
  const isTimed = run.waiting === 'silence' && look.due === run.step;
  if (isTimed) look.due = undefined;
  if (look.handover) return { until: null };
  if (!isTimed) return scene.silence;
  const isLonger = scene.silence && run.wakeAt && scene.silence.until > run.wakeAt;
  return isLonger ? scene.silence : null;
};

const call = ({ number, blockId }: StepState): Answer => ({ type: 'call', step: number, blockId });
