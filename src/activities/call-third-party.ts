import { setTimeout as sleep } from 'node:timers/promises';
import { asyncLocalStorage } from '@temporalio/activity';
import { attemptRequest, type MadeAttempt } from '../shared/external-requests/attempt-request.ts';
import type { JudgeResponse } from '../shared/external-requests/judge-on-thread.ts';
import { canRenew, renewAll } from '../shared/external-requests/open-with-tokens.ts';
import type { Renewed, Tokens } from '../shared/credentials/oauth2/tokens.ts';
import { readId, showId } from '../shared/ids.ts';
import { busy } from '../shared/platform/bulkhead/busy.ts';
import type { Database } from '../shared/platform/db/connect.ts';
import { withDeadline } from '../shared/platform/deadline.ts';
import type { FirstPasses } from '../shared/platform/dispatch/first-passes.ts';
import type { Egress } from '../shared/platform/egress/client.ts';
import type { Logger } from '../shared/platform/log.ts';
import { askForRun } from '../shared/runs/engine/ask-for-run.ts';
import { carriedRun, type CarriedRun } from '../shared/runs/engine/read-snapshot.ts';
import type { AttemptDeps, AttemptToMake, BegunAttempt } from '../shared/runs/requests/attempt-to-make.ts';
import { beginAttempt } from '../shared/runs/requests/begin-attempt.ts';
import {
  finishAttempt,
  giveUpAttempt,
  withdrawAttempt,
  type FinishedAttempt,
} from '../shared/runs/requests/finish-attempt.ts';
import type { LocalRequests } from '../shared/runs/requests/local-requests.ts';
import type { RequestWatch } from '../shared/runs/requests/watch-requests.ts';
import type { RunMetrics } from '../shared/runs/metrics.ts';
import type { AttemptResult, RunFlow } from '../shared/runs/types.ts';
import { createVersions } from '../shared/runs/engine/versions.ts';
import { hasFailed, requestFailed } from '../shared/runs/requests/request-failed.ts';
import { tellEnd, tellPassFailure } from './tell-run.ts';

/** `callEgress` has connections of its own, so that requests of flows hold up no delivery. */
export type ThirdPartyDeps = Omit<AttemptDeps, 'readVersion'> & {
  db: Database;
  callEgress: Egress;
  tokens: Tokens;
  firstPasses: Pick<FirstPasses, 'passed'>;
  localRequests: LocalRequests;
  requestWatch: RequestWatch;
  judgeResponse?: JudgeResponse;
  log: Logger;
  metrics: RunMetrics;
};

/** Temporal takes an activity that is silent for 20 s for lost. */
const heartbeatMs = 5_000;

/** How long the outcome of an attempt that was made is kept in memory while the database is away, in ms, and how long it is waited for at once. */
const bookkeeping = { patienceMs: 30_000, atOnceMs: 10_000, pauseMs: 500 };

/** The delay until an attempt is made again for which this process had no connection left, in ms. */
const busyAwayMs = 1_000;

/**
 * Makes one attempt of a request of a run's step; as a local activity the first one alone, where `lane` has a slot. Idempotent by its row: one that may be under way is waited for, one that is recorded is
 * not made again, and one of which nobody knows what became is made again only where that does no harm. Throws an attempt that got no good
 * answer, where the run's workflow reads that; and our own faults before anything is sent, after that only when the outcome could not be written
 * down for half a minute.
 */
export const callThirdParty = (given: ThirdPartyDeps) => {
  const deps = { ...given, readVersion: createVersions() };
  return async (run: RunFlow, step: number, lane = ''): Promise<AttemptResult> => {
    deps.firstPasses.passed(readId('run', run.runId));
    const isLocal = asyncLocalStorage.getStore()?.info.isLocal ?? false;
    const result = await askForRun(deps.db, run, async () => {
      const { next, ...made } = isLocal ? await attemptHere(deps, run, { step, lane }) : await attempt(deps, run, step);
      return {
        ...made,
        ...(run.nextInResult && next && { next: isLocal ? deps.localRequests.place(next) : next }),
      };
    });
    if (run.failsVisibly && hasFailed(result) && !isLocal) throw requestFailed(result);
    return result;
  };
};

/** Makes a first attempt in a workflow task. */
const attemptHere = async (
  deps: Deps,
  run: RunFlow,
  { step, lane }: { step: number; lane: string },
): Promise<AttemptResult> => {
  using slot = deps.localRequests.begin(lane);
  return slot ? await attempt(deps, run, step, { firstOnly: true }) : { ordinary: true };
};

type Deps = ThirdPartyDeps & AttemptDeps;

