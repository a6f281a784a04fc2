import type { Database } from '../shared/platform/db/connect.ts';
import type { Outbox } from '../shared/deliveries/outbox/outbox.ts';
import type { Dispatcher } from '../shared/platform/dispatch/dispatcher.ts';
import { readId } from '../shared/ids.ts';
import type { Logger } from '../shared/platform/log.ts';
import { findRoom, takeBatch } from '../shared/replays/batch.ts';
import { lockAnyReplay, setReplayStatus } from '../shared/replays/queries.ts';
import type { BatchResult, ReplayDeliveries } from '../shared/replays/types.ts';
import { changed } from '../shared/facts/changed.ts';
import type { EventTransact } from '../shared/facts/tell.ts';
import { takeBatches } from './take-batches.ts';

export type ReplayDeps = {
  db: Database;
  transact: EventTransact;
  dispatcher: Pick<Dispatcher, 'dispatch'>;
  outbox: Pick<Outbox, 'behind'>;
  log: Logger;
};

/** With so many deliveries that wait for a statement in this process, it or the database does not keep up, and the replay lets others go first. */
const busyAt = (pace: number): number => Math.ceil(pace / 20);

/**
 * Begins the new rounds of a replay's next deliveries for some seconds, evenly at the replay's pace. Each batch moves the cursor in the same
 * transaction. Idempotent: each delivery is taken once, and a repetition after a lost answer takes the next batch. The sweep sends what was
 * taken and not sent.
 */
export const replayBatches =
  ({ db, transact, dispatcher, outbox, log }: ReplayDeps) =>
  async ({ replayId, resumes }: ReplayDeliveries): Promise<BatchResult> => {
    const id = readId('replay', replayId);
    const { pace, room } = (await findRoom(db, id)) ?? { pace: 1, room: 0 };
    const result = await takeBatches(
      { transact, dispatcher },
      {
        pace,
        room,
        busy: () => outbox.behind() >= busyAt(pace),
        take: (tx, limit) => takeBatch(tx, { replayId: id, resumes, limit }),
      },
    );
    if (result.type !== 'more')
      log.info({ replay_id: replayId, outcome: result.type, ...countsOf(result) }, 'replay.ended');
    return result;
  };

/**
 * Pauses or cancels a replay for an operator, as the API does for its owner. Idempotent: a replay that is so already, or over, stays as it is.
 * A replay that was resumed since is `superseded` and left to its newer workflow.
 */
export const stopReplay =
  ({ transact, log }: ReplayDeps) =>
  async (replayId: string, status: 'paused' | 'cancelled', resumes: number): Promise<BatchResult> => {
    const { stopped, ...result } = await transact(async ({ sql, tell }) => {
      const id = readId('replay', replayId);
      const replay = await lockAnyReplay(sql, id);
      if (!replay) return { type: 'cancelled', total: 0, replayed: 0, skipped: 0, stopped: false } as const;
      const counts = countsOf(replay);
      if (replay.resumes !== resumes) {
        return { type: 'superseded', ...counts, stopped: false } as const;
      }
      if (replay.status !== status && (await setReplayStatus(sql, id, { status, reason: null }))) {
        await tell(changed(replay.accountId, 'replays'));
        return { type: status, ...counts, stopped: true } as const;
      }
      return { type: replay.status === 'running' ? 'superseded' : replay.status, ...counts, stopped: false } as const;
    });
    if (stopped) log.info({ replay_id: replayId, outcome: status }, 'replay.stopped');
    return result;
  };

const countsOf = ({ total, replayed, skipped }: { total: number; replayed: number; skipped: number }) => ({
  total,
  replayed,
  skipped,
});
