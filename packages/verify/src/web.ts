import { type Claim, mismatch, readUnverified } from './claims.ts';
import { parseWebhook, type Webhook } from './envelopes.ts';
import type { WebhookRequest } from './request.ts';

export { answerChallenge } from './challenge.ts';
export type { ApiEnvelope, DashboardEnvelope, EventName, Webhook } from './envelopes.ts';
export { StillRunningError, type VerificationErrorCode, WebhookVerificationError } from './errors.ts';
export { createMemoryStore, createOnce, type Once, type SeenStore } from './once.ts';
export type { RequestHeaders, WebhookRequest } from './request.ts';

/** Does the same as `verifyWebhook` of `@parley/verify`, with only WebCrypto: for Workers, Deno, Bun, browsers and Node 20 or newer. */
export const verifyWebhook = async (request: WebhookRequest): Promise<Webhook> => {
  const { body, proofs, checkAge } = readUnverified(request);
  const broken = await Promise.all(proofs.map(findBroken));
  const [first] = broken;
  if (first && !broken.includes(undefined)) throw mismatch(first);
  checkAge();
  return parseWebhook(body, request.headers);
};

/** The first claim that does not hold, if any. */
const findBroken = async (claims: readonly Claim[]): Promise<Claim | undefined> => {
  for (const claim of claims) if (!(await holds(claim))) return claim;
  return undefined;
};

/** `verify` of WebCrypto compares in constant time. */
const holds = async ({ keys, message, signatures }: Claim): Promise<boolean> => {
  for (const key of keys) {
    const hmac = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', hmac, signature, message)) return true;
  }
  return false;
};
