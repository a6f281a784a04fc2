import type { Variant } from '../events/names.ts';
import type { Exchange } from '../platform/egress/client.ts';
import { noEvidence, type AttemptRecord } from './attempts.ts';
import { isSuccess } from './ladder.ts';

/** What an exchange counts as (specification 6.3 and 6.4), and what was seen of it; the headers are those that were sent. */
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
    responseHeaders: exchange.headers,
    responseBody: exchange.body,
    responseTruncated: exchange.bodyTruncated,
  };
  const answered = { statusCode: exchange.status, durationMs, evidence };
  return isSuccess(variant, exchange.status)
    ? { outcome: 'succeeded', ...answered }
    : { outcome: 'failed', reason: 'status', ...answered };
};

/** A signature beside its body could be sent to the receiver by whoever reads the log. */
const redacted = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, /signature/i.test(name) ? '[redacted]' : value]),
  );
