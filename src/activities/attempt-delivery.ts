import { SpanKind, type Span } from '@opentelemetry/api';
import { asyncLocalStorage } from '@temporalio/activity';
import type { Database } from '../shared/platform/db/connect.ts';
import type { Transact } from '../shared/platform/dispatch/transact.ts';
import { findDueAttempt, type AttemptRecord, type DueAttempt } from '../shared/deliveries/attempts.ts';
import { judgeExchange } from '../shared/deliveries/judge-exchange.ts';
import { endRound, type Round, type RoundEnd } from '../shared/deliveries/rounds.ts';
import type { AttemptKey, AttemptOutcome, AttemptResult, RecordedAttempt } from '../shared/deliveries/types.ts';
import { busy } from '../shared/platform/bulkhead/busy.ts';
import type { FirstAttempts } from '../shared/platform/dispatch/first-attempts.ts';
import type { Egress } from '../shared/platform/egress/client.ts';
import { readId, showId } from '../shared/ids.ts';
import type { Logger } from '../shared/platform/log.ts';
import type { DeliveryMetrics } from '../shared/deliveries/metrics.ts';
import type { Secrets } from '../shared/platform/secrets/seal.ts';
import { currentTraceId, failSpan, inSpan } from '../shared/platform/telemetry/tracing.ts';
import { checkPreconditions } from '../shared/webhooks/preconditions.ts';
import { postSigned, type Endpoint } from '../shared/webhooks/signed-post.ts';
import { openSigningSecrets } from '../shared/webhooks/signing-secrets.ts';
import { withDeadline } from '../shared/platform/deadline.ts';
import { record } from './record-attempt.ts';

export type AttemptDeps = {
  db: Database;
  transact: Transact;
  egress: Egress;
  secrets: Secrets;
  log: Logger;
  metrics: DeliveryMetrics;
  firstAttempts: FirstAttempts;
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
    try {
      const due = await withDeadline(bookkeepingMs, 'reading what to send', () => findDueAttempt(deps.db, round));
      const readMs = performance.now();
      if (due?.recorded && stillMatters(due)) return answerFromRecord(key, due, due.recorded);
      if (!due?.inProgress) return { type: 'stopped', status: due?.status ?? 'cancelled' };
      if (due.unmet === null) {
        if (isLocal() && !deps.firstAttempts.enter(round.deliveryId, { accountId: due.accountId, key: due.webhookId }))
          throw busy();
        return await tracePost(deps, key, { ...due, readMs });
      }
      const end = await park(deps, round, due);
      deps.metrics.ended(end);
      return { type: 'stopped', status: end.status };
    } finally {
      deps.firstAttempts.release(round.deliveryId);
    }
  };

/** False for a failure in a round that is over: a workflow that was reset finds it again, and must end instead of retrying. */
const stillMatters = ({ inProgress, isTest, recorded }: DueAttempt): boolean =>
  inProgress || isTest || recorded?.outcome === 'succeeded';

const answerFromRecord = (key: AttemptKey, due: DueAttempt, recorded: AttemptOutcome): RecordedAttempt => {
  const behind = key.visible && key.kind === 'scheduled' && due.attemptsMade > key.number;
  return { type: 'recorded', ...recorded, ...(behind && { behind }) };
};

/** Whether this attempt runs inside a workflow task, of which a process has a bounded number. Not every start knows which process gets its task. */
const isLocal = (): boolean => asyncLocalStorage.getStore()?.info.isLocal ?? false;

/**
 * Parks the delivery instead of sending it. Under the locks of `checkPreconditions` nobody can re-enable the webhook or change the plan
 * meanwhile, so whoever does so afterwards finds the delivery parked. Test events, and deliveries of a deleted webhook, are cancelled instead.
 * Throws when the webhook may be sent to after all, or when a lock is not granted in time; Temporal then makes the attempt again.
 */
const park = ({ transact }: AttemptDeps, round: Round, { webhookId, isTest }: DueAttempt): Promise<RoundEnd> =>
  transact(async ({ sql }) => {
    await sql`select set_config('lock_timeout', ${String(bookkeepingMs)}, true)`;
    const unmet = (await checkPreconditions(sql, [webhookId])).get(webhookId);
    if (unmet === null) throw new Error('the webhook may be sent to again');
    const isKept = !isTest && unmet !== undefined && unmet !== 'webhook_deleted';
    return endRound(sql, round, isKept ? 'parked' : 'cancelled');
  });

