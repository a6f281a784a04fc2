import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../shared/platform/db/connect.ts';
import type { Transaction } from '../shared/platform/dispatch/transact.ts';
import type { Outbox } from '../shared/deliveries/outbox/outbox.ts';
import type { Dispatcher } from '../shared/platform/dispatch/dispatcher.ts';
import { asItem, type WorkItem } from '../shared/platform/dispatch/work.ts';
import { readId } from '../shared/ids.ts';
import type { Logger } from '../shared/platform/log.ts';
import { findRoom, takeBatch } from '../shared/replays/batch.ts';
import { createPacer } from '../shared/replays/pacer.ts';
import { lockAnyReplay, setReplayStatus } from '../shared/replays/queries.ts';
import type { BatchResult, ReplayDeliveries } from '../shared/replays/types.ts';
import { changed } from '../shared/facts/changed.ts';
import type { EventTransact } from '../shared/facts/tell.ts';

export type ReplayDeps = {
  db: Database;
  transact: EventTransact;
  dispatcher: Pick<Dispatcher, 'dispatch'>;
  outbox: Pick<Outbox, 'behind'>;
  log: Logger;
};

/** How long one activity takes, in ms: well below its time-out, and below the time that a shutdown waits. */
const runMs = 5_000;

/** Batches a second. The size of a batch bounds what a crash leaves to the sweep, and how late a pause takes effect. */
const batchesPerSecond = 4;

/** How long a replay without room waits before it looks again, in ms. */
const noRoomMs = 1_000;

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
    const untilMs = performance.now() + runMs;
    const { pace, room: atFirst } = (await findRoom(db, id)) ?? { pace: 1, room: 0 };
    let room = atFirst;
    const pacer = createPacer({ perSecond: pace, busy: () => outbox.behind() >= busyAt(pace) });
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
