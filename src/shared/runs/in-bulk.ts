import type { EventTransact } from '../events/emit.ts';
import { RequestError } from '../errors.ts';
import { getFlow } from '../flows/manage.ts';
import type { Sql } from '../platform/db/connect.ts';
import { cancelRun } from './cancel.ts';
import { retryRun } from './retry.ts';

/** Which runs of a flow; ids are UUIDs. */
export type BulkFilter = { accountId: string; flowId: string; blockId?: string | undefined };

/** `refused`: runs that could not be retried. `more`: there are others, for which to ask again. */
export type BulkResult = { changed: number; refused: number; more: boolean };

/** `atOnce`: the most runs that one request changes, each in a transaction of its own. */
type Deps = { sql: Sql; transact: EventTransact; atOnce?: number };

/** Cancels open runs of a flow, the oldest first. Throws `not_found` for a flow that is not the account's. */
export const cancelRuns = async ({ sql, transact, atOnce = 200 }: Deps, filter: BulkFilter): Promise<BulkResult> => {
  const { accountId } = filter;
  await getFlow(sql, { accountId, id: filter.flowId });
  const rows = await sql<{ id: string }[]>`
    select id from runs where ${ofFlow(sql, filter)} and ended_at is null order by id limit ${atOnce + 1}`;
  for (const { id: runId } of rows.slice(0, atOnce))
    await transact((tx) => cancelRun(tx, { accountId, runId, reason: 'cancelled' }));
  return { changed: Math.min(rows.length, atOnce), refused: 0, more: rows.length > atOnce };
};

/**
 * Retries failed runs of a flow, those first that failed first: what fails again comes after the others. Those that cannot be retried at
 * all are left out; one that is refused now, because its contact is in the flow again, is counted. Throws `not_found` for a flow that is
 * not the account's.
 */
export const retryRuns = async ({ sql, transact, atOnce = 200 }: Deps, filter: BulkFilter): Promise<BulkResult> => {
  const { accountId } = filter;
  await getFlow(sql, { accountId, id: filter.flowId });
  const rows = await sql<{ id: string }[]>`
    select id from runs r
    where ${ofFlow(sql, filter)} and status = 'failed' and step > 0 and reason is distinct from 'outcome_unknown'
      and not (one_active and exists (
        select from runs o where o.contact_id = r.contact_id and o.flow_id = r.flow_id and o.ended_at is null and o.one_active))
    order by ended_at, id limit ${atOnce + 1}`;
  let refused = 0;
  for (const { id: runId } of rows.slice(0, atOnce)) {
    try {
      await transact((tx) => retryRun(tx, { accountId, runId }));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      refused += 1;
    }
  }
  return { changed: Math.min(rows.length, atOnce) - refused, refused, more: rows.length > atOnce };
};

const ofFlow = (sql: Sql, { accountId, flowId, blockId }: BulkFilter) => sql`
  account_id = ${accountId} and flow_id = ${flowId} ${blockId === undefined ? sql`` : sql`and block_id = ${blockId}`}`;
