import { setTimeout as sleep } from 'node:timers/promises';
import type { EventTransact, EventTransaction } from '../shared/facts/tell.ts';
import type { Dispatcher } from '../shared/platform/dispatch/dispatcher.ts';
import type { Transaction } from '../shared/platform/dispatch/transact.ts';
import { asItem, type WorkItem } from '../shared/platform/dispatch/work.ts';
import { createPacer } from '../shared/replays/pacer.ts';

/** How long one activity takes, in ms: well below its time-out, and below the time that a shutdown waits. */
const runMs = 5_000;

/** Batches a second. The size of a batch bounds what a crash leaves to the sweep, and how late a pause takes effect. */
const batchesPerSecond = 4;

/** How long bulk work without room waits before it looks again, in ms. */
const noRoomMs = 1_000;

type Deps = { transact: EventTransact; dispatcher: Pick<Dispatcher, 'dispatch'> };

type Batches<Result> = {
  /** How many a second, and how many more there is room for. */
  pace: number;
  room: number;
  /** Whether others go first now. */
  busy: () => boolean;
  /** Takes the next batch in this transaction, of at most so many. Its result is `more` until there are none. */
  take: (tx: EventTransaction, limit: number) => Promise<Result>;
};

/**
 * Takes batches for some seconds, and has what they begin start evenly at the pace. Each batch is a transaction of its own, which knows how far it has
 * come. The sweep starts what was taken and not started.
 */
export const takeBatches = async <Result extends { type: string }>(
  { transact, dispatcher }: Deps,
  { pace, room: atFirst, busy, take }: Batches<Result>,
): Promise<Result> => {
  const untilMs = performance.now() + runMs;
  let room = atFirst;
  const pacer = createPacer({ perSecond: pace, busy });
  for (;;) {
    await pacer.turn();
    const limit = Math.min(room, Math.ceil(pace / batchesPerSecond));
    const { result, taken } = await transact(async (tx) => {
      const taken: WorkItem[] = [];
      const start: Transaction['start'] = (work, row) => taken.push(asItem(work, row));
      return { result: await take({ ...tx, start }, limit), taken };
    });
    room = Math.max(0, room - taken.length);
    for (const [index, item] of taken.entries()) {
      if (index > 0) await pacer.turn();
      dispatcher.dispatch([item]);
    }
    if (result.type !== 'more') return result;
    if (room === 0) await sleep(noRoomMs);
    if (performance.now() >= untilMs || room === 0) return result;
  }
};
