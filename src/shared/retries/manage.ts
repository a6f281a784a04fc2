import { conflictWith, found, invalid, RequestError } from '../errors.ts';
import { changed } from '../facts/changed.ts';
import type { EventTransaction } from '../facts/tell.ts';
import { findBlockType } from '../flows/find-block-type.ts';
import { getFlow } from '../flows/manage.ts';
import type { Sql } from '../platform/db/connect.ts';
import { findStopReason } from './batch.ts';
import { countFailed } from './failed-runs.ts';
import {
  countOpenRetries,
  findOpenRetry,
  findRetry,
  insertRetry,
  lockRetry,
  resumeRetryRow,
  setRetryStatus,
  type NewRetryRow,
  type RetryRow,
} from './queries.ts';
import { retryWork } from './work.ts';
import type { RetryStopReason } from './types.ts';

/** A bulk retry as it is asked for; the live version where none is given. */
export type AskedRetry = Omit<NewRetryRow, 'total' | 'version'> & { version?: number | undefined };

/**
 * A retry to be started. Counts before `startRetry` takes its locks, so that nobody waits for the count. Throws `not_found` for a flow or version that
 * is not there, and `invalid_request` where that version does not have the block.
 */
export const prepareRetry = async (sql: Sql, { version: asked, ...filter }: AskedRetry): Promise<NewRetryRow> => {
  const { accountId, flowId, blockId } = filter;
  const flow = await getFlow(sql, { accountId, id: flowId });
  const version = asked ?? flow.version;
  if (version === null) throw new RequestError('conflict', 'The flow has no published version.');
  const [known] = await sql`select from flow_versions where flow_id = ${flowId} and version = ${version}`;
  found('version', known);
  if ((await findBlockType(sql, { flowId, version, blockId })) === undefined)
    throw invalid({ path: 'block_id', message: `is no block of version ${version}` });
  return { ...filter, version, total: await countFailed(sql, { ...filter, before: null }) };
};

/** The most running and paused retries of an account. */
const openAtMost = 5;

/** Starts a bulk retry. Throws `conflict` when its flow is paused or archived, one of the same block is open, or the account has as many as it may. */
export const startRetry = async (tx: EventTransaction, prepared: NewRetryRow): Promise<RetryRow> => {
  const { accountId } = prepared;
  await requireGoing(tx.sql, prepared);
  if ((await countOpenRetries(tx.sql, accountId)) >= openAtMost)
    throw new RequestError(
      'conflict',
      `An account has at most ${openAtMost} running or paused bulk retries. Wait for one to finish, or cancel one.`,
    );
  const retry = await insertRetry(tx.sql, prepared);
  if (!retry) {
    const message = 'A bulk retry of this block is open. Resume or cancel it first.';
    throw conflictWith(message, { noun: 'retry', id: await findOpenRetry(tx.sql, prepared) });
  }
  tx.start(retryWork, retry);
  await tx.tell(changed(accountId, 'runs'));
  return retry;
};

/** A retry of the account; throws `not_found`. */
export const getRetry = async (sql: Sql, accountId: string, id: string): Promise<RetryRow> =>
  found('retry', await findRetry(sql, accountId, id));

/** What can be done with a retry that is there. */
export const retryActions = ['pause', 'resume', 'cancel'] as const;

export type RetryAction = (typeof retryActions)[number];

/**
 * Pauses, resumes or cancels a bulk retry. The batch under way is finished first, and runs that go on already do so. A retry that is so already
 * stays so. Throws `not_found`, and `conflict` for a retry that is over, and on resuming where its flow is paused or archived.
 */
export const changeRetry = async (
  tx: EventTransaction,
  accountId: string,
  { id, action }: { id: string; action: RetryAction },
): Promise<RetryRow> => {
  const retry = found('retry', await lockRetry(tx.sql, accountId, id));
  const wanted = ({ pause: 'paused', resume: 'running', cancel: 'cancelled' } as const)[action];
  if (retry.status === wanted) return retry;
  if (retry.status === 'finished' || retry.status === 'cancelled')
    throw new RequestError('conflict', `This retry is ${retry.status}.`);
  await tx.tell(changed(accountId, 'runs'));
  if (wanted !== 'running') return found('retry', await setRetryStatus(tx.sql, id, { status: wanted, reason: null }));
  await requireGoing(tx.sql, retry);
  const resumed = found('retry', await resumeRetryRow(tx.sql, id));
  tx.start(retryWork, resumed);
  return resumed;
};

const said: Readonly<Record<RetryStopReason, string>> = {
  flow_paused: 'The flow is paused.',
  flow_archived: 'The flow is archived.',
  version_gone: 'This version of the flow is gone.',
};

const requireGoing = async (sql: Sql, retry: Pick<RetryRow, 'flowId' | 'version'>): Promise<void> => {
  const reason = await findStopReason(sql, retry);
  if (reason) throw new RequestError('conflict', said[reason]);
};
