import type { Cause } from '../../facts/domain-event.ts';
import { parseId } from '../../ids.ts';
import type { Sql } from '../../platform/db/connect.ts';

/** The Idempotency-Key of an External Request: `<run>:<block>:<visit>`, of an item `<run>:<block>:<visit>:<index>`. */
const keyOfRequest = /^(run_[0-9a-z]+):[\w-]+:\d+(?::\d+)?$/;

/**
 * The run that has made a request to the API, by the Idempotency-Key that External Requests carry: what the request does is one deeper in the chain
 * of causes. Undefined for every other request. Whoever forges such a key makes only a chain of their own account's shorter.
 */
export const findCauseOfRequest = async (
  sql: Sql,
  { accountId, idempotencyKey }: { accountId: string; idempotencyKey: string },
): Promise<Cause | undefined> => {
  const [, id] = keyOfRequest.exec(idempotencyKey) ?? [];
  const runId = id && parseId('run', id);
  if (!runId) return undefined;
  const [run] = await sql<[{ depth: number; originRunId: string }?]>`
    select depth, coalesce(origin_run_id, id) as origin_run_id from runs where id = ${runId} and account_id = ${accountId}`;
  return run && { depth: run.depth + 1, originRunId: run.originRunId };
};
