import type { EventTransact } from '../../facts/tell.ts';
import { RequestError } from '../../errors.ts';
import { getFlow } from '../../flows/manage.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { cancelRun } from './cancel.ts';
import { retryRun } from './retry.ts';

/** Which runs of a flow; ids are UUIDs. */
export type BulkFilter = { accountId: string; flowId: string; blockId?: string | undefined };

/** `refused`: runs that could not be retried. `more`: there are others, for which to ask again. */
export type BulkResult = { changed: number; refused: number; more: boolean };

/**
 * `read` runs the query that finds runs, which may take long. `atOnce`: the most runs that one request changes, each in a transaction of its own, which
 * may wait for others.
 */
type Deps = {
  read: <Result>(select: (sql: Sql) => Promise<Result>) => Promise<Result>;
  transact: EventTransact;
  atOnce?: number;
};

/** No further run is changed after this time, in ms: who asks would be gone before all are, and asks again. */
const enoughMs = 20_000;

/** Cancels open runs of a flow, the oldest first. Throws `not_found` for a flow that is not the account's. */
export const cancelRuns = async ({ read, transact, atOnce = 200 }: Deps, filter: BulkFilter): Promise<BulkResult> => {
  const { accountId } = filter;
  const rows = await read(async (sql) => {
    await getFlow(sql, { accountId, id: filter.flowId });
    return sql<{ id: string }[]>`
      select id from runs where ${ofFlow(sql, filter)} and ended_at is null order by id limit ${atOnce + 1}`;
  });
  return changeEach(rows, { atOnce }, async (runId) => {
    await transact((tx) => cancelRun(tx, { accountId, runId, reason: 'cancelled' }));
    return true;
  });
};

/**
 * Retries failed runs of a flow, those first that failed first: what fails again comes after the others. Those that cannot be retried at
 * all are left out; one that is refused now, because its contact is in the flow again, is counted. Throws `not_found` for a flow that is
 * not the account's.
 */
export const retryRuns = async ({ read, transact, atOnce = 200 }: Deps, filter: BulkFilter): Promise<BulkResult> => {
  const { accountId } = filter;
  const rows = await read(async (sql) => {
    await getFlow(sql, { accountId, id: filter.flowId });
    return sql<{ id: string }[]>`
      select id from runs r
      where ${ofFlow(sql, filter)} and status = 'failed' and step > 0 and reason is distinct from 'outcome_unknown'
        and not (one_active and exists (
          select from runs o where o.contact_id = r.contact_id and o.flow_id = r.flow_id and o.ended_at is null and o.one_active))
      order by ended_at, id limit ${atOnce + 1}`;
  });
  return changeEach(rows, { atOnce }, async (runId) => {
    try {
      await transact((tx) => retryRun(tx, { accountId, runId }));
      return true;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return false;
    }
  });
};

/** Changes one run after the other, until there are enough or it took long enough; `change` answers whether it was not refused. */
const changeEach = async (
  rows: readonly { id: string }[],
  { atOnce }: { atOnce: number },
  change: (runId: string) => Promise<boolean>,
): Promise<BulkResult> => {
  const beganAtMs = performance.now();
  let [changed, refused] = [0, 0];
  for (const { id } of rows.slice(0, atOnce)) {
    if (performance.now() - beganAtMs > enoughMs) break;
    if (await change(id)) changed += 1;
    else refused += 1;
  }
  return { changed, refused, more: changed + refused < rows.length };
};

const ofFlow = (sql: Sql, { accountId, flowId, blockId }: BulkFilter) => sql`
  account_id = ${accountId} and flow_id = ${flowId} ${blockId === undefined ? sql`` : sql`and block_id = ${blockId}`}`;
