import type { Sql } from '../platform/db/connect.ts';
import type { WebhookScope } from '../webhooks/queries.ts';
import type { ReplayFilter } from './filter.ts';
import type { ReplayProgress, ReplayStatus, StopReason } from './types.ts';

/** A bulk replay as it is stored; ids are UUIDs. */
export type ReplayRow = ReplayFilter &
  ReplayProgress & {
    id: string;
    accountId: string;
    status: ReplayStatus;
    stopReason: StopReason | null;
    /** Begun by the re-enabling of its webhook. */
    ofReEnabling: boolean;
    /** Deliveries a second. */
    pace: number;
    cursor: string | null;
    /** How far the look behind the cursor has come that a resumed replay takes first; null when there is none to make. */
    parkedAgainCursor: string | null;
    upTo: string | null;
    resumes: number;
    createdAt: Date;
    updatedAt: Date;
    finishedAt: Date | null;
  };

const columns = (sql: Sql) => sql`
  id, account_id, webhook_id, variants, statuses, since, until, lost_since, of_re_enabling, pace, status, stop_reason, total, replayed, skipped, cursor,
  parked_again_cursor, up_to, resumes, created_at, updated_at, finished_at`;

/** A door reaches the replays of which every delivery is in its scope. */
const inScope = (sql: Sql, { accountId, variants }: WebhookScope) =>
  sql`account_id = ${accountId} and variants <@ ${[...variants]}`;

/**
 * A workflow at work moves this on with every batch: the sweep looks after one that has made none for as long, in seconds;
 * longer than starting it takes.
 */
const batchGrace = (sql: Sql) => sql`clock_timestamp() + interval '15 seconds'`;

/** How many replays of an account are running or paused, but for those of re-enablings of this webhook: the next takes their place. */
export const countOtherOpenReplays = async (
  sql: Sql,
  { accountId, webhookId }: { accountId: string; webhookId: string },
): Promise<number> => {
  const [open] = await sql<{ count: number }[]>`
    select count(*)::int as count from replays
    where account_id = ${accountId} and status in ('running', 'paused') and not (webhook_id = ${webhookId} and of_re_enabling)`;
  return open?.count ?? 0;
};

