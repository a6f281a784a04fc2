import { planAllowsWebhooks, type Plan } from '../accounts/plans.ts';
import type { Sql } from '../db/connect.ts';
import type { Transaction } from '../db/transact.ts';
import { startRounds } from '../deliveries/replay.ts';
import { findObstacles } from '../webhooks/obstacles.ts';
import { matching } from './filter.ts';
import { advanceReplay, lockAnyReplay, stopReplay, type ReplayRow } from './queries.ts';
import type { BatchResult, ReplayProgress, ReplayStatus, StopReason } from './types.ts';

/** As many rounds of an account may be in progress while a replay adds to them: what is behind a slow receiver waits here. */
const roundsInProgress = 1_000;

const nothing: ReplayProgress = { total: 0, replayed: 0, skipped: 0 };

/**
 * One batch of a replay, oldest deliveries first: begins their new rounds and moves the cursor past them in the caller's
 * transaction, so that none is taken twice, whichever workflow or process takes the next one. A replay that was paused or
 * cancelled is left as it is; one whose webhook may not be sent to stops. `replayId` is the UUID.
 */
export const takeBatch = async (
  tx: Transaction,
  { replayId, resumes }: { replayId: string; resumes: number },
): Promise<BatchResult> => {
  const replay = await lockAnyReplay(tx.sql, replayId);
  if (!replay) return { type: 'cancelled', ...nothing };
  if (replay.status !== 'running') return { type: replay.status, ...progressOf(replay) };
  if (replay.resumes !== resumes) return { type: 'superseded', ...progressOf(replay) };
  const reason = await findStopReason(tx.sql, replay);
  if (reason) return stop(tx.sql, replay, reason === 'webhook_deleted' ? 'cancelled' : 'paused', reason);
  const room = Math.min(replay.pace, roundsInProgress - (await countInProgress(tx.sql, replay.accountId)));
  if (room <= 0)
    return { type: 'more', ...(await advanceReplay(tx.sql, replay, { ...untouched, cursor: replay.cursor })) };
  const candidates = await listNext(tx.sql, replay, room);
  const replayed = await replayThese(tx, replay, candidates);
  const taken = { replayed, skipped: candidates.length - replayed };
  const progress = await advanceReplay(tx.sql, replay, { cursor: candidates.at(-1)?.id ?? replay.cursor, ...taken });
  return candidates.length < room ? stop(tx.sql, replay, 'finished', null) : { type: 'more', ...progress };
};

const untouched = { replayed: 0, skipped: 0 };

const progressOf = ({ total, replayed, skipped }: ReplayProgress): ReplayProgress => ({ total, replayed, skipped });

const stop = async (
  sql: Sql,
  { id }: ReplayRow,
  status: Exclude<ReplayStatus, 'running'>,
  reason: StopReason | null,
): Promise<BatchResult> => {
  const stopped = await stopReplay(sql, id, { status, reason });
  return { type: status, ...(stopped ? progressOf(stopped) : nothing) };
};

/** What keeps the whole replay from going on; under a lock of its webhook, where it is about one. */
const findStopReason = async (sql: Sql, { accountId, webhookId }: ReplayRow): Promise<StopReason | undefined> => {
  if (webhookId !== null) return (await findObstacles(sql, [webhookId])).get(webhookId);
  const [account] = await sql<{ plan: Plan }[]>`select plan from accounts where id = ${accountId}`;
  return account && planAllowsWebhooks(account.plan) ? undefined : 'plan_lapsed';
};

/** Never counts much further than the bound. Delivered ones that are sent again have an index of their own. */
const countInProgress = async (sql: Sql, accountId: string): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      (select 1 from deliveries where account_id = ${accountId} and status in ('pending', 'retrying') and status <> 'delivered'
        limit ${roundsInProgress})
      union all
      (select 1 from deliveries where account_id = ${accountId} and status = 'delivered' and sweep_at is not null
        limit ${roundsInProgress})) as unfinished`;
  return row?.count ?? 0;
};

type Candidate = { id: string; webhookId: string };

const listNext = (sql: Sql, replay: ReplayRow, limit: number): Promise<Candidate[]> => sql<Candidate[]>`
  select id, webhook_id from deliveries
  where ${matching(sql, replay.accountId, replay)} and id <= ${replay.upTo}
    ${replay.cursor === null ? sql`` : sql`and id > ${replay.cursor}`}
  order by id limit ${limit}`;

/** Those of the candidates that can be sent, and still are what the filter asks for now that they are locked. */
const replayThese = async (tx: Transaction, { statuses }: ReplayRow, candidates: Candidate[]): Promise<number> => {
  if (candidates.length === 0) return 0;
  const obstacles = await findObstacles(
    tx.sql,
    candidates.map(({ webhookId }) => webhookId),
  );
  const sendable = candidates.filter(({ webhookId }) => obstacles.has(webhookId) && !obstacles.get(webhookId));
  const locked = await tx.sql<{ id: string }[]>`
    select id from deliveries
    where id = any(${sendable.map(({ id }) => id)}::uuid[]) and status = any(${[...statuses]}) and sweep_at is null
    order by id for update`;
  return startRounds(
    tx,
    locked.map(({ id }) => id),
  );
};
