import { setTimeout as sleep } from 'node:timers/promises';
import { createBatches } from '../../platform/batches.ts';
import type { Database } from '../../platform/db/connect.ts';
import { withDeadline } from '../../platform/deadline.ts';
import { asItem, type WorkItem } from '../../platform/dispatch/work.ts';
import { firstAttempt, recordAttempts, type NewAttempt, type RecordedAttemptOf } from '../attempts.ts';
import type { MadeAttempt } from '../make-attempt.ts';
import { deliveryWork, type DeliveryWorkRow } from '../work.ts';
import { apart } from './apart.ts';
import { bookkeepingMs } from './statements.ts';

/** A first attempt that was sent. `withoutWorkflow`: it has finished its delivery, and there is no room for a workflow. */
export type Made = {
  row: DeliveryWorkRow;
  made: Extract<MadeAttempt, { type: 'made' }>;
  withoutWorkflow: boolean;
};

type Waiting = Made & { resolve: (change: RecordedAttemptOf | undefined) => void };

type Deps = {
  db: Database;
  forBatches: Database;
  startWorkflow: (item: WorkItem) => Promise<boolean>;
  isStopping: () => boolean;
  note: (tookMs: number) => void;
};

/** The most deliveries of one statement. */
const atOnce = 500;

/** The pause before an outcome that neither the database nor Temporal took is offered to them again, in ms. */
const recordAgainMs = 500;

/**
 * Records the first attempts that wait in one statement. One that cannot be recorded holds up no other: it is recorded from memory, in the end by
 * its workflow. `waiting`: how many are not recorded yet.
 */
export const createRecords = ({ db, forBatches, startWorkflow, isStopping, note }: Deps) => {
  const alone = new Set<Promise<void>>();
  let waiting = 0;

  const record = (sql: Database, batch: readonly Made[]): Promise<RecordedAttemptOf[]> =>
    withDeadline(bookkeepingMs, 'recording outcomes', () => recordAttempts(sql, batch.map(newAttemptOf)));

  const settle = (batch: readonly Waiting[], changed: readonly RecordedAttemptOf[]): void => {
    const changes = new Map(changed.map((change) => [change.deliveryId, change]));
    for (const { row, made, resolve } of batch) {
      made.log.info('delivery.attempted');
      resolve(changes.get(row.id));
    }
  };

  const recordAlone = async (one: Waiting): Promise<void> => {
    const { evidence: _, answeredMs: __, startedAt, ...outcome } = one.made.attempt;
    const unrecorded = { startedAt: startedAt.toISOString(), ...outcome };
    for (;;) {
      try {
        return settle([one], await record(db, [one]));
      } catch (error) {
        one.made.log.error({ err: error }, 'delivery.attempted_unrecorded');
        // Where another workflow has begun, it knows nothing of this outcome.
        const isTold = isStopping() || (await startWorkflow(asItem(deliveryWork, { ...one.row, unrecorded })));
        if (isTold) return one.resolve(undefined);
        await sleep(recordAgainMs);
      }
    }
  };

  const records = createBatches<Waiting>({
    most: atOnce,
    work: async (batch) => {
      for (const group of apart(batch, ({ row }) => row.id)) {
        const sinceMs = performance.now();
        try {
          settle(group, await record(forBatches, group));
          note(performance.now() - sinceMs);
        } catch {
          for (const one of group) {
            const going = recordAlone(one).finally(() => alone.delete(going));
            alone.add(going);
          }
        }
      }
      waiting -= batch.length;
    },
  });

  return {
    /** What the record has changed. Undefined where it was recorded before, or its workflow is to record it. */
    record: (one: Made): Promise<RecordedAttemptOf | undefined> => {
      const { promise, resolve } = Promise.withResolvers<RecordedAttemptOf | undefined>();
      waiting += 1;
      records.add({ ...one, resolve });
      return promise;
    },
    waiting: () => waiting,
    drain: async (): Promise<void> => {
      await records.drain();
      await Promise.all(alone);
    },
  };
};

const newAttemptOf = ({ row, made, withoutWorkflow }: Made): NewAttempt => ({
  key: { deliveryId: row.id, round: row.round, ...firstAttempt },
  attempt: made.attempt,
  withoutWorkflow,
});