/** How many replays of an account are running or paused, of which no other transaction begins one until this one has ended. */
export const countOpenReplays = async (sql: Sql, accountId: string): Promise<number> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`parley.open_replays/${accountId}`}, 0))`;
  // Read after the lock is there: what whoever had it before has begun is seen.
  const [open] = await sql<{ count: number }[]>`
    select count(*)::int as count from replays where account_id = ${accountId} and status in ('running', 'paused')`;
  return open?.count ?? 0;
};

/** Inserts a running replay of what there is by now; undefined when one of the same filter is open. */
export const insertReplay = async (
  sql: Sql,
  accountId: string,
  replay: ReplayFilter & Pick<ReplayRow, 'pace' | 'total' | 'ofReEnabling'>,
): Promise<ReplayRow | undefined> => {
  const { webhookId, variants, statuses, since, until, lostSince, ofReEnabling, pace, total } = replay;
  const [row] = await sql<ReplayRow[]>`
    insert into replays (account_id, webhook_id, variants, statuses, since, until, lost_since, of_re_enabling, pace, total, up_to,
      sweep_at)
    values (${accountId}, ${webhookId}, ${[...variants].sort()}, ${[...statuses].sort()}, ${since}, ${until}, ${lostSince},
      ${ofReEnabling}, ${pace}, ${total}, (select id from deliveries where account_id = ${accountId} order by id desc limit 1), ${batchGrace(sql)})
    on conflict do nothing
    returning ${columns(sql)}`;
  return row;
};

/**
 * Since when what failed or was dropped for a webhook belongs to its re-enabling: its last success; earlier where an open replay
 * of an earlier re-enabling has not come to its end.
 */
export const findLostSince = async (
  sql: Sql,
  { accountId, webhookId }: { accountId: string; webhookId: string },
): Promise<Date> => {
  const [row] = await sql<{ lostSince: Date }[]>`
    select least(
      coalesce((
        select max(succeeded_at) from deliveries
        where webhook_id = ${webhookId} and succeeded_at is not null and not is_test), 'epoch'),
      (select min(lost_since) from replays
        where account_id = ${accountId} and webhook_id = ${webhookId} and status in ('running', 'paused'))) as lost_since`;
  return row?.lostSince ?? new Date(0);
};

/** The open replay of this filter, locked until the transaction ends; undefined when there is none. */
export const lockOpenReplay = async (
  sql: Sql,
  accountId: string,
  { webhookId, variants, statuses, since, until, lostSince }: ReplayFilter,
): Promise<string | undefined> => {
  const [row] = await sql<{ id: string }[]>`
    select id from replays
    where account_id = ${accountId} and webhook_id is not distinct from ${webhookId} and variants = ${[...variants].sort()}
      and statuses = ${[...statuses].sort()} and since is not distinct from ${since} and until is not distinct from ${until}
      and (lost_since is null) = ${lostSince === null} and status in ('running', 'paused') for update`;
  return row?.id;
};

export const findReplay = async (sql: Sql, scope: WebhookScope, id: string): Promise<ReplayRow | undefined> => {
  const [row] = await sql<ReplayRow[]>`select ${columns(sql)} from replays where ${inScope(sql, scope)} and id = ${id}`;
  return row;
};

/** The same, locked until the transaction ends. */
export const lockReplay = async (sql: Sql, scope: WebhookScope, id: string): Promise<ReplayRow | undefined> => {
  const [row] = await sql<ReplayRow[]>`
    select ${columns(sql)} from replays where ${inScope(sql, scope)} and id = ${id} for update`;
  return row;
};

/** Of any account, for its workflow; locked until the transaction ends. */
export const lockAnyReplay = async (sql: Sql, id: string): Promise<ReplayRow | undefined> => {
  const [row] = await sql<ReplayRow[]>`select ${columns(sql)} from replays where id = ${id} for update`;
  return row;
};

/** Newest first; `before` is the id to go on from. */
export const listReplays = (
  sql: Sql,
  scope: WebhookScope,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<ReplayRow[]> => sql<ReplayRow[]>`
  select ${columns(sql)} from replays
  where ${inScope(sql, scope)} ${before === undefined ? sql`` : sql`and id < ${before}`}
  order by id desc limit ${limit}`;

/** Pauses, finishes or cancels a running or paused replay, as it is answered; `reason` is null when somebody asked for it. */
export const stopReplay = async (
  sql: Sql,
  id: string,
  { status, reason }: { status: Exclude<ReplayStatus, 'running'>; reason: StopReason | null },
): Promise<ReplayRow | undefined> => {
  const [row] = await sql<ReplayRow[]>`
    update replays set status = ${status}, stop_reason = ${reason}, sweep_at = null, sweeps = 0, updated_at = clock_timestamp(),
      finished_at = case when ${status} <> 'paused' then clock_timestamp() end
    where id = ${id} and status in ('running', 'paused')
    returning ${columns(sql)}`;
  return row;
};

/** Before every id. */
const noId = '00000000-0000-0000-0000-000000000000';

/** Has a paused replay go on, in a workflow of its own, with what it had begun and was parked again. */
export const resumeReplayRow = async (sql: Sql, id: string): Promise<ReplayRow | undefined> => {
  const [row] = await sql<ReplayRow[]>`
    update replays set status = 'running', stop_reason = null, resumes = resumes + 1, sweep_at = ${batchGrace(sql)}, sweeps = 0,
      parked_again_cursor = case when cursor is not null then ${noId}::uuid end, updated_at = clock_timestamp()
    where id = ${id} and status = 'paused'
    returning ${columns(sql)}`;
  return row;
};

/** What a batch has come to: the cursors that it moved, and what it took; `finished` when it was the last. */
type Advance = Pick<ReplayRow, 'replayed' | 'skipped'> &
  Partial<Pick<ReplayRow, 'cursor' | 'parkedAgainCursor'>> & { finished: boolean };

/** Moves a running replay on past the deliveries of a batch. */
export const advanceReplay = async (
  sql: Sql,
  { id, ...before }: ReplayRow,
  { cursor = before.cursor, parkedAgainCursor = before.parkedAgainCursor, replayed, skipped, finished }: Advance,
): Promise<ReplayProgress> => {
  const over = finished
    ? sql`status = 'finished', finished_at = clock_timestamp(), sweep_at = null`
    : sql`sweep_at = ${batchGrace(sql)}`;
  const [progress] = await sql<ReplayProgress[]>`
    update replays set cursor = ${cursor}, parked_again_cursor = ${parkedAgainCursor}, replayed = replayed + ${replayed},
      skipped = skipped + ${skipped}, ${over}, sweeps = 0, updated_at = clock_timestamp()
    where id = ${id} and status = 'running'
    returning total, replayed, skipped`;
  if (!progress) throw new Error('the replay was not locked');
  return progress;
};
