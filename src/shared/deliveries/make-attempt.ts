import { SpanKind, type Span } from '@opentelemetry/api';
import { showId } from '../ids.ts';
import type { Egress } from '../platform/egress/client.ts';
import { sayFailure } from '../platform/egress/failure-details.ts';
import type { Logger } from '../platform/log.ts';
import type { Secrets } from '../platform/secrets/seal.ts';
import { currentTraceId, failSpan, inSpan } from '../platform/telemetry/tracing.ts';
import { postSigned } from '../signing/signed-post.ts';
import { openSigningSecrets } from '../webhooks/signing-secrets.ts';
import type { AttemptRecord, DueAttempt } from './attempts.ts';
import { judgeExchange } from './judge-exchange.ts';
import type { DeliveryMetrics } from './metrics.ts';
import type { AttemptKey } from './types.ts';

type Which = Omit<AttemptKey, 'deliveryId'>;

export type AttemptMaker = { egress: Egress; secrets: Secrets; log: Logger; metrics: DeliveryMetrics };

/** `readMs` is when this process read the attempt, by its monotonic clock. */
export type ReadAttempt = DueAttempt & {
  readMs: number;
  /** Called at the last moment before the POST. */
  mayBegin?: () => boolean;
};

/** The log carries ids and outcome. `busy`: nothing was sent, because this process is congested or too late. */
export type MadeAttempt = { type: 'made'; attempt: AttemptRecord; log: Logger } | { type: 'busy' };

/**
 * Makes one signed POST of a delivery, whose outcome the caller records. The present secrets sign, so that a rotation also holds for earlier
 * deliveries. The receiver gets no `traceparent`, because it belongs to somebody else. Throws only before the POST, for our own faults.
 */
export const makeAttempt = (deps: AttemptMaker, which: Which, due: ReadAttempt): Promise<MadeAttempt> => {
  const attributes = () => ({
    'parley.delivery_id': showId('delivery', due.id),
    'parley.account_id': showId('account', due.accountId),
    'parley.webhook_id': showId('webhook', due.webhookId),
    'parley.variant': due.variant,
    'parley.round': which.round,
    'parley.kind': which.kind,
    'parley.number': which.number,
  });
  const options = { kind: SpanKind.CLIENT, parent: due.traceparent, attributes };
  return inSpan('delivery.attempt', options, (span) => post(deps, which, due, span));
};

/** The present time by the database's clock, which a busy process read long ago. */
const sentAt = ({ startedAt, readMs }: ReadAttempt): Date => new Date(startedAt.getTime() + performance.now() - readMs);

const post = async (deps: AttemptMaker, which: Which, due: ReadAttempt, span: Span): Promise<MadeAttempt> => {
  const { accountId, webhookId, url, body, variant, generation } = due;
  const endpoint = { accountId, url, ...openSigningSecrets(deps.secrets, due) };
  if (due.mayBegin?.() === false) return { type: 'busy' };
  const startedAt = sentAt(due);
  const sentMs = performance.now();
  const content = { id: showId('delivery', due.id), body, at: startedAt };
  const { exchange, headers } = await postSigned(deps.egress, endpoint, content);
  if (exchange.type === 'busy') return { type: 'busy' };
  const judged = judgeExchange(variant, exchange, headers);
  const { outcome, reason, detail, statusCode, durationMs } = judged;
  const attempt = { ...judged, startedAt, answeredMs: sentMs + durationMs, generation };
  count(deps.metrics, which, due, attempt);
  span.setAttributes({ 'parley.outcome': outcome, 'http.response.status_code': statusCode });
  if (outcome === 'failed') failSpan(span, reason ?? 'unknown');
  const log = deps.log.child({
    delivery_id: content.id,
    account_id: showId('account', accountId),
    webhook_id: showId('webhook', webhookId),
    round: which.round,
    kind: which.kind,
    number: which.number,
    outcome,
    reason,
    detail,
    message: detail && sayFailure(detail),
    status: statusCode,
    duration_ms: durationMs,
    trace_id: currentTraceId(),
  });
  return { type: 'made', attempt, log };
};

const count = (metrics: DeliveryMetrics, which: Which, due: DueAttempt, attempt: AttemptRecord): void => {
  const { variant, createdAt, isTest } = due;
  const { startedAt, durationMs, outcome } = attempt;
  metrics.attempted(variant, attempt);
  // The time of a replay says nothing about the speed of events.
  if (outcome === 'failed' || isTest || which.round > 1) return;
  const isFirst = which.kind === 'scheduled' && which.number === 1;
  const tookMs = startedAt.getTime() - createdAt.getTime() + durationMs;
  metrics.delivered(variant, isFirst ? 'first' : 'later', Math.max(0, tookMs) / 1000);
};
