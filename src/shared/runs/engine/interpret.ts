import type { Input, Move } from '../../flows/blocks/block.ts';
import { unreachable } from '../../unreachable.ts';
import { refuseEffect } from '../effects/index.ts';
import { addEffect, change, contextOfBlock, record, startPass, take, type Pass, type PassNext } from './pass.ts';
import type { RunState, StepState } from './run-state.ts';
import type { RunSnapshot } from './snapshot.ts';
import { isDue, nextOfWait, passTime, resumeClock, suspend, wait, waitingFor } from './waits.ts';

/** The most blocks that one pass enters; the workflow then asks for another. */
const blocksPerPass = 20;

/**
 * What one pass computes, in the units of a budget, before it leaves the rest to the next one in the same way: what a block may have taken beyond
 * comes on top. A pass holds up everybody on its thread.
 */
export const unitsPerPass = 1_000_000;

/** A run that enters more blocks than this without a wait in between goes round in circles. */
const blocksWithoutWait = 100;

/** A run that enters more blocks than this goes round in circles, however long it waits in between. Each of them is a row. */
const blocksPerRun = 10_000;

/**
 * Walks a run as far as it goes without waiting, and answers what has to be written and what its workflow does next. Pure: the same snapshot has
 * the same pass, and nothing is done twice when a crash comes before it is written. `steps`: the most steps that it takes, a step being one
 * decision of a block.
 */
export const interpret = (snapshot: RunSnapshot, { steps = Infinity }: { steps?: number } = {}): Pass => {
  const pass = startPass(snapshot);
  for (let taken = 0; taken < steps; taken += 1) {
    const next = takeStep(pass);
    if (next) return { ...pass, next };
  }
  return pass;
};

/** The pass in place of one that cannot be written: the run fails where it is. */
export const failHere = (snapshot: RunSnapshot, reason: string): Pass => {
  const pass = startPass(snapshot);
  if (pass.step && pass.step.status !== 'done') close(pass, pass.step, { port: null, reason });
  const next = end(pass, 'failed', reason);
  return { ...pass, next };
};

const takeStep = (pass: Pass): PassNext | undefined => {
  const { step } = pass;
  if (step?.status === 'pending') return begin(pass, step);
  if (step?.status === 'open') return goOn(pass, step);
  return enter(pass, step);
};

/** Goes from a step that is done, or from the start, to the next block. */
const enter = (pass: Pass, done: StepState | undefined): PassNext | undefined => {
  const { plan, flowIsPaused, context } = pass.snapshot;
  const target = done ? plan.targetOf(done.blockId, done.port ?? '') : { block: plan.start };
  if (target === 'completes') return end(pass, 'completed', null);
  if (target === 'fails') return end(pass, 'failed', done?.reason ?? `${done?.blockId}: ${done?.port}`);
  if (pass.run.stepsSinceWait >= blocksWithoutWait || pass.run.step >= blocksPerRun)
    return end(pass, 'failed', 'loop_guard');
  if (flowIsPaused) return wait(pass, { waiting: 'paused', until: null });
  change(pass, goingOn);
  if (pass.entered === blocksPerPass || isSpent(pass)) return { type: 'more' };
  pass.entered += 1;
  const blockId = target.block;
  const { run } = pass;
  const visit = 1 + (Object.hasOwn(run.visits, blockId) ? (run.visits[blockId] ?? 0) : 0);
  const visits = { ...run.visits, [blockId]: visit };
  change(pass, { step: run.step + 1, blockId, visits, stepsSinceWait: run.stepsSinceWait + 1 });
  const fresh = { status: 'pending', port: null, reason: null, tries: 0, leftAt: null } as const;
  record(pass, { ...fresh, number: pass.run.step, blockId, visit, enteredAt: context.now });
  return undefined;
};

/** Enters a block when what it needs is there. */
const begin = (pass: Pass, step: StepState): PassNext | undefined => {
  const { block, config } = pass.snapshot.plan.get(step.blockId);
  const { rootRunId } = pass.run;
  if (block.speaks) {
    const silence = silenceOf(pass);
    if (silence) return wait(pass, { waiting: 'silence', until: silence.until });
    if (pass.snapshot.unsendable) return leave(pass, step, { port: 'failed', reason: pass.snapshot.unsendable });
  }
  if (block.listens) {
    if (!mayHold(pass)) return wait(pass, { waiting: 'foreground', until: null });
    pass.foreground = rootRunId;
  }
  if (block.yields && pass.foreground === rootRunId) pass.foreground = null;
  const open = { ...step, status: 'open', enteredAt: pass.context.now } as const;
  record(pass, open);
  return apply(pass, open, block.enter(config, contextOfBlock(pass)));
};

