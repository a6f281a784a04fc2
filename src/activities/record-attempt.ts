import type { Database } from '../shared/platform/db/connect.ts';
import { noEvidence, recordAttempt } from '../shared/deliveries/attempts.ts';
import type { AttemptKey, AttemptResult, UnrecordedAttempt } from '../shared/deliveries/types.ts';
import { readId } from '../shared/ids.ts';
import type { DeliveryMetrics } from '../shared/deliveries/metrics.ts';
import { topicsOf, type TellTopics } from '../shared/facts/topics.ts';

type RecordDeps = { db: Database; tellTopics: TellTopics; metrics: DeliveryMetrics };

/**
 * Records an attempt that was sent while the database was away. The evidence of the exchange is lost, because it may not stand in Temporal's
 * history. Idempotent: an attempt is recorded once.
 */
export const recordLateAttempt =
  (deps: RecordDeps) =>
  async (
    key: AttemptKey,
    { startedAt, generation, outcome, reason, detail, statusCode, durationMs }: UnrecordedAttempt,
  ): Promise<Extract<AttemptResult, { type: 'recorded' }>> => {
    const why = { ...(reason && { reason }), ...(detail && { detail }) };
    const result = { outcome, durationMs, ...why, ...(statusCode !== undefined && { statusCode }) };
    const attempt = { ...result, startedAt: new Date(startedAt), generation, evidence: noEvidence };
    const deliveryId = readId('delivery', key.deliveryId);
    const end = await recordAttempt(deps.db, { ...key, deliveryId }, attempt);
    const [row] = await deps.db<{ accountId: string }[]>`select account_id from deliveries where id = ${deliveryId}`;
    if (row) deps.tellTopics(topicsOf([row.accountId], 'deliveries'));
    if (end) deps.metrics.ended(end);
    return { type: 'recorded', ...result };
  };