/** Traces the POST in the trace of its event. The receiver gets no `traceparent`, because it belongs to somebody else. */
const tracePost = (deps: AttemptDeps, key: AttemptKey, due: ReadAttempt): Promise<AttemptResult> => {
  const attributes = {
    'parley.delivery_id': key.deliveryId,
    'parley.account_id': showId('account', due.accountId),
    'parley.webhook_id': showId('webhook', due.webhookId),
    'parley.variant': due.variant,
    'parley.round': key.round,
    'parley.kind': key.kind,
    'parley.number': key.number,
  };
  const options = { kind: SpanKind.CLIENT, parent: due.traceparent, attributes };
  return inSpan('delivery.attempt', options, (span) => post(deps, key, due, span));
};

/** The attempt, and when this process read it, by its monotonic clock in ms. */
type ReadAttempt = DueAttempt & { readMs: number };

/**
 * When the POST is sent, by the database's clock. It counts the time since the attempt was read, which is long in a busy process. This time
 * plus the duration of the exchange decides whether a success came before a failure.
 */
const sentAt = ({ startedAt, readMs }: ReadAttempt): Date => new Date(startedAt.getTime() + performance.now() - readMs);

const post = async (deps: AttemptDeps, key: AttemptKey, due: ReadAttempt, span: Span): Promise<AttemptResult> => {
  const { accountId, webhookId, body } = due;
  const endpoint = endpointOf(deps, due);
  const at = sentAt(due);
  const { exchange, headers } = await postSigned(deps.egress, endpoint, { id: key.deliveryId, body, at });
  // Nothing was sent, because this process is congested: nothing is recorded against the receiver.
  if (exchange.type === 'busy') throw busy(busyAwayMs);
  const attempt = {
    ...judgeExchange(due.variant, exchange, headers),
    startedAt: at,
    generation: due.generation,
  };
  const { evidence: _, startedAt, generation, ...outcome } = attempt;
  tell(deps.metrics, key, due, attempt);
  span.setAttributes({ 'parley.outcome': outcome.outcome, 'http.response.status_code': outcome.statusCode });
  if (outcome.outcome === 'failed') failSpan(span, outcome.reason ?? 'unknown');
  const log = deps.log.child({
    delivery_id: key.deliveryId,
    account_id: showId('account', accountId),
    webhook_id: showId('webhook', webhookId),
    round: key.round,
    kind: key.kind,
    number: key.number,
    outcome: outcome.outcome,
    reason: outcome.reason,
    detail: outcome.detail,
    status: outcome.statusCode,
    duration_ms: outcome.durationMs,
    trace_id: currentTraceId(),
  });
  try {
    await withDeadline(bookkeepingMs, 'recording the outcome', () => record(deps, key, attempt));
    log.info('delivery.attempted');
    return { type: 'recorded', ...outcome };
  } catch (error) {
    // The POST was sent. To throw, or to wait longer, would send it again, so the workflow records the outcome, without its evidence.
    log.error({ err: error }, 'delivery.attempted_unrecorded');
    return { type: 'unrecorded', startedAt: startedAt.toISOString(), generation, ...outcome };
  }
};

const tell = (metrics: DeliveryMetrics, key: AttemptKey, due: DueAttempt, attempt: AttemptRecord): void => {
  const { variant, createdAt, isTest } = due;
  const { startedAt, durationMs, outcome } = attempt;
  metrics.attempted(variant, attempt);
  // A replay begins when somebody asks for it, so its time says nothing about how fast events go out.
  if (outcome === 'failed' || isTest || key.round > 1) return;
  const isFirst = key.kind === 'scheduled' && key.number === 1;
  const tookMs = startedAt.getTime() - createdAt.getTime() + durationMs;
  metrics.delivered(variant, isFirst ? 'first' : 'later', Math.max(0, tookMs) / 1000);
};

/** The endpoint with the present signing secrets, so that a rotation also holds for retries that were scheduled before it. */
const endpointOf = ({ secrets }: AttemptDeps, due: DueAttempt): Endpoint => {
  const { accountId, url } = due;
  return { accountId, url, ...openSigningSecrets(secrets, due) };
};
