import type { Sql } from '../platform/db/connect.ts';
import type { Transaction } from '../platform/dispatch/transact.ts';
import { startRounds } from '../deliveries/replay.ts';
import { checkPreconditions } from '../webhooks/preconditions.ts';
import { listMatching, type Candidate, type ReplayableStatus } from './filter.ts';
import { listParkedAgain } from './parked-again.ts';
import { advanceReplay, lockAnyReplay, stopReplay, type ReplayRow } from './queries.ts';
import type { BatchResult, ReplayProgress, StopReason } from './types.ts';

/** As many replayed rounds may be in progress while a replay adds to them: what is behind a slow receiver waits here. */
const roundsInProgress = 1_000;

/** `limit`: deliveries that it may take. `replayId` is the UUID. */
export type Batch = { replayId: string; resumes: number; limit: number };

/**
 * One batch of a replay, oldest deliveries first: begins their new rounds and moves the cursor past them in the caller's
 * transaction, so that none is taken twice, whichever workflow or process takes the next one. A replay that was paused or
 * cancelled is left as it is; one whose webhook may not be sent to stops.
 */
export const takeBatch = async (tx: Transaction, { replayId, resumes, limit }: Batch): Promise<BatchResult> => {
  const replay = await lockAnyReplay(tx.sql, replayId);
  if (!replay) return { type: 'cancelled', total: 0, replayed: 0, skipped: 0 };
  if (replay.status !== 'running') return { type: replay.status, ...progressOf(replay) };
  if (replay.resumes !== resumes) return { type: 'superseded', ...progressOf(replay) };
  const { webhookId } = replay;
  const reason = webhookId === null ? undefined : (await checkPreconditions(tx.sql, [webhookId])).get(webhookId);
  if (reason) return stop(tx.sql, replay, reason);
  if (limit === 0) return { type: 'more', ...(await advanceReplay(tx.sql, replay, nothingTaken)) };
  return replay.parkedAgainCursor === null ? takeNext(tx, replay, limit) : takeParkedAgain(tx, replay, limit);
};

const nothingTaken = { replayed: 0, skipped: 0, finished: false };

/** The next ones after the cursor. */
const takeNext = async (tx: Transaction, replay: ReplayRow, limit: number): Promise<BatchResult> => {
  const { accountId, cursor: after, upTo, statuses } = replay;
  const candidates = await listMatching(tx.sql, accountId, replay, { after, upTo, limit });
  const sendable = await findSendable(tx.sql, candidates);
  if (sendable === 'plan_lapsed') return stop(tx.sql, replay, sendable);
  const replayed = await replayThese(tx, replay, { candidates: sendable, statuses });
  const finished = candidates.length < limit;
  const progress = await advanceReplay(tx.sql, replay, {
    cursor: candidates.at(-1)?.id ?? after,
    replayed,
    skipped: candidates.length - replayed,
    finished,
  });
  return { type: finished ? 'finished' : 'more', ...progress };
};

/**
 * Of a replay that was resumed: what it had begun and was parked again, because its webhook could not be sent to, is begun once
 * more. It has been counted as replayed; where it is not begun, because nothing can be sent to its webhook yet or it has had its
 * last round, it counts as skipped from now on.
 */
const takeParkedAgain = async (tx: Transaction, replay: ReplayRow, limit: number): Promise<BatchResult> => {
  const { parked, lookedAt } = await listParkedAgain(tx.sql, replay, limit);
  const sendable = await findSendable(tx.sql, parked);
  if (sendable === 'plan_lapsed') return stop(tx.sql, replay, sendable);
  const begun = await replayThese(tx, replay, { candidates: sendable, statuses: ['parked'] });
  const skipped = parked.length - begun;
  const taken = { parkedAgainCursor: lookedAt, replayed: -skipped, skipped, finished: false };
  return { type: 'more', ...(await advanceReplay(tx.sql, replay, taken)) };
};

/** Those that may be sent to; asked under the locks that a change of plan waits for: a lapsed plan passes nothing over. */
const findSendable = async (sql: Sql, candidates: readonly Candidate[]): Promise<Candidate[] | 'plan_lapsed'> => {
  const unmet = await checkPreconditions(
    sql,
    candidates.map((to) => to.webhookId),
  );
  if ([...unmet.values()].includes('plan_lapsed')) return 'plan_lapsed';
  return candidates.filter((to) => unmet.has(to.webhookId) && !unmet.get(to.webhookId));
};

const progressOf = ({ total, replayed, skipped }: ReplayProgress): ReplayProgress => ({ total, replayed, skipped });

const stop = async (sql: Sql, replay: ReplayRow, reason: StopReason): Promise<BatchResult> => {
  const status = reason === 'webhook_deleted' ? 'cancelled' : 'paused';
  const stopped = await stopReplay(sql, replay.id, { status, reason });
  return { type: status, ...progressOf(stopped ?? replay) };
};

/**
 * How fast a replay goes, and for how many more deliveries there is room; undefined for one that is not there. Never counts
 * much further than the bound. `replayId` is the UUID.
 */
export const findRoom = async (sql: Sql, replayId: string): Promise<{ pace: number; room: number } | undefined> => {
  const [row] = await sql<{ pace: number; inProgress: number }[]>`
    select r.pace, (
      select count(*)::int from (
        select 1 from deliveries d
        where d.account_id = r.account_id and (r.webhook_id is null or d.webhook_id = r.webhook_id)
          and d.in_progress and d.round > 1
        limit ${roundsInProgress}) as replayed) as in_progress
    from replays r where r.id = ${replayId}`;
  return row && { pace: row.pace, room: Math.max(0, roundsInProgress - row.inProgress) };
};

/** Begins those of the candidates that still have one of these statuses now that they are locked. */
const replayThese = async (
  tx: Transaction,
  replay: ReplayRow,
  { candidates, statuses }: { candidates: readonly Candidate[]; statuses: readonly ReplayableStatus[] },
): Promise<number> => {
  if (candidates.length === 0) return 0;
  const locked = await tx.sql<{ id: string }[]>`
    select id from deliveries
    where id = any(${candidates.map(({ id }) => id)}::uuid[]) and status = any(${[...statuses]}) and not in_progress
    order by id for update`;
  return startRounds(
    tx,
    locked.map(({ id }) => id),
    { by: replay.ofReEnabling ? 're_enabling' : 'bulk_replay', replayId: replay.id },
  );
};
