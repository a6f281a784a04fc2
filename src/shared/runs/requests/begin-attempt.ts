import type { Renewed } from '../../credentials/oauth2/tokens.ts';
import { countRequests, findLastRequest, type LastRequest } from '../../external-requests/log.ts';
import { changed } from '../../facts/changed.ts';
import { readSnapshot, type CarriedRun } from '../engine/read-snapshot.ts';
import { withFiles } from '../engine/with-files.ts';
import { atRequest, heldBy, type SnapshotAtRequest } from './at-request.ts';
import { leave, lostAfterMs, type AttemptDeps, type AttemptToMake } from './attempt-to-make.ts';
import { findRound, settleLost, type Settled } from './rounds.ts';
import { writeAttempt } from './write-attempt.ts';

/** A wait that is over but for this is over: clocks differ a little. */
const toleranceMs = 100;

/**
 * The first transaction of an attempt: decides under the run's lock whether one is to be sent, and writes it down before it is. What was rendered
 * at the first attempt is sent again. `renewed` is the outcome of tokens that it has asked for. `firstOnly` leaves all but a first attempt with its
 * tokens to another activity. Throws for our own faults, and nothing has been sent then.
 */
export const beginAttempt = (
  deps: AttemptDeps,
  key: CarriedRun,
  { step, renewed, firstOnly = false }: { step: number; renewed?: Renewed; firstOnly?: boolean },
): Promise<AttemptToMake> =>
  deps.transact(async (tx): Promise<AttemptToMake> => {
    const [read, last, counted] = await Promise.all([
      readSnapshot(tx.sql, key, deps.readVersion),
      findLastRequest(tx.sql, { runId: key.runId, step }),
      countRequests(tx.sql, key.runId),
    ]);
    const found = atRequest(read, step);
    if (!found) return { type: 'none' };
    const snapshot = await withFiles(tx.sql, found, deps);
    await tx.tell(changed(snapshot.row.accountId, 'runs'));
    // Of one that has a port the next item may follow, with a first attempt of its own.
    if (firstOnly && last && last.port === null) return { type: 'ordinary' };
    const left = waitOf(snapshot, last);
    if (left > toleranceMs) return { type: 'later', ms: Math.ceil(left), heldBy: heldBy(snapshot.run) };
    const { config } = snapshot.requestOf(snapshot.step.blockId);
    const settled: Settled =
      last && isLost(snapshot, last) ? await settleLost(tx.sql, { snapshot, config }, last) : { last };
    if (settled.answer) return leave(tx, deps, snapshot, settled.answer);
    const round = await findRound(tx.sql, { snapshot, config }, settled.last);
    if (round.type === 'answer') return leave(tx, deps, snapshot, round.answer);
    return writeAttempt(deps, tx, { snapshot, round, previousId: last?.id ?? null, key, renewed, firstOnly, counted });
  });

/** How long nothing is to be done: somebody may be sending, or the time of the next attempt has not come. */
const waitOf = ({ run, context }: SnapshotAtRequest, last: LastRequest | undefined): number => {
  if (last?.state === 'sending') return last.timeoutMs + lostAfterMs - last.ageMs;
  return run.wakeAt === null ? 0 : run.wakeAt.getTime() - context.now.getTime();
};

/**
 * Nobody knows what became of the last attempt, or only a workflow before this one does, whose answer came too late to be taken: no other attempt
 * was planned after it.
 */
const isLost = ({ run }: SnapshotAtRequest, { state, port }: LastRequest): boolean =>
  port === null && (state === 'sending' || state === 'unknown' || run.wakeAt === null);
