import { change, type Pass, type PassNext } from './pass.ts';
import type { Waiting } from './run-state.ts';

/** Moves the clock to the end of a wait whose timer has fired: the database's clock may be a little behind. */
export const passTime = (pass: Pass): void => {
  const { due, run, context } = pass;
  if (due !== run.step || run.wakeAt === null || run.wakeAt <= context.now) return;
  pass.context = { ...context, now: run.wakeAt };
};

/** The workflow's timer has fired for this step, or the database's clock has passed its time. */
export const isDue = ({ due, run, context }: Pass): boolean =>
  due === run.step || (run.wakeAt !== null && run.wakeAt <= context.now);

type Hold = { waiting: Waiting; until: Date | null };

/** Holds a step up before its block is entered. */
export const wait = (pass: Pass, { waiting, until }: Hold): PassNext => {
  change(pass, waitingFor(pass, waiting, until));
  return nextOfWait(pass);
};

/** Stops the clock of an open step; what is left of its time is kept. */
export const suspend = (pass: Pass, { waiting, until }: Hold): PassNext => {
  const { leftMs, wakeAt } = pass.run;
  const left = leftMs ?? (wakeAt && Math.max(0, wakeAt.getTime() - pass.context.now.getTime()));
  change(pass, { ...waitingFor(pass, waiting, until), leftMs: left });
  return nextOfWait(pass);
};

/** Lets the clock of a suspended step go on. */
export const resumeClock = (pass: Pass): void => {
  const { leftMs, waiting } = pass.run;
  if (waiting === 'reply') return;
  const wakeAt = leftMs === null ? null : new Date(pass.context.now.getTime() + leftMs);
  change(pass, { ...waitingFor(pass, 'reply', wakeAt), leftMs: null });
};

/** The run as it waits; `waitingSince` stays while it waits for the same. */
export const waitingFor = ({ run, context }: Pass, waiting: Waiting, wakeAt: Date | null) => {
  const waitingSince = run.waiting === waiting ? run.waitingSince : context.now;
  return { status: 'waiting', waiting, waitingSince, wakeAt } as const;
};

/** Describes a wait to the workflow. */
export const nextOfWait = ({ run, context }: Pass): PassNext => {
  const { step, blockId, waiting, wakeAt } = run;
  if (waiting === null) throw new Error('the run waits for nothing');
  const timer = wakeAt && {
    dueInMs: Math.max(0, wakeAt.getTime() - context.now.getTime()),
    dueAt: wakeAt.getTime(),
  };
  return { type: 'wait', step, blockId: blockId ?? '', waiting, ...timer };
};
