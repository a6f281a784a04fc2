import { connectDatabase, type Database, type DatabaseTarget } from '../../platform/db/connect.ts';
import type { ReplaceOptions } from '../../platform/db/replace-on-loss.ts';
import { createBatches, type Batches } from '../../platform/batches.ts';
import { withDeadline } from '../../platform/deadline.ts';
import type { Logger } from '../../platform/log.ts';
import { nobody } from '../../platform/processes/own-process.ts';
import { markWithoutWorkflow, sweepSoon } from '../rounds.ts';
import { topicsOf, type TellTopics } from '../../facts/topics.ts';

/** The time for the database before the POST, and again after it, in ms. */
export const bookkeepingMs = 2_000;

/**
 * A connection each for reads, records and the rest. Statements are planned once on each, because planning over the weeks of the logs takes longer
 * than running them, and 4 MB. A statement ends with its batch, so that a lock takes no connection away.
 */
export const connectForBatches = (target: DatabaseTarget, watching: ReplaceOptions = {}): Database =>
  connectDatabase(target, {
    max: 3,
    settings: { plan_cache_mode: 'force_generic_plan', statement_timeout: bookkeepingMs },
    ...watching,
  });

type Marked = { id: string; accountId: string };

/** Writes that nobody waits for. */
export type Marks = {
  /** Gives back an unsent delivery, for any process to send. */
  giveBack: (delivery: Marked) => void;
  /** Has the sweep start a workflow that may be missing. */
  leaveToSweep: (delivery: Marked) => void;
  dropWorkflow: (delivery: Marked) => void;
  /** Resolves when nothing is under way. */
  drain: () => Promise<void>;
};

const atOnce = 500;

type MarkDeps = { forBatches: Database; tellTopics: TellTopics; log: Logger };

/** A statement that fails leaves its deliveries to their leases. */
export const createMarks = ({ forBatches, tellTopics, log }: MarkDeps): Marks => {
  const marking = (
    what: string,
    statement: (sql: Database, ids: string[]) => PromiseLike<unknown>,
    onMarked: (marked: readonly Marked[]) => void = () => {},
  ): Batches<Marked> =>
    createBatches({
      most: atOnce,
      work: async (batch) => {
        const ids = batch.map(({ id }) => id);
        try {
          await withDeadline(bookkeepingMs, what, async () => statement(forBatches, ids));
          onMarked(batch);
        } catch (error) {
          log.warn({ err: error, deliveries: ids.length }, 'outbox.not_marked');
        }
      },
    });
  const returned = marking('giving deliveries back', (sql, ids) => sweepSoon(sql, ids, { sender: nobody }));
  const overdue = marking('leaving deliveries to the sweep', (sql, ids) => sweepSoon(sql, ids));
  const dropped = marking('marking deliveries without workflows', markWithoutWorkflow, (marked) =>
    tellTopics(
      topicsOf(
        marked.map(({ accountId }) => accountId),
        'deliveries',
      ),
    ),
  );
  return {
    giveBack: returned.add,
    leaveToSweep: overdue.add,
    dropWorkflow: dropped.add,
    drain: async () => {
      await Promise.all([returned.drain(), overdue.drain(), dropped.drain()]);
    },
  };
};
