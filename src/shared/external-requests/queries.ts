import type { Sql } from '../platform/db/connect.ts';
import { pageOf, type Page } from '../platform/db/page.ts';
import type { RequestRow } from './schema.ts';

/** A page of what a run has asked of other services, newest first. */
export const listRequests = (sql: Sql, runId: string, page: Page): Promise<RequestRow[]> => sql<RequestRow[]>`
  select id, step, block_id, try, state, sent_at, duration_ms, method, url, idempotency_key, request_headers, request_body,
    status_code, response_headers, response_body, response_truncated, address, reason, detail, fields, port
  from requests where run_id = ${runId} ${pageOf(sql, page)}`;
