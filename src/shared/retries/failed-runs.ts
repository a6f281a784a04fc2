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
 * SQL: its conditions on `runs`. Runs whose request may have been carried out are there only where they are named, by their reason or by their id. A
 * run that was never begun has nowhere to go on.
 */
const isFailed = (sql: Sql, { accountId, flowId, blockId, reasons, fromVersions, runIds, before }: FailedFilter) => sql`
  account_id = ${accountId} and status = 'failed' and flow_id = ${flowId} and block_id = ${blockId} and step > 0
    ${reasons === null ? (runIds === null ? sql`and reason is distinct from 'outcome_unknown'` : sql``) : sql`and reason = any(${[...reasons]}::text[])`}
    ${fromVersions === null ? sql`` : sql`and version = any(${[...fromVersions]}::int[])`}
    ${runIds === null ? sql`` : sql`and id = any(${[...runIds]}::uuid[])`}
    ${before === null ? sql`` : sql`and ended_at < ${before}`}`;

/** How many there are, as far as they are counted. */
export const countFailed = async (sql: Sql, filter: FailedFilter): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (select from runs where ${isFailed(sql, filter)} limit ${beyondCap}) as failed`;
  return row.count;
};

type Candidate = { id: string; contactId: string };

/** The next ones behind `after`, the oldest first. */
export const listFailed = (
  sql: Sql,
  filter: FailedFilter,
  { after, limit }: { after: string | null; limit: number },
): Promise<Candidate[]> => sql<Candidate[]>`
  select id, contact_id from runs where ${isFailed(sql, filter)} ${after === null ? sql`` : sql`and id > ${after}`}
  order by id limit ${limit}`;
