import { addInTurn } from '../platform/db/add-in-turn.ts';
import type { Sql } from '../platform/db/connect.ts';
import { pageOf, type Page } from '../platform/db/page.ts';
import type { FailedFilter } from './failed-runs.ts';
import type { RetryProgress, RetryStatus, RetryStopReason } from './types.ts';

/** A bulk retry as it is stored; ids are UUIDs. */
export type RetryRow = Omit<FailedFilter, 'before'> &
  RetryProgress & {
    id: string;
    version: number;
    status: RetryStatus;
    stopReason: RetryStopReason | null;
    /** Runs a second. */
    pace: number;
    cursor: string | null;
    resumes: number;
    createdAt: Date;
    updatedAt: Date;
    finishedAt: Date | null;
  };

const columns = (sql: Sql) => sql`
  id, account_id, flow_id, block_id, version, reasons, from_versions, run_ids, pace, status, stop_reason, total, retried, refused, cursor, resumes,
  created_at, updated_at, finished_at`;

/** When the sweep looks after a retry: later than starting its workflow takes. Every batch moves it on. */
const batchGrace = (sql: Sql) => sql`clock_timestamp() + interval '15 seconds'`;

/** How many retries of an account are open. No other transaction begins one until this one ends. */
export const countOpenRetries = async (sql: Sql, accountId: string): Promise<number> => {
  await addInTurn(sql, 'open_retries', accountId);
  const [open] = await sql<[{ count: number }]>`
    select count(*)::int as count from retries where account_id = ${accountId} and status in ('running', 'paused')`;
  return open.count;
};

export type NewRetryRow = Omit<FailedFilter, 'before'> & Pick<RetryRow, 'version' | 'pace' | 'total'>;

/** Inserts a running retry of the runs that have failed until now. Undefined when one of the same block is open. */
export const insertRetry = async (sql: Sql, retry: NewRetryRow): Promise<RetryRow | undefined> => {
  const { accountId, flowId, blockId, version, reasons, fromVersions, runIds, pace, total } = retry;
  const [row] = await sql<RetryRow[]>`
    insert into retries (account_id, flow_id, block_id, version, reasons, from_versions, run_ids, pace, total, sweep_at)
    values (${accountId}, ${flowId}, ${blockId}, ${version}, ${reasons && [...reasons]}::text[], ${fromVersions && [...fromVersions]}::int[],
      ${runIds && [...runIds]}::uuid[], ${pace}, ${total}, ${batchGrace(sql)})
    on conflict (flow_id, block_id) where status in ('running', 'paused') do nothing
    returning ${columns(sql)}`;
  return row;
};

/** The UUID of the open retry of a block. Undefined when there is none. */
export const findOpenRetry = async (
  sql: Sql,
  { flowId, blockId }: { flowId: string; blockId: string },
): Promise<string | undefined> => {
  const [row] = await sql<{ id: string }[]>`
    select id from retries where flow_id = ${flowId} and block_id = ${blockId} and status in ('running', 'paused')`;
  return row?.id;
};

export const findRetry = async (sql: Sql, accountId: string, id: string): Promise<RetryRow | undefined> => {
  const [row] = await sql<RetryRow[]>`
    select ${columns(sql)} from retries where account_id = ${accountId} and id = ${id}`;
  return row;
};

/** The same, locked until the transaction ends. */
export const lockRetry = async (sql: Sql, accountId: string, id: string): Promise<RetryRow | undefined> => {
  const [row] = await sql<RetryRow[]>`
    select ${columns(sql)} from retries where account_id = ${accountId} and id = ${id} for update`;
  return row;
};

/** Locks a retry of any account, for its workflow. */
export const lockAnyRetry = async (sql: Sql, id: string): Promise<RetryRow | undefined> => {
  const [row] = await sql<RetryRow[]>`select ${columns(sql)} from retries where id = ${id} for update`;
  return row;
};

/** Newest first. */
export const listRetries = (
  sql: Sql,
  accountId: string,
  { filter, page }: { filter: { flow_id?: string | undefined; open?: boolean | undefined }; page: Page },
): Promise<RetryRow[]> => sql<RetryRow[]>`
  select ${columns(sql)} from retries where account_id = ${accountId}
    ${filter.flow_id === undefined ? sql`` : sql`and flow_id = ${filter.flow_id}`}
    ${filter.open === undefined ? sql`` : sql`and (status in ('running', 'paused')) = ${filter.open}`}
    ${pageOf(sql, page)}`;

/** Pauses, finishes or cancels an open retry and answers it as it is then. `reason` is null when somebody asked for it. */
export const setRetryStatus = async (
  sql: Sql,
  id: string,
  { status, reason }: { status: Exclude<RetryStatus, 'running'>; reason: RetryStopReason | null },
): Promise<RetryRow | undefined> => {
  const [row] = await sql<RetryRow[]>`
    update retries set status = ${status}, stop_reason = ${reason}, sweep_at = null, sweeps = 0, updated_at = clock_timestamp(),
      finished_at = case when ${status} <> 'paused' then clock_timestamp() end
    where id = ${id} and status in ('running', 'paused')
    returning ${columns(sql)}`;
  return row;
};

/** Resumes a paused retry, in another workflow. */
export const resumeRetryRow = async (sql: Sql, id: string): Promise<RetryRow | undefined> => {
  const [row] = await sql<RetryRow[]>`
    update retries set status = 'running', stop_reason = null, resumes = resumes + 1, sweep_at = ${batchGrace(sql)}, sweeps = 0,
      updated_at = clock_timestamp()
    where id = ${id} and status = 'paused'
    returning ${columns(sql)}`;
  return row;
};

/** The result of a batch: how far the retry has come, and what it took. `finished` when it was the last. */
type Advance = Pick<RetryRow, 'cursor' | 'retried' | 'refused'> & { finished: boolean };

/** Moves a running retry past the runs of a batch. */
export const advanceRetry = async (
  sql: Sql,
  id: string,
  { cursor, retried, refused, finished }: Advance,
): Promise<RetryProgress> => {
  const over = finished
    ? sql`status = 'finished', finished_at = clock_timestamp(), sweep_at = null`
    : sql`sweep_at = ${batchGrace(sql)}`;
  const [progress] = await sql<RetryProgress[]>`
    update retries set cursor = ${cursor}, retried = retried + ${retried}, refused = refused + ${refused}, sweeps = 0,
      updated_at = clock_timestamp(), ${over}
    where id = ${id} returning total, retried, refused`;
  if (!progress) throw new Error('the retry was not locked');
  return progress;
};
