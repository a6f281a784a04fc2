import type { Sql } from '../platform/db/connect.ts';
import type { Port } from './after-attempt.ts';
import type { RenderedRequest } from './render-request.ts';
import type { ShownAttempt } from './show-attempt.ts';

/** Whose request it is: an attempt of a step of a run; ids are UUIDs. */
export type RequestPlace = { accountId: string; runId: string; step: number; blockId: string };

/** The last attempt of a step. `rendered` is there until the step has ended. */
export type LastRequest = {
  id: string;
  number: number;
  state: 'sending' | 'answered' | 'failed' | 'unknown';
  timeoutMs: number;
  /** How long ago it was begun. */
  ageMs: number;
  rendered: RenderedRequest | null;
  /** The item of a list that it is for, counted from 0. */
  itemIndex: number | null;
  /** The port that its request took, when it was the last attempt of it. */
  port: Port | null;
  /** Whether its step has not ended. */
  isOpen: boolean;
  /** Whether any attempt of the same request was answered with 401. */
  wasUnauthorized: boolean;
};

/** The attempt that a step points to, if any. */
export const findLastRequest = async (
  sql: Sql,
  { runId, step }: Pick<RequestPlace, 'runId' | 'step'>,
): Promise<LastRequest | undefined> => {
  const [row] = await sql<(Omit<LastRequest, 'rendered'> & { rendered: Buffer | null })[]>`
    select q.id, q.try as number, q.state, q.timeout_ms, q.rendered, q.item_index, q.port, s.status = 'open' as is_open,
      exists (select from requests where run_id = s.run_id and step = s.number and status_code = 401
        and item_index is not distinct from q.item_index) as was_unauthorized,
      (extract(epoch from clock_timestamp() - q.sent_at) * 1000)::float8 as age_ms
    from run_steps s join requests q on q.id = s.request_id
    where s.run_id = ${runId} and s.number = ${step}`;
  return row && { ...row, rendered: row.rendered === null ? null : readRendered(row.rendered) };
};

const readRendered = (bytes: Buffer): RenderedRequest => JSON.parse(bytes.toString());

type NewRequest = RequestPlace & {
  number: number;
  timeoutMs: number;
  /** Null for one that could not be rendered. */
  rendered: RenderedRequest | null;
  idempotencyKey: string;
  /** The item of a list that it is for, counted from 0; null where there is no list. */
  itemIndex: number | null;
  shown: Pick<ShownAttempt, 'method' | 'url'>;
  /** The attempt before; the request moves on from it. */
  previousId: string | null;
};

/** Writes an attempt down before it is sent, and has its step point to it. The caller has locked the run. Answers its UUID. */
export const insertRequest = async (
  sql: Sql,
  {
    accountId,
    runId,
    step,
    blockId,
    number,
    timeoutMs,
    rendered,
    idempotencyKey,
    itemIndex,
    shown,
    previousId,
  }: NewRequest,
): Promise<string> => {
  const [row] = await sql<[{ id: string }]>`
    with previous as (update requests set rendered = null where id = ${previousId}),
    request as (
      insert into requests (account_id, run_id, step, block_id, try, state, timeout_ms, rendered, idempotency_key, item_index, method, url)
      values (${accountId}, ${runId}, ${step}, ${blockId}, ${number}, 'sending', ${timeoutMs},
        ${rendered && Buffer.from(JSON.stringify(rendered))}, ${idempotencyKey}, ${itemIndex}, ${shown.method}, ${shown.url})
      returning id
    )
    update run_steps set request_id = request.id from request where run_id = ${runId} and number = ${step}
    returning request.id`;
  return row.id;
};

/** Takes back an attempt that was never sent, so that it is as if it had never been begun. The attempt before it has the request again, where it is the same. */
export const withdrawRequest = async (
  sql: Sql,
  { runId, step }: Pick<RequestPlace, 'runId' | 'step'>,
  { id, previousId }: { id: string; previousId: string | null },
): Promise<void> => {
  await sql`
    with withdrawn as (delete from requests where id = ${id} and state = 'sending' returning rendered),
    previous as (update requests set rendered = withdrawn.rendered from withdrawn where requests.id = ${previousId} and port is null)
    update run_steps set request_id = ${previousId} where run_id = ${runId} and number = ${step} and request_id = ${id}`;
};

/** What became of an attempt. The request is kept where another attempt follows. */
type Settled = {
  state: 'answered' | 'failed' | 'unknown';
  shown?: ShownAttempt | undefined;
  reason?: string | undefined;
  port?: Port | undefined;
  isRepeated: boolean;
};

/** Writes down what became of an attempt: also late, when others have given it up. The port that they took for it stays. */
export const settleRequest = async (
  sql: Sql,
  id: string,
  { state, shown, reason, port, isRepeated }: Settled,
): Promise<void> => {
  const {
    statusCode = null,
    responseTruncated = false,
    address = null,
    durationMs = null,
    detail = null,
  } = shown ?? {};
  const { requestHeaders, requestBody, responseHeaders, responseBody, fields } = shown ?? {};
  const bytes = (text: string | null | undefined) => (typeof text === 'string' ? Buffer.from(text) : null);
  await sql`
    update requests set state = ${state}, status_code = ${statusCode}, response_truncated = ${responseTruncated},
      request_headers = ${requestHeaders ? sql.json(requestHeaders) : null}, request_body = ${bytes(requestBody)},
      response_headers = ${responseHeaders ? sql.json(responseHeaders) : null}, response_body = ${bytes(responseBody)},
      method = coalesce(${shown?.method ?? null}, method), url = coalesce(${shown?.url ?? null}, url),
      address = ${address}, duration_ms = ${durationMs}, reason = ${reason ?? shown?.reason ?? null}, detail = ${detail},
      fields = ${fields ? sql.json(fields) : null}, port = coalesce(${port ?? null}, port),
      rendered = case when ${isRepeated} then rendered end
    where id = ${id} and state in ('sending', 'unknown')`;
};

/** What a run may ask of others: more waits until the hour frees, and at the end it fails. */
export const requestLimits = { perHour: 50, perRun: 500 } as const;

/** How many requests a run has made, up to its limit, and in how many ms its hour has room for another. */
export const countRequests = async (sql: Sql, runId: string): Promise<{ made: number; freeInMs: number }> => {
  const [row] = await sql<[{ made: number; freeInMs: number }]>`
    with latest as (
      select sent_at, row_number() over (order by id desc) as place from requests
      where run_id = ${runId} order by id desc limit ${requestLimits.perRun}
    )
    select count(*)::int as made, coalesce(greatest(0, extract(epoch from
        (select sent_at from latest where place = ${requestLimits.perHour}) + interval '1 hour' - clock_timestamp())), 0)::float8
      * 1000 as free_in_ms
    from latest`;
  return row;
};
