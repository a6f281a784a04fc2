import type { Advance, EventTransaction, RunToAdvance } from '../../facts/tell.ts';
import type { WorkItem } from '../../platform/dispatch/work.ts';
import type { PlaceRequest } from '../requests/local-requests.ts';
import type { First, Next } from '../types.ts';
import { runWork, type RunWorkRow } from '../work.ts';
import { makePass, type MadePass } from './make-pass.ts';
import { readUnderLock } from './read-snapshot.ts';
import type { Urls } from './store.ts';
import type { ReadVersion } from './versions.ts';

export type AdvanceInTransactionDeps = Urls & {
  readVersion: ReadVersion;
  /** Says where the request behind a pass is made. */
  place: PlaceRequest;
  /** Hears of a pass after its commit: which run it has started, and which it has ended. */
  onPass: (told: Partial<Pick<MadePass, 'started' | 'ended'>>) => void;
  /** Hears, after the commit, of a pass that has thrown, and was left to the workflow of the run. */
  onFailure: (runId: string, error: unknown) => void;
};

/** Starts or wakes the workflows of runs, which then make the passes. */
export const leaveToWorkflows: Advance = async (tx, runs) => {
  for (const run of runs) await leaveToWorkflow(tx, run);
  return undefined;
};

const leaveToWorkflow = async (tx: EventTransaction, { id, begun }: RunToAdvance): Promise<void> => {
  if (begun) return tx.start(begun.work, begun.row);
  await tx.wake(runWork, [id]);
};

/**
 * Makes one pass in the transaction that causes it, over the last run that goes on: that of the message, or the one that an event has begun after
 * it has woken others. What the pass writes commits with its cause, and the workflow is left what waits or calls. A pass that throws is undone, and
 * nothing else of its transaction: the workflow decides.
 */
export const createAdvance =
  ({ readVersion, place, onPass, onFailure, ...urls }: AdvanceInTransactionDeps): Advance =>
  async (tx, runs) => {
    const run = runOfPass(runs);
    await leaveToWorkflows(
      tx,
      runs.filter(({ id }) => id !== run?.id),
    );
    if (!run) return undefined;
    const pass = await tx
      .savepoint((inner) => passOver(inner, run, { readVersion, urls }))
      .catch((error: unknown) => ({ error }));
    const first = run.begun && pass && 'next' in pass ? firstOf(place(pass.next)) : undefined;
    if (run.begun && first) startTold(tx, run.begun, first);
    else await leaveToWorkflow(tx, run);
    if (!pass) return undefined;
    if ('error' in pass) return () => onFailure(run.id, pass.error);
    const { started, ended } = pass;
    return () => onPass({ started, ended });
  };

/**
 * What the workflow of a run begins with. One that has failed asks: its row has the sweep make up for a lost start, because operators look for it. So
 * does one that waits for a time or a paused flow, because others may have the sweep wake it meanwhile.
 */
const firstOf = (next: Next): First | undefined => {
  if (next.type === 'more' || (next.type === 'over' && next.status === 'failed')) return undefined;
  return next.type !== 'wait' || next.waiting === 'reply' || next.waiting === 'event' ? next : undefined;
};

/** Starts the workflow of a run that its transaction has begun, with what its first pass has come to. One that is over is only shown. */
const startTold = (tx: EventTransaction, { work, row }: WorkItem, first: First): void => {
  const told: typeof row & Pick<RunWorkRow, 'first'> = { ...row, first };
  if (first.type === 'over') tx.startSpare(work, told);
  else tx.start(work, told);
};

/** None where the transaction has several contacts, or is one of many. */
const runOfPass = (runs: readonly RunToAdvance[]): RunToAdvance | undefined => {
  const last = runs.at(-1);
  const isOne = runs.every(({ contactId, inBulk }) => contactId === last?.contactId && !inBulk);
  return isOne ? last : undefined;
};

const passOver = async (
  tx: EventTransaction,
  { id: runId, resumes, flowId, version, begun }: RunToAdvance,
  { readVersion, urls }: { readVersion: ReadVersion; urls: Urls },
): Promise<MadePass | undefined> => {
  const snapshot = await readUnderLock(tx.sql, { runId, resumes, flowId, version }, readVersion);
  return snapshot && makePass(tx, snapshot, { urls, tells: begun ? 'start' : 'wake' });
};
