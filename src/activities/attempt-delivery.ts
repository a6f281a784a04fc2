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
 * What the database may take before the exchange, and again after it: with its ten seconds an attempt ends within the 15 s
 * that Temporal gives it. Else it would be made a second time while the first one still waits for the database. To park, each
 * lock may be waited for as long.
 */
const bookkeepingMs = 2_000;

/** When an attempt is made anew that this process had no look-up or connection left for. */
const busyAwayMs = 1_000;

/**
 * One signed POST of a delivery, recorded with its outcome. Idempotent by its key: an attempt that is recorded already is
 * answered from the record, without a POST; one that was sent but not recorded (a crash in between) is sent again, with
 * the same id. A webhook that may not be sent to parks the delivery. Throws only before the POST, for our own faults.
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

/** A failure in a round that is over is met again by a workflow that was reset: it must end, not walk the ladder once more. */
const stillMatters = ({ inProgress, isTest, recorded }: DueAttempt): boolean =>
  inProgress || isTest || recorded?.outcome === 'succeeded';

const answerFromRecord = (key: AttemptKey, due: DueAttempt, recorded: AttemptOutcome): RecordedAttempt => {
  const behind = key.visible && key.kind === 'scheduled' && due.attemptsMade > key.number;
  return { type: 'recorded', ...recorded, ...(behind && { behind }) };
};

/** In the workflow task, of which a process has so many: not every start knows whose process gets that. */
const isLocal = (): boolean => asyncLocalStorage.getStore()?.info.isLocal ?? false;

/**
 * Keeps the delivery instead of sending it, decided while nobody can re-enable the webhook or change the plan: none of them can
 * miss it. A test event is not worth keeping. Throws when the webhook may be sent to after all, or a lock is not to be had: the
 * attempt is made anew then, with all its time.
 */
const park = ({ transact }: AttemptDeps, round: Round, { webhookId, isTest }: DueAttempt): Promise<RoundEnd> =>
  transact(async ({ sql }) => {
    await sql`select set_config('lock_timeout', ${String(bookkeepingMs)}, true)`;
    const unmet = (await checkPreconditions(sql, [webhookId])).get(webhookId);
    if (unmet === null) throw new Error('the webhook may be sent to again');
    const isKept = !isTest && unmet !== undefined && unmet !== 'webhook_deleted';
    return endRound(sql, round, isKept ? 'parked' : 'cancelled');
  });

/** A span of the trace that its event came from. It ends here: a receiver is a stranger and gets no traceparent. */
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

/** The attempt, and when this process had read it, by its monotonic clock in ms. */
type ReadAttempt = DueAttempt & { readMs: number };

/**
 * When the POST is sent, by the database's clock. A busy process may have held it since it was read, and by the sum of this time and the
 * exchange's duration it is decided whether a success came before a failure.
 */
const sentAt = ({ startedAt, readMs }: ReadAttempt): Date => new Date(startedAt.getTime() + performance.now() - readMs);

const post = async (deps: AttemptDeps, key: AttemptKey, due: ReadAttempt, span: Span): Promise<AttemptResult> => {
  const { accountId, webhookId, body } = due;
  const endpoint = endpointOf(deps, due);
  const at = sentAt(due);
  const { exchange, headers } = await postSigned(deps.egress, endpoint, { id: key.deliveryId, body, at });
  // Our own congestion is no attempt: nothing was sent, and nothing is recorded against the receiver.
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
    // It was sent: throwing, or waiting on, would have it sent again. The workflow has it recorded, without its evidence.
    log.error({ err: error }, 'delivery.attempted_unrecorded');
    return { type: 'unrecorded', startedAt: startedAt.toISOString(), generation, ...outcome };
  }
};

const tell = (metrics: DeliveryMetrics, key: AttemptKey, due: DueAttempt, attempt: AttemptRecord): void => {
  const { variant, createdAt, isTest } = due;
  const { startedAt, durationMs, outcome } = attempt;
  metrics.attempted(variant, attempt);
  // A replay comes when somebody asks for it: its time says nothing of how fast events go out.
  if (outcome === 'failed' || isTest || key.round > 1) return;
  const isFirst = key.kind === 'scheduled' && key.number === 1;
  const tookMs = startedAt.getTime() - createdAt.getTime() + durationMs;
  metrics.delivered(variant, isFirst ? 'first' : 'later', Math.max(0, tookMs) / 1000);
};

/** Signed at send time with the secret of now: a rotation also holds for retries that were scheduled before it. */
const endpointOf = ({ secrets }: AttemptDeps, due: DueAttempt): Endpoint => {
  const { accountId, url } = due;
  return { accountId, url, ...openSigningSecrets(secrets, due) };
};
