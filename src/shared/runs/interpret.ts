import type { Effect, Move } from '../flows/blocks/block.ts';
import { unreachable } from '../unreachable.ts';
import { applyToSituation } from './apply-to-situation.ts';
import type { Answer, Arrived, Outcome, RunState, Scene, StepState, Waiting } from './scene.ts';

/** The most blocks that one look enters; the workflow then looks again. */
const blocksPerLook = 20;

/** A run that enters more blocks than this without a wait in between goes round in circles. */
const blocksWithoutWait = 100;

/** A look at a run under way: what it has decided so far. */
type Look = {
  readonly scene: Scene;
  run: RunState;
  step: StepState | undefined;
  situation: Scene['situation'];
  foreground: string | null;
  /** The step whose timer has fired, until that has been used. */
  due: number | undefined;
  left: Arrived[];
  entered: number;
  steps: Map<number, StepState>;
  effects: { step: number; position: number; effect: Effect }[];
  taken: { seq: number; step: number }[];
};

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

const startLook = (scene: Scene): Look => ({
  scene,
  run: scene.run,
  step: scene.step,
  situation: scene.situation,
  foreground: scene.foreground,
  due: scene.due,
  left: [...scene.arrived],
  entered: 0,
  steps: new Map(),
  effects: [],
  taken: [],
});

const outcomeOf = ({ run, steps, situation, effects, taken, foreground }: Look, next: Answer): Outcome => {
  const { reply, event } = situation.run;
  return { run, reply, event, steps: [...steps.values()], effects, taken, foreground, next };
};

const takeStep = (look: Look): Answer | undefined => {
  const { step } = look;
  if (step?.status === 'pending') return begin(look, step);
  if (step?.status === 'open') return goOn(look, step);
  return enter(look, step);
};

/** Goes from a step that is done, or from the start, to the next block. */
const enter = (look: Look, done: StepState | undefined): Answer | undefined => {
  const { plan, flowIsPaused, situation } = look.scene;
  const target = done ? plan.targetOf(done.blockId, done.port ?? '') : { block: plan.start };
  if (target === 'completes') return end(look, 'completed', null);
  if (target === 'fails') return end(look, 'failed', done?.reason ?? `${done?.blockId}: ${done?.port}`);
  if (look.run.stepsSinceWait >= blocksWithoutWait) return end(look, 'failed', 'loop_guard');
  if (flowIsPaused) return wait(look, { waiting: 'paused', until: null });
  change(look, goingOn);
  if (look.entered === blocksPerLook) return { type: 'more' };
  look.entered += 1;
  const blockId = target.block;
  const { run } = look;
  const visit = (run.visits[blockId] ?? 0) + 1;
  const visits = { ...run.visits, [blockId]: visit };
  change(look, { step: run.step + 1, blockId, visits, stepsSinceWait: run.stepsSinceWait + 1 });
  const fresh = { status: 'pending', port: null, reason: null, tries: 0, leftAt: null } as const;
  record(look, { ...fresh, number: look.run.step, blockId, visit, enteredAt: situation.now });
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
  const open = { ...step, status: 'open', enteredAt: look.situation.now } as const;
  record(look, open);
  return apply(look, open, block.enter(config, look.situation));
};

