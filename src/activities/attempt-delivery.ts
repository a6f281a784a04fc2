import type { Database } from '../shared/platform/db/connect.ts';
import type { EventTransact } from '../shared/facts/tell.ts';
import { topicsOf, type TellTopics } from '../shared/facts/topics.ts';
import { findDueAttempt, recordAttempt, type AttemptRecord, type DueAttempt } from '../shared/deliveries/attempts.ts';
import { makeAttempt, type AttemptMaker, type ReadAttempt } from '../shared/deliveries/make-attempt.ts';
import { parkDelivery } from '../shared/deliveries/park.ts';
import type { AttemptKey, AttemptOutcome, AttemptResult, RecordedAttempt } from '../shared/deliveries/types.ts';
import { askAs } from '../shared/platform/bulkhead/asker.ts';
import { busy } from '../shared/platform/bulkhead/busy.ts';
import { readId } from '../shared/ids.ts';
import { withDeadline } from '../shared/platform/deadline.ts';

export type AttemptDeps = AttemptMaker & {
  db: Database;
  transact: EventTransact;
  tellTopics: TellTopics;
};

/**
 * How long the database may take before the exchange, and again after it, in ms. With the ten seconds of the exchange the attempt then ends
 * within the 15 s that Temporal gives it; otherwise Temporal would make it again while the first one still waits for the database. Parking
 * waits for each lock as long at most.
 */
const bookkeepingMs = 2_000;

/** The delay until an attempt is made again for which this process had no look-up or connection left, in ms. */
const busyAwayMs = 1_000;

/**
 * Makes one signed POST of a delivery and records its outcome. Idempotent by its key: an attempt that is recorded already is answered from the
 * record, without a POST. An attempt that was sent but not recorded, because of a crash in between, is sent again with the same id. When the
 * webhook may not be sent to, the delivery is parked. Throws only before the POST, for our own faults.
 */
export const attemptDelivery =
  (deps: AttemptDeps) =>
  async (key: AttemptKey): Promise<AttemptResult> => {
    const round = { ...key, deliveryId: readId('delivery', key.deliveryId) };
    const due = await withDeadline(bookkeepingMs, 'reading what to send', () => findDueAttempt(deps.db, round));
    const readMs = performance.now();
    if (due?.recorded && stillMatters(due)) return answerFromRecord(key, due, due.recorded);
    if (!due?.inProgress) return { type: 'stopped', status: due?.status ?? 'cancelled' };
    if (due.unmet === null) return attempt(deps, key, { ...due, readMs });
    const { accountId, webhookId, isTest } = due;
    const parked = { ...round, webhookId, isTest };
    const end = await askAs({ accountId }, () => parkDelivery(deps.transact, parked, { lockTimeoutMs: bookkeepingMs }));
    deps.metrics.ended(end);
    return { type: 'stopped', status: end.status };
  };

/** False for a failure in a round that is over: a workflow that was reset finds it again, and must end instead of retrying. */
const stillMatters = ({ inProgress, isTest, recorded }: DueAttempt): boolean =>
  inProgress || isTest || recorded?.outcome === 'succeeded';

const answerFromRecord = (key: AttemptKey, due: DueAttempt, recorded: AttemptOutcome): RecordedAttempt => {
  const behind = key.kind === 'scheduled' && due.attemptsMade > key.number;
  const isLatest = due.inProgress && key.kind === 'scheduled' && due.attemptsMade === key.number;
  const dueInMs = isLatest && recorded.outcome === 'failed' ? due.dueInMs : null;
  return { type: 'recorded', ...recorded, ...(behind && { behind }), ...(dueInMs !== null && { dueInMs }) };
};

/** Records an attempt, and counts a round that it ends. Both happen even when the caller no longer waits. */
const record = async ({ db, metrics }: AttemptDeps, key: AttemptKey, attempt: AttemptRecord): Promise<void> => {
  const end = await recordAttempt(db, { ...key, deliveryId: readId('delivery', key.deliveryId) }, attempt);
  if (end) metrics.ended(end);
};

const attempt = async (deps: AttemptDeps, key: AttemptKey, due: ReadAttempt): Promise<AttemptResult> => {
  const made = await makeAttempt(deps, key, due);
  // Nothing is recorded against the receiver.
  if (made.type === 'busy') throw busy(busyAwayMs);
  const { evidence: _, answeredMs: __, startedAt, generation, ...outcome } = made.attempt;
  try {
    await withDeadline(bookkeepingMs, 'recording the outcome', () => record(deps, key, made.attempt));
    deps.tellTopics(topicsOf([due.accountId], 'deliveries'));
    made.log.info('delivery.attempted');
    return { type: 'recorded', ...outcome };
  } catch (error) {
    // The POST was sent. To throw, or to wait longer, would send it again, so the workflow records the outcome, without its evidence.
    made.log.error({ err: error }, 'delivery.attempted_unrecorded');
    return { type: 'unrecorded', startedAt: startedAt.toISOString(), generation, ...outcome };
  }
};