const attempt = async (deps: Deps, run: RunFlow, step: number, { firstOnly = false } = {}): Promise<AttemptResult> => {
  const context = asyncLocalStorage.getStore();
  const heart = setInterval(() => context?.heartbeat(), heartbeatMs);
  const key = carriedRun(run);
  using watched = deps.requestWatch.watch({ runId: key.runId, step });
  const signal = context ? AbortSignal.any([context.cancellationSignal, watched.signal]) : watched.signal;
  try {
    const todo = await begin(deps, key, { step, firstOnly, signal });
    if (todo.type === 'none') {
      if (todo.ended) tellEnd(deps, todo.ended);
      return todo.next ? { next: todo.next } : {};
    }
    if (todo.type === 'later') return { retryInMs: todo.ms, ...(todo.heldBy && { reason: todo.heldBy }) };
    if (todo.type === 'ordinary') return { ordinary: true };
    return await make(deps, todo, signal);
  } finally {
    clearInterval(heart);
  }
};

/** Access tokens that are over are renewed between two transactions, before the attempt is written down: their time is not the request's. */
const begin = async (
  deps: Deps,
  key: CarriedRun,
  { step, firstOnly, signal }: { step: number; firstOnly: boolean; signal: AbortSignal },
): Promise<Exclude<AttemptToMake, { type: 'tokens' }>> => {
  const todo = await beginAttempt(deps, key, { step, firstOnly });
  if (todo.type !== 'tokens') return todo;
  let renewed: Renewed;
  try {
    renewed = await renewAll(deps.tokens, todo.accountId, todo.due, signal);
  } catch (error) {
    // The run was cancelled, or this process stops: nothing was sent.
    if (signal.aborted) return { type: 'none' };
    throw error;
  }
  const then = await beginAttempt(deps, key, { step, renewed });
  // It asks for tokens only while it does not know their outcome.
  if (then.type === 'tokens') throw new TypeError('tokens were asked for twice');
  return then;
};

const make = async (deps: Deps, begun: BegunAttempt, signal: AbortSignal): Promise<AttemptResult> => {
  let made: Awaited<ReturnType<typeof attemptRequest>>;
  try {
    made = await attemptRequest(deps.callEgress, { ...begun, judgeResponse: deps.judgeResponse, signal });
  } catch (error) {
    await giveUpAttempt(deps, begun);
    // The run was cancelled, or this process stops. Where the run goes on, its next pass finds what is to be done about the request.
    if (signal.aborted) return {};
    throw error;
  }
  if (made.type === 'busy') {
    await withdrawAttempt(deps, begun);
    throw busy(busyAwayMs);
  }
  const told = await tellUnauthorized(deps.tokens, begun, made);
  const finished = await keepTrying(() => finishAttempt(deps, begun, told));
  tell(deps.log, begun, made, finished);
  if (finished.failure) tellPassFailure(deps.log, begun.runId, finished.failure.error);
  if (finished.ended) tellEnd(deps, finished.ended);
  if (finished.origin) deps.metrics.originChanged(finished.origin);
  deps.metrics.requestMade(made.outcome.type === 'answered' ? 'answered' : 'failed', made.result.durationMs / 1000);
  return { ...finished.result, ...(finished.next && { next: finished.next }) };
};

/** A 401 ends the access token that was sent. The first one of a request is repeated with another. */
const tellUnauthorized = async (tokens: Tokens, begun: BegunAttempt, made: MadeAttempt): Promise<MadeAttempt> => {
  const { outcome } = made;
  if (begun.wasUnauthorized || outcome.type !== 'answered') return made;
  const reject = () => canRenew(tokens, begun.accountId, begun.credentials, made);
  // Without the database the answer counts as it came: it has to be recorded.
  const renewsToken = await withDeadline(bookkeeping.atOnceMs, 'ending an access token', reject).catch(() => false);
  return renewsToken ? { ...made, outcome: { ...outcome, renewsToken } } : made;
};

/** What was sent cannot be taken back, so its outcome is worth some patience. */
const keepTrying = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const untilMs = performance.now() + bookkeeping.patienceMs;
  for (;;) {
    try {
      return await withDeadline(bookkeeping.atOnceMs, 'recording the outcome of an attempt', work);
    } catch (error) {
      if (performance.now() > untilMs) throw error;
      await sleep(bookkeeping.pauseMs);
    }
  }
};

const tell = (
  log: Logger,
  { runId, accountId, step, blockId, number, item }: BegunAttempt,
  { result: { durationMs, ...sent }, outcome, redactor }: MadeAttempt,
  { result, origin }: FinishedAttempt,
): void => {
  const ids = { run_id: showId('run', runId), account_id: showId('account', accountId), step, block_id: blockId };
  const came =
    outcome.type === 'answered' ? { status: outcome.status, reason: outcome.reason } : { reason: outcome.reason };
  const message = sent.type === 'failed' ? redactor.excerpt(sent.message, 200) : undefined;
  log.info(
    {
      ...ids,
      try: number,
      item: item?.index,
      outcome: outcome.type,
      ...came,
      message,
      duration_ms: durationMs,
      retry_in_ms: result.retryInMs,
    },
    'request.made',
  );
  if (origin) log.warn(ids, `origin.${origin}`);
};
