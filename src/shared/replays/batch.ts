import type { Sql } from '../platform/db/connect.ts';
import { changed } from '../facts/changed.ts';
import type { EventTransaction } from '../facts/tell.ts';
import { startRounds } from '../deliveries/replay.ts';
import { checkPreconditions } from '../webhooks/preconditions.ts';
import { listMatching, type Candidate, type ReplayableStatus } from './filter.ts';
import { listParkedAgain } from './parked-again.ts';
import { advanceReplay, lockAnyReplay, setReplayStatus, type ReplayRow } from './queries.ts';
import type { BatchResult, ReplayProgress, StopReason } from './types.ts';

/** The most replayed rounds in progress while a replay adds to them. Deliveries to a slow receiver wait here. */
const roundsInProgress = 1_000;

/** `limit` is the most deliveries that the batch may take; `replayId` is the UUID. */
export type Batch = { replayId: string; resumes: number; limit: number };

/**
 * Takes one batch of a replay, oldest deliveries first. It begins their new rounds and moves the cursor past them in the caller's transaction,
 * so that none is taken twice, whichever workflow or process takes the next batch. A replay that was paused or cancelled is left as it is.
 * A replay whose webhook may not be sent to stops.
 */
export const takeBatch = async (tx: EventTransaction, { replayId, resumes, limit }: Batch): Promise<BatchResult> => {
  const replay = await lockAnyReplay(tx.sql, replayId);
  if (!replay) return { type: 'cancelled', total: 0, replayed: 0, skipped: 0 };
  if (replay.status !== 'running') return { type: replay.status, ...progressOf(replay) };
  if (replay.resumes !== resumes) return { type: 'superseded', ...progressOf(replay) };
  const { accountId, webhookId } = replay;
  await tx.tell(changed(accountId, 'replays', 'deliveries'));
  const reason = webhookId === null ? undefined : (await checkPreconditions(tx.sql, [webhookId])).get(webhookId);
  if (reason) return stop(tx.sql, replay, reason);
  if (limit === 0) return { type: 'more', ...(await advanceReplay(tx.sql, replay, nothingTaken)) };
  return replay.parkedAgainCursor === null ? takeNext(tx, replay, limit) : takeParkedAgain(tx, replay, limit);
};

const nothingTaken = { replayed: 0, skipped: 0, finished: false };

/** Takes the next deliveries after the cursor. */
const takeNext = async (tx: EventTransaction, replay: ReplayRow, limit: number): Promise<BatchResult> => {
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
 * A resumed replay begins once more what it had begun and was parked again, because its webhook could not be sent to. Such a delivery counts
 * as replayed already. When it is not begun now, because its webhook still may not be sent to or it has had its last round, it counts as
 * skipped instead.
 */
const takeParkedAgain = async (tx: EventTransaction, replay: ReplayRow, limit: number): Promise<BatchResult> => {
  const { parked, lookedAt } = await listParkedAgain(tx.sql, replay, limit);
  const sendable = await findSendable(tx.sql, parked);
  if (sendable === 'plan_lapsed') return stop(tx.sql, replay, sendable);
  const begun = await replayThese(tx, replay, { candidates: sendable, statuses: ['parked'] });
  const skipped = parked.length - begun;
  const taken = { parkedAgainCursor: lookedAt, replayed: -skipped, skipped, finished: false };
  return { type: 'more', ...(await advanceReplay(tx.sql, replay, taken)) };
};

/** Those that may be sent to, asked under their locks. A lapsed plan stops the replay, and skips nothing. */
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
  const stopped = await setReplayStatus(sql, replay.id, { status, reason });
  return { type: status, ...progressOf(stopped ?? replay) };
};

/**
 * The pace of a replay, and how many more deliveries there is room for. Undefined when there is no such replay. It counts hardly further than
 * the bound. `replayId` is the UUID.
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

/** Locks the candidates, and begins those that still have one of these statuses. */
const replayThese = async (
  tx: EventTransaction,
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
