import { askAs } from '../platform/bulkhead/asker.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { showId } from '../ids.ts';
import { createBatches } from '../platform/batches.ts';
import { connectDatabase, type Database, type DatabaseTarget } from '../platform/db/connect.ts';
import type { ReplaceOptions } from '../platform/db/replace-on-loss.ts';
import { withDeadline } from '../platform/deadline.ts';
import type { FirstAttempts } from '../platform/dispatch/first-attempts.ts';
import { asItem, type Straight, type WorkItem } from '../platform/dispatch/work.ts';
import type { Transact } from '../platform/dispatch/transact.ts';
import { findFirstAttempts, firstAttempt, recordAttempts, type DueAttempt, type EndedRound } from './attempts.ts';
import { createGraceExtension, type Waiting } from './extend-grace.ts';
import { makeAttempt, type AttemptMaker, type MadeAttempt } from './make-attempt.ts';
import { parkDelivery } from './park.ts';
import { sweepSoon } from './rounds.ts';
import { deliveryWork, isFirstAttempt, type DeliveryWorkRow } from './work.ts';

export type OutboxDeps = AttemptMaker & {
  db: Database;
  /** Connections for statements about many deliveries; see `connectForBatches`. */
  forBatches: Database;
  transact: Transact;
  /** Places of its own, because those of workflows are held while Temporal is slow. It gives back each, however late. */
  places: FirstAttempts;
  /** Starts the workflow that goes on with a delivery; false where it did not, or one of its id runs or has run. */
  startWorkflow: (item: WorkItem) => Promise<boolean>;
};

/** Sends first attempts straight from the outbox: what a transaction has committed is read, sent and recorded without a workflow. */
export type Outbox = Straight<DeliveryWorkRow> & {
  /** Resolves when nothing is under way. */
  drain: () => Promise<void>;
  /** Sends nothing more that is not under way: the sweep of any process sees to it. */
  close: () => void;
};

/**
 * An attempt is sent straight only within so many ms of its commit, or of the last extension of its grace. With the ten seconds of the POST and
 * the two of its recording that is the time after which the sweep takes a delivery for lost (`firstAttemptGraceSeconds`): nobody else sends it
 * meanwhile. The grace begins when the transaction writes the delivery, so that no more may have passed since then, either.
 */
const straightWithinMs = 3_000;

/** How long the database may take before the exchange, and again after it, in ms. */
const bookkeepingMs = 2_000;

/** The pause before an outcome that neither the database nor Temporal took is offered to them again, in ms. */
const recordAgainMs = 500;

/** The most deliveries that are read or left in one statement, and the most attempts that are recorded in one. */
const batchLimits = { reads: 100, records: 500, unsent: 500 };

/**
 * A pool for `forBatches`: a connection for what is read, one for what is recorded, and one for the rest. The plans of their statements are made
 * once on each, because planning over the weeks of the logs takes longer than running them, and takes 4 MB of a connection. What waits for a
 * lock is given up when its batch is, so that no connection is lost to it.
 */
export const connectForBatches = (target: DatabaseTarget, watching: ReplaceOptions = {}): Database =>
  connectDatabase(target, {
    max: 3,
    settings: { plan_cache_mode: 'force_generic_plan', statement_timeout: bookkeepingMs },
    ...watching,
  });

/**
 * What its places need (`createFirstAttempts`): a delivery that has waited for half a minute goes by its workflow, which the sweep starts, and no
 * place is forgotten.
 */
export const outboxPlaces = { patienceMs: 30_000, forgottenAfterMs: Infinity };

type Sent = { row: DeliveryWorkRow; committedMs: number; waiting: Waiting };
/** What was read of a delivery. `askedMs` and `readMs`: before and after it was read, by the monotonic clock. */
type Read = { due: DueAttempt | undefined; askedMs: number; readMs: number };
type Made = { row: DeliveryWorkRow; made: Extract<MadeAttempt, { type: 'made' }> };

/**
 * A delivery whose first attempt succeeds needs no workflow. At its first failure `deliverEvent` goes on with attempt 2 at its exact time. An
 * attempt that was sent is never sent again because it could not be recorded: it is recorded from memory, in the end by its workflow.
 */
