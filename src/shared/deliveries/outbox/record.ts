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
import { topicsOf, type TellTopics } from '../../facts/topics.ts';

/** `withoutWorkflow`: the attempt has finished its delivery, and there is no room for a workflow. */
export type Made = {
  row: DeliveryWorkRow;
  made: Extract<MadeAttempt, { type: 'made' }>;
  withoutWorkflow: boolean;
};

type Waiting = Made & { resolve: (change: RecordedAttemptOf | undefined) => void };

type Deps = {
  db: Database;
  forBatches: Database;
  tellTopics: TellTopics;
  startWorkflow: (item: WorkItem) => Promise<boolean>;
  isStopping: () => boolean;
  note: (tookMs: number) => void;
};

const atOnce = 500;

/** The pause after neither the database nor Temporal took an outcome, in ms. */
const recordAgainMs = 500;

/** Records first attempts that wait in one statement. One that fails there holds up no other: it is recorded alone, in the end by its workflow. */
export const createRecords = ({ db, forBatches, tellTopics, startWorkflow, isStopping, note }: Deps) => {
  const alone = new Set<Promise<void>>();
  let waiting = 0;

  const record = (sql: Database, batch: readonly Made[]): Promise<RecordedAttemptOf[]> =>
    withDeadline(bookkeepingMs, 'recording outcomes', () => recordAttempts(sql, batch.map(newAttemptOf)));

  const settle = (batch: readonly Waiting[], changed: readonly RecordedAttemptOf[]): void => {
    tellTopics(
      topicsOf(
        batch.map(({ row }) => row.accountId),
        'deliveries',
      ),
    );
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
        // A workflow that has begun already does not know this outcome.
        const isHandedOver = isStopping() || (await startWorkflow(asItem(deliveryWork, { ...one.row, unrecorded })));
        if (isHandedOver) return one.resolve(undefined);
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
    /** Undefined when the attempt was recorded before, or its workflow records it. */
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
