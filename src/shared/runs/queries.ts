import type { Sql } from '../platform/db/connect.ts';
import { pageOf, type Page } from '../platform/db/page.ts';
import type { MoveRow, RunDetailRow, RunRow, StepRow } from './schema.ts';
import type { RunStatus } from './engine/run-state.ts';

const columns = (sql: Sql) => sql`
  id, flow_id, version as flow_version, contact_id, parent_run_id, status, block_id, step, waiting, waiting_since,
  wake_at as wakes_at, reason, params, started_at, ended_at`;

/** The account's run, or undefined; `id` is its UUID. */
export const findRun = async (sql: Sql, accountId: string, id: string): Promise<RunDetailRow | undefined> => {
  const [row] = await sql<RunDetailRow[]>`
    select ${columns(sql)}, resumes, without_workflow, runs.origin_run_id, f.refused::float8 as not_begun, f.refused_at as last_not_begun_at
    from runs left join run_fan_outs f on f.origin_run_id = runs.id and f.refused > 0
    where runs.account_id = ${accountId} and id = ${id}`;
  return row;
};

/** The most moves of a run that are shown: the latest. */
const shownMoves = 50;

/** From which version to which a run was moved, the latest first. */
export const listMoves = (sql: Sql, runId: string) => sql<MoveRow[]>`
  select step, from_version, to_version, moved_at from run_moves where run_id = ${runId} order by step desc limit ${shownMoves}`;

/** Which runs; ids are UUIDs. */
export type RunFilter = {
  flow_id?: string | undefined;
  contact_id?: string | undefined;
  status?: RunStatus | undefined;
  block_id?: string | undefined;
};

/** A page of the account's runs, newest first. */
export const listRuns = (sql: Sql, accountId: string, { filter, page }: { filter: RunFilter; page: Page }) =>
  sql<RunRow[]>`
    select ${columns(sql)} from runs
    where account_id = ${accountId}
      ${filter.flow_id === undefined ? sql`` : sql`and flow_id = ${filter.flow_id}`}
      ${filter.contact_id === undefined ? sql`` : sql`and contact_id = ${filter.contact_id}`}
      ${filter.status === undefined ? sql`` : withStatus(sql, filter.status)}
      ${filter.block_id === undefined ? sql`` : sql`and block_id = ${filter.block_id} ${filter.status === 'failed' ? sql`` : sql`and ended_at is null`}`}
      ${pageOf(sql, page)}`;

/**
 * SQL: the condition on the status. Nearly all runs are completed, and indexes have the others, or only failed ones: the statement says so for all
 * values.
 */
const withStatus = (sql: Sql, status: RunStatus) => {
  if (status === 'completed') return sql`and status = 'completed'`;
  return status === 'failed' ? sql`and status = 'failed'` : sql`and status = ${status} and status <> 'completed'`;
};

/** A page of a run's steps, the latest first; `before` is the number to go on from. */
export const listSteps = (sql: Sql, runId: string, { limit, before }: { limit: number; before?: number | undefined }) =>
  sql<StepRow[]>`
    select number, block_id, visit, status, port, reason, tries, entered_at, left_at from run_steps
    where run_id = ${runId} ${before === undefined ? sql`` : sql`and number < ${before}`}
    order by number desc limit ${limit}`;
