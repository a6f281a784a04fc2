import { changed } from '../shared/facts/changed.ts';
import { readId } from '../shared/ids.ts';
import { findRetryRoom, takeRetryBatch } from '../shared/retries/batch.ts';
import { lockAnyRetry, setRetryStatus } from '../shared/retries/queries.ts';
import type { RetryProgress, RetryResult, RetryRuns } from '../shared/retries/types.ts';
import type { ReplayDeps } from './replay-batches.ts';
import { takeBatches } from './take-batches.ts';

/** With so many deliveries that wait for a statement in this process, it or the database does not keep up, and the retry lets others go first. */
const busyAt = (pace: number): number => Math.ceil(pace / 20);

/**
 * Has the next runs of a bulk retry go on for some seconds, evenly at its pace. Each batch moves the cursor in the same transaction. Idempotent: each
 * run is taken once, and a repetition after a lost answer takes the next batch. The sweep starts the workflows of what was taken and not started.
 */
export const retryBatches =
  ({ db, transact, dispatcher, outbox, log }: ReplayDeps) =>
  async ({ retryId, resumes }: RetryRuns): Promise<RetryResult> => {
    const id = readId('retry', retryId);
    const { pace, room } = (await findRetryRoom(db, id)) ?? { pace: 1, room: 0 };
    const result = await takeBatches(
      { transact, dispatcher },
      {
        pace,
        room,
        busy: () => outbox.behind() >= busyAt(pace),
        take: (tx, limit) => takeRetryBatch(tx, { retryId: id, resumes, limit }),
      },
    );
    if (result.type !== 'more')
      log.info({ retry_id: retryId, outcome: result.type, ...countsOf(result) }, 'retry.ended');
    return result;
  };

/**
 * Pauses or cancels a bulk retry for an operator, as the API does for its owner. Idempotent: a retry that is so already, or over, stays as it is.
 * A retry that was resumed since is `superseded` and left to its newer workflow.
 */
export const stopRetry =
  ({ transact, log }: ReplayDeps) =>
  async (retryId: string, status: 'paused' | 'cancelled', resumes: number): Promise<RetryResult> => {
    const { isStopped, ...result } = await transact(async ({ sql, tell }) => {
      const id = readId('retry', retryId);
      const retry = await lockAnyRetry(sql, id);
      if (!retry) return { type: 'cancelled', total: 0, retried: 0, refused: 0, isStopped: false } as const;
      const counts = countsOf(retry);
      if (retry.resumes !== resumes) return { type: 'superseded', ...counts, isStopped: false } as const;
      if (retry.status !== status && (await setRetryStatus(sql, id, { status, reason: null }))) {
        await tell(changed(retry.accountId, 'runs'));
        return { type: status, ...counts, isStopped: true } as const;
      }
      return { type: retry.status === 'running' ? 'superseded' : retry.status, ...counts, isStopped: false } as const;
    });
    if (isStopped) log.info({ retry_id: retryId, outcome: status }, 'retry.stopped');
    return result;
  };

const countsOf = ({ total, retried, refused }: RetryProgress): RetryProgress => ({ total, retried, refused });