/** Looks whether what an open block waits for is there. Answers come before the time is up: one that was in time wins. */
const goOn = (look: Look, step: StepState): Answer | undefined => {
  const { block, config } = look.scene.plan.get(step.blockId);
  if (look.run.waiting === 'call') return call(step);
  if (block.listens) {
    const silence = silenceOf(look);
    if (silence) return suspend(look, { waiting: 'silence', until: silence.until });
    if (!mayHold(look)) return suspend(look, { waiting: 'foreground', until: null });
    look.foreground = look.run.rootRunId;
    takeUpAgain(look);
  }
  passTime(look);
  for (const arrived of look.left) {
    if (!isCandidate(look.run, arrived)) continue;
    const move = block.resume?.(config, look.situation, arrived.input);
    if (!move) continue;
    take(look, step, arrived);
    return apply(look, step, move);
  }
  const until = block.until?.(config, look.situation);
  if (until) change(look, { wakeAt: until });
  if (!isDue(look)) return waitAnswer(look);
  look.due = undefined;
  const move = block.resume?.(config, look.situation, { type: 'due' });
  return move ? apply(look, step, move) : waitAnswer(look);
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
  record(look, { ...step, ...by, status: 'done', leftAt: look.situation.now });

const end = (look: Look, status: 'completed' | 'failed', reason: string | null): Answer => {
  change(look, { ...goingOn, status, reason });
  if (look.run.id === look.foreground) look.foreground = null;
  const blockId = status === 'failed' ? look.run.blockId : null;
  return { type: 'over', status, ...(reason !== null && { reason }), ...(blockId !== null && { blockId }) };
};

/** An effect is written with the outcome, and seen at once by the blocks that come after. */
const carry = (look: Look, effect: Effect, place: { step: number; position: number }): void => {
  look.effects.push({ ...place, effect });
  look.situation = applyToSituation(look.situation, effect);
  if (effect.type === 'send') change(look, { lastSeq: Infinity });
};

const take = (look: Look, step: StepState, arrived: Arrived): void => {
  look.taken.push({ seq: arrived.seq, step: step.number });
  look.left = look.left.filter(({ seq }) => seq !== arrived.seq);
  const { input } = arrived;
  if (input.type === 'reply') change(look, { afterSeq: arrived.seq });
  if (input.type !== 'event') return;
  change(look, { eventSeq: arrived.seq });
  look.situation = { ...look.situation, run: { ...look.situation.run, event: input.data } };
};

/** Replies after the prompt; events after the last one that the run took. */
const isCandidate = ({ afterSeq, eventSeq }: RunState, { seq, input }: Arrived): boolean =>
  input.type === 'reply' ? seq > afterSeq : input.type === 'event' ? seq > eventSeq : true;

/** Whether the run's family holds the foreground or may take it. */
const mayHold = ({ foreground, run }: Look): boolean => foreground === null || foreground === run.rootRunId;

/** The silence of the contact, unless the workflow's timer says that it is over. That timer says nothing of the block's own time. */
const silenceOf = (look: Look): Scene['silence'] => {
  if (look.run.waiting !== 'silence' || look.due !== look.run.step) return look.scene.silence;
  look.due = undefined;
  return null;
};

/** A timer of the workflow that has fired is as good as the database's clock: the time of the wait has come. */
const passTime = (look: Look): void => {
  const { due, run, situation } = look;
  if (due !== run.step || run.wakeAt === null || run.wakeAt <= situation.now) return;
  look.situation = { ...situation, now: run.wakeAt };
};

/** The workflow's timer has fired for this step, or the database's clock has passed its time. */
const isDue = ({ due, run, situation }: Look): boolean =>
  due === run.step || (run.wakeAt !== null && run.wakeAt <= situation.now);

type Hold = { waiting: Waiting; until: Date | null };

/** Holds a step up before its block is entered. */
const wait = (look: Look, { waiting, until }: Hold): Answer => {
  change(look, waitingFor(look, waiting, until));
  return waitAnswer(look);
};

/** Stops the clock of an open step; what is left of its time is kept. */
const suspend = (look: Look, { waiting, until }: Hold): Answer => {
  const { leftMs, wakeAt } = look.run;
  const left = leftMs ?? (wakeAt && Math.max(0, wakeAt.getTime() - look.situation.now.getTime()));
  change(look, { ...waitingFor(look, waiting, until), leftMs: left });
  return waitAnswer(look);
};

/** Lets the clock of a suspended step go on. */
const takeUpAgain = (look: Look): void => {
  const { leftMs, waiting } = look.run;
  if (waiting === 'reply') return;
  const wakeAt = leftMs === null ? null : new Date(look.situation.now.getTime() + leftMs);
  change(look, { ...waitingFor(look, 'reply', wakeAt), leftMs: null });
};

const waitingFor = ({ run, situation }: Look, waiting: Waiting, wakeAt: Date | null) => {
  const waitingSince = run.waiting === waiting ? run.waitingSince : situation.now;
  return { status: 'waiting', waiting, waitingSince, wakeAt } as const;
};

const waitAnswer = ({ run, situation }: Look): Answer => {
  const { step, blockId, waiting, wakeAt } = run;
  if (waiting === null) throw new Error('the run waits for nothing');
  const dueInMs = wakeAt && Math.max(0, wakeAt.getTime() - situation.now.getTime());
  return { type: 'wait', step, blockId: blockId ?? '', waiting, ...(dueInMs !== null && { dueInMs }) };
};

const call = ({ number, blockId }: StepState): Answer => ({ type: 'call', step: number, blockId });

const change = (look: Look, changes: Partial<RunState>): void => {
  look.run = { ...look.run, ...changes };
};

const record = (look: Look, step: StepState): void => {
  look.step = step;
  look.steps.set(step.number, step);
  const { number, visit, tries, enteredAt } = step;
  look.situation = { ...look.situation, step: { number, visit, tries, enteredAt } };
};