export const createOutbox = (deps: OutboxDeps): Outbox => {
  const { db, forBatches, transact, places, startWorkflow, metrics, log } = deps;
  const underWay = new Set<Promise<void>>();
  const grace = createGraceExtension(forBatches, log);
  let stopping = false;

  const leave = ({ id }: DeliveryWorkRow): void => places.release(id);

  const unsent = createBatches<DeliveryWorkRow>({
    most: batchLimits.unsent,
    work: async (batch) => {
      const ids = batch.map(({ id }) => id);
      await withDeadline(bookkeepingMs, 'leaving deliveries to the sweep', () =>
        sweepSoon(forBatches, ids, firstAttempt.round),
      ).catch((error: unknown) => log.warn({ err: error, left: ids.length }, 'outbox.unsent'));
      for (const row of batch) leave(row);
    },
  });

  /** Leaves a delivery to the sweep, which has it sent within seconds: it need not wait until this process could have sent it. */
  const leaveUnsent = (row: DeliveryWorkRow): void => unsent.add(row);

  const reads = createBatches<Sent>({
    most: batchLimits.reads,
    work: async (batch) => {
      const askedMs = performance.now();
      try {
        const ids = batch.map(({ row }) => row.id);
        const due = await withDeadline(bookkeepingMs, 'reading what to send', () => findFirstAttempts(forBatches, ids));
        const readMs = performance.now();
        for (const sent of batch) follow(sent.row, attempt(sent, { due: due.get(sent.row.id), askedMs, readMs }));
      } catch (error) {
        log.warn({ err: error, left: batch.length }, 'outbox.unread');
        for (const { row, waiting } of batch) {
          waiting.end();
          leaveUnsent(row);
        }
      }
    },
  });

  /** Work that nobody awaits. It fails only before anything was sent. */
  const follow = (row: DeliveryWorkRow, going: Promise<void>): void => {
    const followed = going
      .catch((error: unknown) => {
        log.warn({ err: error, delivery_id: showId('delivery', row.id) }, 'outbox.failed');
        leaveUnsent(row);
      })
      .finally(() => underWay.delete(followed));
    underWay.add(followed);
  };

  const attempt = async ({ row, committedMs, waiting }: Sent, { due, askedMs, readMs }: Read): Promise<void> => {
    waiting.end();
    if (!due?.inProgress || due.recorded) return leave(row);
    if (due.unmet !== null) {
      const { webhookId, isTest } = row;
      const round = { deliveryId: row.id, round: firstAttempt.round };
      const how = { lockTimeoutMs: bookkeepingMs, withoutWorkflow: true };
      const park = () => parkDelivery(transact, { ...round, webhookId, isTest }, how);
      metrics.ended(await askAs({ accountId: row.accountId }, park), 'outbox');
      return leave(row);
    }
    const askedAgeMs = due.startedAt.getTime() - due.createdAt.getTime();
    const bornUntilMs = straightWithinMs + Math.min(committedMs, askedMs - askedAgeMs);
    const untilMs = waiting.isExtended ? waiting.untilMs : bornUntilMs;
    const mayBegin = (): boolean => !stopping && performance.now() <= untilMs;
    const made = await makeAttempt(deps, firstAttempt, { ...due, readMs, mayBegin });
    if (made.type === 'busy') return leaveUnsent(row);
    records.add({ row, made });
  };

  const records = createBatches<Made>({
    most: batchLimits.records,
    work: async (batch) => {
      try {
        settle(batch, await record(forBatches, batch));
      } catch {
        // One that cannot be recorded holds up no other.
        for (const one of batch) follow(one.row, recordAlone(one));
      }
    },
  });

  const record = (sql: Database, batch: readonly Made[]): Promise<EndedRound[]> => {
    const attempts = batch.map(({ row, made }) => ({
      key: { deliveryId: row.id, ...firstAttempt },
      attempt: made.attempt,
    }));
    return withDeadline(bookkeepingMs, 'recording outcomes', () => recordAttempts(sql, attempts, { straight: true }));
  };

  const recordAlone = async (one: Made): Promise<void> => {
    const { evidence: _, answeredMs: __, startedAt, ...outcome } = one.made.attempt;
    const unrecorded = { startedAt: startedAt.toISOString(), ...outcome };
    for (;;) {
      try {
        return settle([one], await record(db, [one]));
      } catch (error) {
        one.made.log.error({ err: error }, 'delivery.attempted_unrecorded');
        // Where another workflow has begun, it knows nothing of this outcome.
        if (await startWorkflow(asItem(deliveryWork, { ...one.row, unrecorded }))) return leave(one.row);
        if (stopping) return leave(one.row);
        await sleep(recordAgainMs);
      }
    }
  };

  /** Goes on with deliveries whose attempts are recorded. */
  const settle = (batch: readonly Made[], ended: readonly EndedRound[]): void => {
    for (const end of ended) metrics.ended(end, 'outbox');
    for (const { row, made } of batch) {
      leave(row);
      made.log.info('delivery.attempted');
      if (made.attempt.outcome === 'failed' && !row.isTest) follow(row, goOn(row));
    }
  };

  const goOn = async (row: DeliveryWorkRow): Promise<void> => {
    await startWorkflow(asItem(deliveryWork, { ...row, attemptsMade: firstAttempt.number }));
  };

  const drain = async (): Promise<void> => {
    await reads.drain();
    do {
      await Promise.all(underWay);
      await records.drain();
    } while (underWay.size > 0);
    await Promise.all([unsent.drain(), grace.drain()]);
  };

  return {
    work: deliveryWork,
    withinMs: straightWithinMs,
    holds: ({ id, round }) => round === firstAttempt.round && places.holds(id),
    takes: (row) => row.round === firstAttempt.round && isFirstAttempt(row),
    send: async (row, committedMs) => {
      if (places.holds(row.id)) return;
      const waiting = grace.add(row.id, committedMs + straightWithinMs);
      const place = await places.take(row.id, deliveryWork.lane(row));
      if (place === 'local' && !stopping) reads.add({ row, committedMs, waiting });
      else {
        waiting.end();
        leaveUnsent(row);
      }
    },
    drain,
    close: () => {
      stopping = true;
      places.turnAway();
    },
  };
};
