import { change, type Look } from './pass.ts';
import type { Answer, Waiting } from './snapshot.ts';

/** A timer of the workflow that has fired is as good as the database's clock: the time of the wait has come. */
export const passTime = (look: Look): void => {
  const { due, run, context } = look;
  if (due !== run.step || run.wakeAt === null || run.wakeAt <= context.now) return;
  look.context = { ...context, now: run.wakeAt };
};

/** The workflow's timer has fired for this step, or the database's clock has passed its time. */
export const isDue = ({ due, run, context }: Look): boolean =>
  due === run.step || (run.wakeAt !== null && run.wakeAt <= context.now);

type Hold = { waiting: Waiting; until: Date | null };

/** Holds a step up before its block is entered. */
export const wait = (look: Look, { waiting, until }: Hold): Answer => {
  change(look, waitingFor(look, waiting, until));
  return waitAnswer(look);
};

/** Stops the clock of an open step; what is left of its time is kept. */
export const suspend = (look: Look, { waiting, until }: Hold): Answer => {
  const { leftMs, wakeAt } = look.run;
  const left = leftMs ?? (wakeAt && Math.max(0, wakeAt.getTime() - look.context.now.getTime()));
  change(look, { ...waitingFor(look, waiting, until), leftMs: left });
  return waitAnswer(look);
};

/** Lets the clock of a suspended step go on. */
export const takeUpAgain = (look: Look): void => {
  const { leftMs, waiting } = look.run;
  if (waiting === 'reply') return;
  const wakeAt = leftMs === null ? null : new Date(look.context.now.getTime() + leftMs);
  change(look, { ...waitingFor(look, 'reply', wakeAt), leftMs: null });
};

/** The run as it waits; since when stays while it waits for the same. */
export const waitingFor = ({ run, context }: Look, waiting: Waiting, wakeAt: Date | null) => {
  const waitingSince = run.waiting === waiting ? run.waitingSince : context.now;
  return { status: 'waiting', waiting, waitingSince, wakeAt } as const;
};

/** What the workflow is told of a wait. */
export const waitAnswer = ({ run, context }: Look): Answer => {
  const { step, blockId, waiting, wakeAt } = run;
  if (waiting === null) throw new Error('the run waits for nothing');
  const dueInMs = wakeAt && Math.max(0, wakeAt.getTime() - context.now.getTime());
  return { type: 'wait', step, blockId: blockId ?? '', waiting, ...(dueInMs !== null && { dueInMs }) };
};
