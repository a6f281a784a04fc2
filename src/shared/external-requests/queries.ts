import type { Sql } from '../platform/db/connect.ts';
import { pageOf, type Page } from '../platform/db/page.ts';
import type { RequestRow } from './schema.ts';

const columns = (sql: Sql) => sql`
  id, step, block_id, item_index, try, state, sent_at, duration_ms, method, url, idempotency_key, request_headers, request_body,
  status_code, response_headers, response_body, response_truncated, address, reason, detail, fields, port`;

/** A page of what a run has asked of other services, newest first. */
export const listRequests = (sql: Sql, runId: string, page: Page): Promise<RequestRow[]> => sql<RequestRow[]>`
  select ${columns(sql)} from requests where run_id = ${runId} ${pageOf(sql, page)}`;

/** The latest runs of a flow in which a response is looked for. */
const latestRuns = 100;

/** The latest request of a block that got a response, in the latest runs of its flow. */
export const findLastAnswered = async (
  sql: Sql,
  { accountId, flowId, blockId }: { accountId: string; flowId: string; blockId: string },
): Promise<RequestRow | undefined> => {
  const [row] = await sql<RequestRow[]>`
    select ${columns(sql)} from (
      select id as run_id from runs where account_id = ${accountId} and flow_id = ${flowId} order by id desc limit ${latestRuns}
    ) latest
    cross join lateral (
      select * from requests where run_id = latest.run_id and block_id = ${blockId} and state = 'answered' order by id desc limit 1
    ) request
    order by id desc limit 1`;
  return row;
};
