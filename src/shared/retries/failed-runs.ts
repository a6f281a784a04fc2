import type { Sql } from '../platform/db/connect.ts';
import { beyondCap } from '../replays/count.ts';

/** Which failed runs of a block; ids are UUIDs, and null is no condition. */
export type FailedFilter = {
  accountId: string;
  flowId: string;
  blockId: string;
  reasons: readonly string[] | null;
  fromVersions: readonly number[] | null;
  runIds: readonly string[] | null;
  /** Only runs that have failed before this time. */
  before: Date | null;
};

/**
 * SQL: its conditions on `runs`, but for flow and block. Runs whose request may have been carried out are there only where they are named, by their reason or by their id. A
 * run that was never begun has nowhere to go on.
 */
const isFailed = (sql: Sql, { accountId, reasons, fromVersions, runIds, before }: FailedFilter) => sql`
  account_id = ${accountId} and status = 'failed' and step > 0
    ${reasons === null ? (runIds === null ? sql`and reason is distinct from 'outcome_unknown'` : sql``) : sql`and reason = any(${[...reasons]}::text[])`}
    ${fromVersions === null ? sql`` : sql`and version = any(${[...fromVersions]}::int[])`}
    ${runIds === null ? sql`` : sql`and id = any(${[...runIds]}::uuid[])`}
    ${before === null ? sql`` : sql`and ended_at < ${before}`}`;

/** How many there are, as far as they are counted. */
export const countFailed = async (sql: Sql, filter: FailedFilter): Promise<number> => {
  const { flowId, blockId } = filter;
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (
      select from runs where flow_id = ${flowId} and block_id = ${blockId} and ${isFailed(sql, filter)} limit ${beyondCap}) as failed`;
  return row.count;
};

type Candidate = { id: string; contactId: string };

/** Less than every id. */
const leastId = '00000000-0000-0000-0000-000000000000';

/**
 * The next ones behind `after`, the oldest first. Flow and block are a range of the index in whose order it reads: as equal ones PostgreSQL may take the
 * order of ids alone, and read failed runs of all other blocks between them.
 */
export const listFailed = (
  sql: Sql,
  filter: FailedFilter,
  { after, limit }: { after: string | null; limit: number },
): Promise<Candidate[]> => {
  const { flowId, blockId } = filter;
  return sql<Candidate[]>`
    select id, contact_id from runs
    where (flow_id, block_id, id) > (${flowId}, ${blockId}, ${after ?? leastId}) and (flow_id, block_id) <= (${flowId}, ${blockId})
      and ${isFailed(sql, filter)}
    order by flow_id, block_id, id limit ${limit}`;
};
