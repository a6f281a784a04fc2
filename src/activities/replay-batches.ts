import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../shared/platform/db/connect.ts';
import type { Transact, Transaction } from '../shared/platform/dispatch/transact.ts';
import type { Dispatcher } from '../shared/platform/dispatch/dispatcher.ts';
import { asItem, type WorkItem } from '../shared/platform/dispatch/work.ts';
import { readId } from '../shared/ids.ts';
import type { Logger } from '../shared/platform/log.ts';
import { findRoom, takeBatch } from '../shared/replays/batch.ts';
import { createPacer } from '../shared/replays/pacer.ts';
import { lockAnyReplay, setReplayStatus } from '../shared/replays/queries.ts';
import type { BatchResult, ReplayDeliveries } from '../shared/replays/types.ts';

export type ReplayDeps = {
  db: Database;
  transact: Transact;
  dispatcher: Pick<Dispatcher, 'dispatch' | 'starting'>;
  log: Logger;
};

/** How long one activity goes on, in ms: well below its time-out, and below what a shutdown waits for. */
const runMs = 5_000;

/** Batches a second: what a crash leaves to the sweep, and how late a pause is heard. */
const batchesPerSecond = 4;

/** How long a replay waits for what it has begun, in ms, before it looks again. */
const noRoomMs = 1_000;

/**
 * With so many starts under way, everybody's, Temporal or this process is not keeping up, and everybody else goes first: as many
 * as a replay of this pace alone would have at a Temporal that takes 50 ms for one.
 */
const busyAt = (pace: number): number => Math.ceil(pace / 20);

/**
 * For some seconds, begins the new rounds of a replay's next deliveries, each batch in one transaction with its cursor and
 * evenly at the replay's pace. Safe to repeat: each delivery is taken once, and a repetition after a lost answer is the next
 * batch; what was taken and not begun is begun by the sweep.
 */
export const replayBatches =
  ({ db, transact, dispatcher, log }: ReplayDeps) =>
  async ({ replayId, resumes }: ReplayDeliveries): Promise<BatchResult> => {
    const id = readId('replay', replayId);
    const untilMs = performance.now() + runMs;
    const { pace, room: atFirst } = (await findRoom(db, id)) ?? { pace: 1, room: 0 };
    let room = atFirst;
    const pacer = createPacer({ perSecond: pace, busy: () => dispatcher.starting() >= busyAt(pace) });
    for (;;) {
      await pacer.turn();
      const limit = Math.min(room, Math.ceil(pace / batchesPerSecond));
      const { result, taken } = await transact(async (tx) => {
        const taken: WorkItem[] = [];
        const start: Transaction['start'] = (work, row) => taken.push(asItem(work, row));
        return { result: await takeBatch({ ...tx, start }, { replayId: id, resumes, limit }), taken };
      });
      room -= taken.length;
      for (const [index, item] of taken.entries()) {
        if (index > 0) await pacer.turn();
        dispatcher.dispatch([item]);
      }
      if (result.type !== 'more') {
        log.info({ replay_id: replayId, outcome: result.type, ...countsOf(result) }, 'replay.ended');
        return result;
      }
      if (room === 0) await sleep(noRoomMs);
      if (performance.now() >= untilMs || room === 0) return result;
    }
  };

/**
 * Pauses or cancels a replay for an operator, as the API does for its owner. Safe to repeat: what is so already stays as it is,
 * one that is over stays as it ended, and one that was resumed since is `superseded` and left to its newer workflow. Workflows
 * of version 0.2 do not say which they are.
 */
export const stopReplay =
  ({ transact, log }: ReplayDeps) =>
  async (replayId: string, status: 'paused' | 'cancelled', resumes?: number): Promise<BatchResult> => {
    const { stopped, ...result } = await transact(async ({ sql }) => {
      const id = readId('replay', replayId);
      const replay = await lockAnyReplay(sql, id);
      if (!replay) return { type: 'cancelled', total: 0, replayed: 0, skipped: 0, stopped: false } as const;
      const counts = countsOf(replay);
      if (resumes !== undefined && replay.resumes !== resumes) {
        return { type: 'superseded', ...counts, stopped: false } as const;
      }
      if (replay.status !== status && (await setReplayStatus(sql, id, { status, reason: null }))) {
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
