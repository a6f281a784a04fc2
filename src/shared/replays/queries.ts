import { addInTurn } from '../platform/db/add-in-turn.ts';
import type { Sql } from '../platform/db/connect.ts';
import { pageOf, type Page } from '../platform/db/page.ts';
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
    /** Whether the re-enabling of its webhook began it. */
    ofReEnabling: boolean;
    /** Deliveries a second. */
    pace: number;
    cursor: string | null;
    /** How far a resumed replay has looked behind its cursor; null when there is nothing to look for. */
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
 * When the sweep looks after a replay: later than starting its workflow takes. Every batch moves it on.
 */
const batchGrace = (sql: Sql) => sql`clock_timestamp() + interval '15 seconds'`;

/** How many replays of an account are open, without those of re-enablings of this webhook, which the next one replaces. */
export const countOtherOpenReplays = async (
  sql: Sql,
  { accountId, webhookId }: { accountId: string; webhookId: string },
): Promise<number> => {
  const [open] = await sql<{ count: number }[]>`
    select count(*)::int as count from replays
    where account_id = ${accountId} and status in ('running', 'paused') and not (webhook_id = ${webhookId} and of_re_enabling)`;
  return open?.count ?? 0;
};

/** How many replays of an account are open. No other transaction begins one until this one ends. */
export const countOpenReplays = async (sql: Sql, accountId: string): Promise<number> => {
  await addInTurn(sql, 'open_replays', accountId);
  const [open] = await sql<{ count: number }[]>`
    select count(*)::int as count from replays where account_id = ${accountId} and status in ('running', 'paused')`;
  return open?.count ?? 0;
};

/** Inserts a running replay of the deliveries that there are now. Undefined when one with the same filter is open. */
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
 * The time since which failed and dropped deliveries of a webhook belong to its re-enabling: its last success, or an earlier time where the
 * replay of an earlier re-enabling is still open.
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

/** SQL: the UUID of the account's open replay of this filter. */
const openOf = (
  sql: Sql,
  accountId: string,
  { webhookId, variants, statuses, since, until, lostSince }: ReplayFilter,
) => sql<{ id: string }[]>`
  select id from replays
  where account_id = ${accountId} and webhook_id is not distinct from ${webhookId} and variants = ${[...variants].sort()}
    and statuses = ${[...statuses].sort()} and since is not distinct from ${since} and until is not distinct from ${until}
    and (lost_since is null) = ${lostSince === null} and status in ('running', 'paused')`;

/** The UUID of the open replay of this filter. Undefined when there is none. */
export const findOpenReplay = async (
  sql: Sql,
  accountId: string,
  filter: ReplayFilter,
): Promise<string | undefined> => {
  const [row] = await openOf(sql, accountId, filter);
  return row?.id;
};

/** The same, locked until the transaction ends. */
export const lockOpenReplay = async (
  sql: Sql,
  accountId: string,
  filter: ReplayFilter,
): Promise<string | undefined> => {
  const [row] = await sql<{ id: string }[]>`${openOf(sql, accountId, filter)} for update`;
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

/** Locks a replay of any account, for its workflow. */
export const lockAnyReplay = async (sql: Sql, id: string): Promise<ReplayRow | undefined> => {
  const [row] = await sql<ReplayRow[]>`select ${columns(sql)} from replays where id = ${id} for update`;
  return row;
};

/** Newest first. */
export const listReplays = (sql: Sql, scope: WebhookScope, page: Page): Promise<ReplayRow[]> => sql<ReplayRow[]>`
  select ${columns(sql)} from replays
  where ${inScope(sql, scope)} ${pageOf(sql, page)}`;

/** Pauses, finishes or cancels an open replay and answers it as it is then. `reason` is null when somebody asked for it. */
export const setReplayStatus = async (
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

/** Less than every id. */
const noId = '00000000-0000-0000-0000-000000000000';

/** Resumes a paused replay, in another workflow, first with what it had begun and was parked again. */
export const resumeReplayRow = async (sql: Sql, id: string): Promise<ReplayRow | undefined> => {
  const [row] = await sql<ReplayRow[]>`
    update replays set status = 'running', stop_reason = null, resumes = resumes + 1, sweep_at = ${batchGrace(sql)}, sweeps = 0,
      parked_again_cursor = case when cursor is not null then ${noId}::uuid end, updated_at = clock_timestamp()
    where id = ${id} and status = 'paused'
    returning ${columns(sql)}`;
  return row;
};

/** The result of a batch: the cursors that it moved, and what it took. `finished` when it was the last. */
type Advance = Pick<ReplayRow, 'replayed' | 'skipped'> &
  Partial<Pick<ReplayRow, 'cursor' | 'parkedAgainCursor'>> & { finished: boolean };

/** Moves a running replay past the deliveries of a batch. */
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
