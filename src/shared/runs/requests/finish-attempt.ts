import type { EventTransaction } from '../../facts/tell.ts';
import { afterAttempt, type Port } from '../../external-requests/after-attempt.ts';
import { leaveOrigin } from '../../external-requests/breaker.ts';
import { findLastRequest, settleRequest, withdrawRequest } from '../../external-requests/log.ts';
import type { MadeAttempt } from '../../external-requests/attempt-request.ts';
import { showAttempt, type ShownAttempt } from '../../external-requests/show-attempt.ts';
import type { EndedRun } from '../engine/ended-run.ts';
import { makePass, nextOf, type MadePass } from '../engine/make-pass.ts';
import { readSnapshot } from '../engine/read-snapshot.ts';
import type { ReadSnapshot } from '../engine/snapshot-row.ts';
import type { Urls } from '../engine/store.ts';
import type { AttemptResult, Next } from '../types.ts';
import { atRequest, planNextAttempt, postponeAttempt, withAnswer } from './at-request.ts';
import type { AttemptDeps, BegunAttempt } from './attempt-to-make.ts';
import { endItem } from './rounds.ts';
import { changed } from '../../facts/changed.ts';

/**
 * What became of an attempt, for the workflow and for the log. `next` is what the run does now, where the pass behind the request was made with it;
 * `ended` is the run where that has ended it, and `failure` why that pass was left to the workflow.
 */
export type FinishedAttempt = {
  result: AttemptResult;
  origin: 'opened' | 'closed' | undefined;
  next?: Next | undefined;
  ended?: EndedRun | undefined;
  failure?: PassFailure | undefined;
};

/** A fault of ours, in a pass or in the commit of its transaction. */
type PassFailure = { error: unknown };

/**
 * The second transaction of an attempt. The outcome is written in any case. While the run is still at this very attempt, the time of the next one is
 * written with it, or all mapped fields and the port, and the pass behind it is made in a savepoint. Where that pass cannot be made, for a fault of
 * ours, the outcome is written alone: the workflow then asks for the pass, until the fault is gone.
 */
export const finishAttempt = async (
  deps: AttemptDeps,
  begun: BegunAttempt,
  made: MadeAttempt,
): Promise<FinishedAttempt> => {
  const finish = (onlyStep: boolean) => deps.transact((tx) => write(tx, deps, { begun, made, onlyStep }));
  try {
    return await finish(false);
  } catch (error) {
    // The fault may show only when the transaction commits.
    return { ...(await finish(true)), failure: { error } };
  }
};

type Finish = { begun: BegunAttempt; made: MadeAttempt; onlyStep: boolean };