/** Gives an open block what it waits for, if that is there. Inputs come before the time is up: one that was in time wins. */
const goOn = (pass: Pass, step: StepState): PassNext | undefined => {
  const { block, config } = pass.snapshot.plan.get(step.blockId);
  if (isSpent(pass)) return { type: 'more' };
  if (block.listens) {
    const silence = silenceOf(pass);
    if (silence) return suspend(pass, { waiting: 'silence', until: silence.until });
    if (!mayHold(pass)) return suspend(pass, { waiting: 'foreground', until: null });
    pass.foreground = pass.run.rootRunId;
    resumeClock(pass);
  }
  passTime(pass);
  const fitting = findFitting(pass, step);
  if (fitting) {
    take(pass, step, fitting.input);
    return apply(pass, step, fitting.move);
  }
  if (pass.run.waiting === 'call') return call(step);
  const until = block.until?.(config, contextOfBlock(pass));
  if (until) change(pass, { wakeAt: until });
  if (!isDue(pass)) return nextOfWait(pass);
  pass.due = undefined;
  const move = block.resume?.(config, contextOfBlock(pass), { type: 'due' });
  return move ? apply(pass, step, move) : nextOfWait(pass);
};

/** Whether this pass has computed its share. */
const isSpent = ({ budget }: Pass): boolean => budget.spent >= unitsPerPass;

/**
 * The first input that the block takes. Events that fit none stay for later blocks and are compared in every pass: the latest come first there, as
 * many as the pass may compute.
 */
const findFitting = (pass: Pass, step: StepState): { input: Pass['inputs'][number]; move: Move } | undefined => {
  const { block, config } = pass.snapshot.plan.get(step.blockId);
  const candidates = pass.inputs.filter((input) => isCandidate(pass.run, input));
  let found: { input: Pass['inputs'][number]; move: Move } | undefined;
  for (const input of block.listensFor ? candidates.toReversed() : candidates) {
    if (isSpent(pass)) break;
    const move = block.resume?.(config, contextOfBlock(pass), input);
    if (move) found = { input, move };
    if (found && !block.listensFor) break;
  }
  return found;
};

/** Does what a block has decided. Answers what the workflow does; undefined when the run goes on at once. */
const apply = (pass: Pass, step: StepState, move: Move): PassNext | undefined => {
  const sentBefore = pass.run.lastSeq;
  const position = move.type === 'wait' && move.tried ? step.tries + 1 : 0;
  if ('effects' in move) {
    for (const effect of move.effects ?? []) {
      const refused = refuseEffect(pass.snapshot, effect);
      if (refused !== null) return apply(pass, step, { type: 'fail', reason: refused });
      addEffect(pass, effect, { step: step.number, position });
    }
  }
  switch (move.type) {
    case 'go':
      return leave(pass, step, move);
    case 'wait': {
      if (move.for === 'reply' && !move.tried) change(pass, { afterSeq: move.early ? sentBefore : pass.run.lastSeq });
      record(pass, { ...step, tries: step.tries + (move.tried ? 1 : 0) });
      change(pass, waitingFor(pass, move.for, move.until ?? pass.run.wakeAt));
      return undefined;
    }
    case 'request':
      change(pass, waitingFor(pass, 'call', null));
      return call(step);
    case 'end': {
      close(pass, step, { port: null, reason: null });
      return end(pass, 'completed', move.reason ?? null);
    }
    case 'fail':
      close(pass, step, { port: null, reason: move.reason });
      return end(pass, 'failed', move.reason);
    default:
      return unreachable(move);
  }
};

/** Leaves a block by a port. */
const leave = (pass: Pass, step: StepState, { port, reason = null }: { port: string; reason?: string | null }) => {
  close(pass, step, { port, reason });
  const waited = pass.run.waiting !== null;
  change(pass, { ...goingOn, ...(waited && { stepsSinceWait: 0 }) });
  return undefined;
};

const goingOn = {
  status: 'running',
  waiting: null,
  waitingSince: null,
  wakeAt: null,
  leftMs: null,
  reason: null,
} as const;

const close = (pass: Pass, step: StepState, by: Pick<StepState, 'port' | 'reason'>): void =>
  record(pass, { ...step, ...by, status: 'done', leftAt: pass.context.now });

const end = (pass: Pass, status: 'completed' | 'failed', reason: string | null): PassNext => {
  change(pass, { ...goingOn, status, reason });
  if (pass.run.id === pass.foreground) pass.foreground = null;
  const blockId = status === 'failed' ? pass.run.blockId : null;
  return { type: 'over', status, ...(reason !== null && { reason }), ...(blockId !== null && { blockId }) };
};

/** Replies after the prompt; events after the last one that the run took. */
const isCandidate = ({ afterSeq, eventSeq }: RunState, input: Input): boolean =>
  input.type === 'reply' ? input.seq > afterSeq : input.type === 'event' ? input.seq > eventSeq : true;

/** Whether the run's family holds the foreground or may take it. */
const mayHold = ({ foreground, run }: Pass): boolean => foreground === null || foreground === run.rootRunId;

/**
 * The silence of the contact, unless the workflow's timer says that it is over: one that was made longer meanwhile is not, nor is that of a
 * handover, which has no timer. That timer says nothing of the block's own time.
 */
const silenceOf = (pass: Pass): { until: Date | null } | null => {
  const { run, snapshot } = pass;
  const isTimed = run.waiting === 'silence' && pass.due === run.step;
  if (isTimed) pass.due = undefined;
  if (pass.handover) return { until: null };
  if (!isTimed) return snapshot.silence;
  const isLonger = snapshot.silence && run.wakeAt && snapshot.silence.until > run.wakeAt;
  return isLonger ? snapshot.silence : null;
};

const call = ({ number, blockId }: StepState): PassNext => ({ type: 'call', step: number, blockId });
