import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

// Written as a receiver writes it, from the specification and not from the service's code: so the demo proves something.

/** How much a signed time may differ from ours before a delivery counts as played back by somebody. */
const toleranceSeconds = 5 * 60;

/**
 * Whether `X-Service-Signature` is the lowercase hex HMAC-SHA256 of the raw body, keyed with the whole secret
 * (specification 5.6). The bytes as they came, never JSON that was parsed and written again.
 */
export const verifyServiceSignature = (rawBody: Uint8Array, headers: IncomingHttpHeaders, secret: string): boolean =>
  isEqual(headers['x-service-signature'], createHmac('sha256', secret).update(rawBody).digest('hex'));

/** Whether the headers of Standard Webhooks are right and of now: `v1,` and base64 HMAC-SHA256 of `id.timestamp.body`. */
export const verifyStandardWebhook = (rawBody: Uint8Array, headers: IncomingHttpHeaders, secret: string): boolean => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) return false;
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
  const digest = createHmac('sha256', key)
    .update(`${String(id)}.${String(timestamp)}.`)
    .update(rawBody)
    .digest('base64');
  // There may be several, separated by spaces, while a secret is being rotated.
  return String(signatures)
    .split(' ')
    .some((signature) => isEqual(signature, `v1,${digest}`));
};

/** In constant time, so that the time taken tells nobody how much of a guess was right. */
const isEqual = (given: string | string[] | undefined, expected: string): boolean => {
  const [a, b] = [Buffer.from(String(given)), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
};
