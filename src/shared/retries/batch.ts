import { RequestError } from '../errors.ts';
import { changed } from '../facts/changed.ts';
import type { EventTransaction } from '../facts/tell.ts';
import { findBlockType } from '../flows/find-block-type.ts';
import type { Sql } from '../platform/db/connect.ts';
import { retryRun } from '../runs/life/retry.ts';
import { listFailed } from './failed-runs.ts';
import { advanceRetry, lockAnyRetry, setRetryStatus, type RetryRow } from './queries.ts';
import type { RetryProgress, RetryResult, RetryStopReason } from './types.ts';

/** The most runs at the block that are under way while a retry adds to them. Requests to a slow service wait here. */
const runsUnderWay = 500;

/** So many open runs at the block are looked at: where it asks, most of them wait for their contacts. */
const runsLookedAt = 5_000;

/** `limit` is the most runs that the batch may take; `retryId` is the UUID. */
export type RetryBatch = { retryId: string; resumes: number; limit: number };

/**
 * Takes one batch of a bulk retry, the oldest runs first. They go on, and the cursor moves past them, in the caller's transaction, so that none is taken
 * twice, whichever workflow or process takes the next batch. A retry that was paused or cancelled is left as it is. A retry whose flow is paused or
 * archived stops.
 */
export const takeRetryBatch = async (
  tx: EventTransaction,
  { retryId, resumes, limit }: RetryBatch,
): Promise<RetryResult> => {
  const { sql } = tx;
  const retry = await lockAnyRetry(sql, retryId);
  if (!retry) return { type: 'cancelled', total: 0, retried: 0, refused: 0 };
  if (retry.status !== 'running') return { type: retry.status, ...progressOf(retry) };
  if (retry.resumes !== resumes) return { type: 'superseded', ...progressOf(retry) };
  await tx.tell(changed(retry.accountId, 'runs'));
  const reason = await findStopReason(sql, retry);
  if (reason) return stop(sql, retry, reason);
  const { cursor, version, accountId } = retry;
  if (limit === 0) {
    const nothing = { cursor, retried: 0, refused: 0, finished: false };
    return { type: 'more', ...(await advanceRetry(sql, retry.id, nothing)) };
  }
  const candidates = await listFailed(sql, { ...retry, before: retry.createdAt }, { after: cursor, limit });
  await lockContacts(sql, candidates);
  const evenUnknown = retry.runIds !== null || (retry.reasons?.includes('outcome_unknown') ?? false);
  const blockTypeOf = rememberTypes();
  let retried = 0;
  for (const { id: runId } of candidates) {
    try {
      await retryRun(tx, { accountId, runId }, { version, evenUnknown, blockTypeOf });
      retried += 1;
    } catch (error) {
      // Nothing was written of it.
      if (!(error instanceof RequestError)) throw error;
    }
  }
  const finished = candidates.length < limit;
  const taken = {
    cursor: candidates.at(-1)?.id ?? cursor,
    retried,
    refused: candidates.length - retried,
    finished,
  };
  return { type: finished ? 'finished' : 'more', ...(await advanceRetry(sql, retry.id, taken)) };
};

const progressOf = ({ total, retried, refused }: RetryProgress): RetryProgress => ({ total, retried, refused });

/** In the order of their ids, so that two retries of one account never wait for each other. */
const lockContacts = async (sql: Sql, candidates: readonly { contactId: string }[]): Promise<void> => {
  if (candidates.length === 0) return;
  await sql`
    select from contacts where id = any(${candidates.map(({ contactId }) => contactId)}::uuid[])
    order by id for no key update`;
};

/** A batch asks for the type of a block once for each version. */
const rememberTypes = (): typeof findBlockType => {
  const known = new Map<number, string | undefined>();
  return async (sql, key) => {
    if (!known.has(key.version)) known.set(key.version, await findBlockType(sql, key));
    return known.get(key.version);
  };
};

/** Why no run of it can go on now. */
export const findStopReason = async (
  sql: Sql,
  { flowId, version }: Pick<RetryRow, 'flowId' | 'version'>,
): Promise<RetryStopReason | undefined> => {
  const [flow] = await sql<{ status: string; hasVersion: boolean }[]>`
    select status, exists (select from flow_versions where flow_id = flows.id and version = ${version}) as has_version
    from flows where id = ${flowId}`;
  if (flow?.status === 'paused') return 'flow_paused';
  if (flow?.status === 'archived') return 'flow_archived';
  return flow?.hasVersion ? undefined : 'version_gone';
};

const stop = async (sql: Sql, retry: RetryRow, reason: RetryStopReason): Promise<RetryResult> => {
  const status = reason === 'version_gone' ? 'cancelled' : 'paused';
  const stopped = await setRetryStatus(sql, retry.id, { status, reason });
  return { type: status, ...progressOf(stopped ?? retry) };
};

/**
 * The pace of a retry, and how many more runs there is room for at its block. Undefined when there is no such retry. It counts hardly further than
 * the bound. `retryId` is the UUID.
 */
export const findRetryRoom = async (sql: Sql, retryId: string): Promise<{ pace: number; room: number } | undefined> => {
  const [row] = await sql<{ pace: number; underWay: number }[]>`
    select t.pace, (
      select count(*)::int from (
        select from (
          select status, waiting from runs r where r.flow_id = t.flow_id and r.ended_at is null and r.block_id = t.block_id
          order by r.id limit ${runsLookedAt}) as open
        where status = 'running' or waiting = 'call' limit ${runsUnderWay}) as here) as under_way
    from retries t where t.id = ${retryId}`;
  return row && { pace: row.pace, room: Math.max(0, runsUnderWay - row.underWay) };
};
