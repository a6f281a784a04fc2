import type { Transact } from '../shared/db/transact.ts';
import { readId } from '../shared/ids.ts';
import type { Logger } from '../shared/log.ts';
import { takeBatch } from '../shared/replays/batch.ts';
import { lockAnyReplay, stopReplay as stop } from '../shared/replays/queries.ts';
import type { BatchResult, ReplayDeliveries } from '../shared/replays/types.ts';

export type ReplayDeps = { transact: Transact; log: Logger };

/**
 * Begins the new rounds of a replay's next deliveries, in one transaction with its cursor. Safe to repeat: each delivery is
 * taken once, and a repetition after a lost answer is the next batch.
 */
export const replayBatch =
  ({ transact, log }: ReplayDeps) =>
  async ({ replayId, resumes }: ReplayDeliveries): Promise<BatchResult> => {
    const batch = { replayId: readId('replay', replayId), resumes };
    const result = await transact((tx) => takeBatch(tx, batch));
    if (result.type !== 'more')
      log.info({ replay_id: replayId, outcome: result.type, ...countsOf(result) }, 'replay.ended');
    return result;
  };

/** Pauses or cancels a replay for an operator, as the API does for its owner; one that is over stays as it ended. */
export const stopReplay =
  ({ transact, log }: ReplayDeps) =>
  (replayId: string, status: 'paused' | 'cancelled'): Promise<BatchResult> =>
    transact(async ({ sql }) => {
      const id = readId('replay', replayId);
      const replay = (await stop(sql, id, { status, reason: null })) ?? (await lockAnyReplay(sql, id));
      log.info({ replay_id: replayId, outcome: status }, 'replay.stopped');
      if (!replay) return { type: 'cancelled', total: 0, replayed: 0, skipped: 0 };
      return { type: replay.status === 'running' ? 'superseded' : replay.status, ...countsOf(replay) };
    });

const countsOf = ({ total, replayed, skipped }: { total: number; replayed: number; skipped: number }) => ({
  total,
  replayed,
  skipped,
});
