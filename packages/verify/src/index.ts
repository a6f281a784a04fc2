import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Claim, mismatch, readUnverified } from './claims.ts';
import { parseWebhook, type Webhook } from './envelopes.ts';
import type { WebhookRequest } from './request.ts';

export { answerChallenge } from './challenge.ts';
export type { ApiEnvelope, DashboardEnvelope, EventName, Webhook } from './envelopes.ts';
export { StillRunningError, type VerificationErrorCode, WebhookVerificationError } from './errors.ts';
export { createMemoryStore, createOnce, type Once, type SeenStore } from './once.ts';
export type { RequestHeaders, WebhookRequest } from './request.ts';

/**
 * Verifies the signature of a request, and then parses its webhook (specification 5.6). Throws a WebhookVerificationError when the request must
 * not be processed; answer with its `status`. Throws a TypeError for wrong arguments: an empty secret, or a body that was parsed already.
 */
export const verifyWebhook = (request: WebhookRequest): Webhook => {
  const { body, proofs, checkAge } = readUnverified(request);
  const broken = proofs.map((claims) => claims.find((claim) => !holds(claim)));
  const [first] = broken;
  if (first && !broken.includes(undefined)) throw mismatch(first);
  checkAge();
  return parseWebhook(body, request.headers);
};

/** Compares in constant time, so that the time does not tell how much of a guess was right. */
const holds = ({ keys, message, signatures }: Claim): boolean =>
  keys.some((key) => {
    const expected = createHmac('sha256', key).update(message).digest();
    return signatures.some((signature) => timingSafeEqual(expected, signature));
  });