const write = async (
  tx: EventTransaction,
  deps: AttemptDeps,
  { begun, made, onlyStep }: Finish,
): Promise<FinishedAttempt> => {
  const { sql } = tx;
  const { runId, step, id, number, item, wasUnauthorized, config, accountId, origin, isProbe, rendered } = begun;
  await tx.tell(changed(accountId, 'runs'));
  const [read, last] = await Promise.all([readSnapshot(sql, begun, deps.readVersion), findLastRequest(sql, begun)]);
  const snapshot = atRequest(read, step);
  // Of one that has a port its item is over, and the next one may wait.
  const isLast = last?.id === id && last.isOpen && last.port === null;
  const after = afterAttempt(config, wasUnauthorized ? number - 1 : number, made.outcome);
  const shown = showAttempt(rendered, made);
  const settle = (settled: { port?: Port; isRepeated: boolean }, why: Partial<ShownAttempt> | false = false) =>
    settleRequest(sql, id, { state: made.result.type, shown: { ...shown, ...why }, ...settled });
  const outcome = { ...outcomeOf(made), ...(item && { item: item.index }) };
  const finish = async (result: AttemptResult): Promise<FinishedAttempt> => ({
    result: { ...outcome, ...result },
    // Last: the row is shared by all requests to this origin.
    origin: await leaveOrigin(sql, { accountId, origin }, { outcome: made.outcome, isProbe }),
  });
  if (!snapshot || !isLast) {
    // A later workflow of this run may have to make it again.
    return settleAndFinish(settle({ isRepeated: isLast }), finish({}));
  }
  if (after.type === 'retry') {
    await settle({ isRepeated: true });
    await postponeAttempt(sql, runId, { ms: after.inMs, reason: 'next_try' });
    return finish({ attempt: number, retryInMs: after.inMs });
  }
  const fields = made.mapped.ok ? made.mapped.fields : [];
  const came = { port: after.port, reason: after.reason, fields };
  const taken = item
    ? await endItem(sql, { snapshot, config }, { ...came, index: item.index })
    : { ...came, answer: came };
  const { port, answer } = taken;
  // An item whose results do not fit has failed by its mapping.
  const why = 'problem' in taken && { reason: 'mapping', detail: taken.problem };
  const failed = port !== 'success' && { attempt: number, ...(why && { reason: why.reason }) };
  if (!answer) {
    await settle({ isRepeated: false, port }, why);
    await postponeAttempt(sql, runId, { ms: 0, reason: 'next_item' });
    const next = { type: 'call', step, blockId: begun.blockId, item: (item?.index ?? 0) + 1 } as const;
    return { ...(await finish({ port, ...failed })), next: nextOf(snapshot, next) };
  }
  const { pass, next, ended, failure } = await passBehind(tx, withAnswer(snapshot, answer), { urls: deps, onlyStep });
  // The run may have failed instead: a contact can have only so many fields.
  const isTaken = pass.steps.some(({ number: of, port: by }) => of === step && by === answer.port);
  const left = isTaken && { port };
  const finished = await settleAndFinish(settle({ isRepeated: false, ...left }, why), finish({ ...left, ...failed }));
  return { ...finished, next, ended, failure };
};

/** Both statements are sent together. */
const settleAndFinish = async (
  settling: Promise<void>,
  finishing: Promise<FinishedAttempt>,
): Promise<FinishedAttempt> => (await Promise.all([settling, finishing]))[1];

/**
 * The step's own end is written in any case, and the blocks behind it where they can be. `next` is undefined where they could not: the workflow asks for
 * them until they succeed.
 */
const passBehind = async (
  tx: EventTransaction,
  snapshot: ReadSnapshot,
  { urls, onlyStep }: { urls: Urls; onlyStep: boolean },
): Promise<Omit<MadePass, 'next'> & Pick<FinishedAttempt, 'next' | 'failure'>> => {
  const made: MadePass | PassFailure | undefined = onlyStep
    ? undefined
    : await tx.savepoint((inner) => makePass(inner, snapshot, { urls })).catch((error: unknown) => ({ error }));
  if (made && 'next' in made) return made;
  const { next: _, ...step } = await makePass(tx, snapshot, { urls, onlyStep: true });
  return { ...step, failure: made };
};

/** What Temporal's UI shows of an attempt: numbers and words of ours. */
const outcomeOf = ({ result, outcome }: MadeAttempt): AttemptResult => {
  if (outcome.type === 'failed')
    return { reason: outcome.reason, ...(result.response && { status: result.response.status }) };
  return { ...(outcome.reason !== undefined && { reason: outcome.reason }), status: outcome.status };
};

/** Takes back an attempt by which nobody was asked, because too much is under way here. */
export const withdrawAttempt = ({ transact }: AttemptDeps, begun: BegunAttempt): Promise<void> =>
  transact(async ({ sql, tell }) => {
    await tell(changed(begun.accountId, 'runs'));
    await planNextAttempt(sql, begun);
    await withdrawRequest(sql, begun, begun);
  });

/** Writes down of an attempt that was broken off that nobody knows what became of it. */
export const giveUpAttempt = ({ transact }: AttemptDeps, { id, accountId }: BegunAttempt): Promise<void> =>
  transact(async ({ sql, tell }) => {
    await tell(changed(accountId, 'runs'));
    await settleRequest(sql, id, { state: 'unknown', reason: 'outcome_unknown', isRepeated: true });
  });
