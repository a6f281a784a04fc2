import type { Variant } from '../facts/names.ts';
import type { Exchange } from '../platform/egress/client.ts';
import { keepHeaders } from '../platform/egress/kept-headers.ts';
import { isSecretName } from '../platform/secret-names.ts';
import { noEvidence, type AttemptRecord } from './attempts.ts';
import { isSuccess } from './ladder.ts';

/** Decides whether an exchange is a success (specification 6.3 and 6.4). `headers` are those of the request. */
export const judgeExchange = (
  variant: Variant,
  exchange: Exclude<Exchange, { type: 'busy' }>,
  headers: Record<string, string>,
): Omit<AttemptRecord, 'startedAt' | 'generation'> => {
  const durationMs = Math.round(exchange.durationMs);
  const seen = { ...noEvidence, requestHeaders: redacted(headers), address: exchange.address ?? null };
  if (exchange.type === 'failed') {
    const { reason, detail } = exchange;
    return { outcome: 'failed', reason, ...(detail && { detail }), durationMs, evidence: seen };
  }
  const evidence = {
    ...seen,
    responseHeaders: keepHeaders(exchange.headers),
    responseBody: exchange.body,
    responseTruncated: exchange.bodyTruncated,
  };
  const answered = { statusCode: exchange.status, durationMs, evidence };
  return isSuccess(variant, exchange.status)
    ? { outcome: 'succeeded', ...answered }
    : { outcome: 'failed', reason: 'status', ...answered };
};

/** Hides signatures, because a reader of the log could send a signed body to the receiver. */
const redacted = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, isSecretName(name) ? '[redacted]' : value]));
