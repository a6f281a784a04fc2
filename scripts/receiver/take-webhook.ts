import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  answerChallenge,
  type Once,
  verifyWebhook,
  WebhookVerificationError,
} from '../../packages/verify/src/index.ts';
import { parseWebhook, type Webhook } from '../../packages/verify/src/envelopes.ts';

/** How far a signed time may differ from ours. A delivery beyond that counts as replayed by an attacker. */
const toleranceSeconds = 5 * 60;

/** The account holder's side of a webhook. */
type Taking = {
  /** What the lines call it. */
  name: string;
  /** The secrets that may have signed; with none, what comes is taken as it is, and that is said. */
  secrets: readonly string[];
  once: Once;
  /** Answers this status instead of 200, without reading on, as an endpoint in trouble does. */
  refuseWith?: number | undefined;
  say: (line: string) => void;
};

/**
 * Takes one POST as an endpoint does: 401 without a valid signature, the value of a challenge, and 200 for a delivery, each once by its id. Says what
 * came and what it answers. Resolves with a delivery that is new and verified.
 */
export const takeWebhook = async (
  request: IncomingMessage,
  response: ServerResponse,
  { name, secrets, once, refuseWith, say }: Taking,
): Promise<{ id: string; event: string } | undefined> => {
  const rawBody = await buffer(request);
  const { 'x-service-signature': service, 'webhook-signature': standard } = request.headers;
  say('');
  say(`<- POST ${request.url}  (${name}, ${rawBody.length} bytes)`);
  say(`   X-Service-Signature  ${String(service)}`);
  say(`   webhook-signature    ${String(standard)}`);
  say(`   ${rawBody.toString('utf8')}`);
  if (refuseWith !== undefined) {
    say(`-> ${refuseWith}, as you typed`);
    response.writeHead(refuseWith).end();
    return undefined;
  }
  const webhook = read(rawBody, request, secrets);
  if (webhook instanceof WebhookVerificationError) {
    say(`   WRONG: ${webhook.message}`);
    say(`-> ${webhook.status}`);
    response.writeHead(webhook.status).end();
    return undefined;
  }
  say(secrets.length > 0 ? '   both signatures verified' : '   not verified: the receiver has no secret');
  if (webhook.type === 'challenge') {
    say('-> 200 with the value of the challenge: yes, send events here');
    const { status, headers, body } = answerChallenge(webhook.challenge);
    response.writeHead(status, headers).end(body);
    return undefined;
  }
  const { id, envelope } = webhook;
  const event = String(envelope.event);
  const delivery = secrets.length > 0 ? 'Delivery verified' : 'Delivery taken';
  // Deliveries come at least once. A duplicate is answered alike and discarded.
  const outcome = await once(id, () => say(`-> 200 ${delivery}: ${name}, ${event}, ${id}`));
  if (outcome === 'duplicate') say(`-> 200 but ignored: ${id} was received before`);
  response.writeHead(200).end();
  return outcome === 'done' && secrets.length > 0 ? { id, event } : undefined;
};

const read = (
  body: Buffer,
  { headers }: IncomingMessage,
  secrets: readonly string[],
): Webhook | WebhookVerificationError => {
  try {
    return secrets.length === 0
      ? parseWebhook(body, headers)
      : verifyWebhook({ body, headers, secrets, toleranceSeconds });
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error;
    throw error;
  }
};
