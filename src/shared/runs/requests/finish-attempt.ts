import { afterTry, type Port } from '../../external-requests/after-try.ts';
import { leaveOrigin } from '../../external-requests/breaker.ts';
import { findLastRequest, settleRequest, withdrawRequest } from '../../external-requests/log.ts';
import type { MadeCall } from '../../external-requests/make-call.ts';
import { showCall } from '../../external-requests/show-call.ts';
import { atCall, leaveCall, planNextTry, postponeCall } from './at-request.ts';
import type { BegunCall, CallDeps } from './begin-attempt.ts';
import { endedRun, type EndedRun } from '../engine/ended-run.ts';
import { readScene } from '../engine/read-snapshot.ts';
import { storeOutcome } from '../engine/store.ts';
import type { CallResult } from '../types.ts';

/** What became of a call, for the workflow and for the log. `ended` is the run where it has failed. */
export type FinishedCall = {
  result: CallResult;
  origin: 'opened' | 'closed' | undefined;
  ended?: EndedRun | undefined;
};

/**
 * The second transaction of a call. The outcome is written in any case. While the run is still at this very try, all mapped fields and the
 * port are written with it, or the time of the next try.
 */
export const finishCall = (
  { transact, readVersion, baseUrl, apiUrl }: CallDeps,
  begun: BegunCall,
  made: MadeCall,
): Promise<FinishedCall> =>
  transact(async (tx): Promise<FinishedCall> => {
    const { sql } = tx;
    const { fence, step, id, number, config, accountId, origin, isProbe, rendered } = begun;
    const scene = atCall(await readScene(sql, fence, readVersion), step);
    const last = await findLastRequest(sql, begun);
    const isLast = last?.id === id && last.isOpen;
    const after = afterTry(config, number, made.outcome);
    const settle = (settled: { port?: Port; isRepeated: boolean }) =>
      settleRequest(sql, id, { state: made.call.type, shown: showCall(rendered, made), ...settled });
    const came = cameOf(made);
    const finish = async (result: CallResult): Promise<FinishedCall> => ({
      result: { ...came, ...result },
      // Last: the row is shared by all who call this origin.
      origin: await leaveOrigin(sql, { accountId, origin }, { outcome: made.outcome, isProbe }),
    });
    if (!scene || !isLast) {
      // A later workflow of this run may have to make it again.
      await settle({ isRepeated: isLast });
      return finish({});
    }
    if (after.type === 'retry') {
      await settle({ isRepeated: true });
      await postponeCall(sql, fence.runId, { ms: after.inMs, reason: 'next_try' });
      return finish({ retryInMs: after.inMs });
    }
    const fields = made.mapped.ok ? made.mapped.fields : [];
    const outcome = leaveCall(scene, { port: after.port, reason: after.reason ?? null, fields });
    const stored = await storeOutcome(tx, { scene, outcome, baseUrl, apiUrl });
    // The run may have failed instead: a contact can have only so many fields.
    const taken = stored.type === 'more' && { port: after.port };
    await settle({ isRepeated: false, ...taken });
    return { ...(await finish({ ...taken })), ended: endedRun(scene, stored) };
  });

/** What Temporal's UI shows of a try: numbers and words of ours. */
const cameOf = ({ call, outcome }: MadeCall): CallResult => {
  if (outcome.type === 'failed')
    return { reason: outcome.reason, ...(call.response && { status: call.response.status }) };
  return { status: outcome.status };
};

/** Takes back a call by which nobody was asked, because too much is under way here. */
export const withdrawCall = ({ transact }: CallDeps, begun: BegunCall): Promise<void> =>
  transact(async ({ sql }) => {
    await planNextTry(sql, begun);
    await withdrawRequest(sql, begun, begun);
  });

/** Writes down of a call that was broken off that nobody knows what became of it. */
export const giveUpCall = ({ transact }: CallDeps, { id }: BegunCall): Promise<void> =>
  transact(({ sql }) => settleRequest(sql, id, { state: 'unknown', reason: 'outcome_unknown', isRepeated: true }));
