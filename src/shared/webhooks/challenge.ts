import { randomBytes, randomUUID } from 'node:crypto';
import { responseTimeoutMs } from '../deliveries/ladder.ts';
import type { Egress } from '../platform/egress/client.ts';
import type { Exchange } from '../platform/egress/exchange.ts';
import { equalSecrets } from '../platform/secrets/tokens.ts';
import type { EndpointCheck } from './schema.ts';
import { signDelivery } from './signature.ts';
import type { SigningSecrets } from './signing-secrets.ts';

/** Whose endpoint, where to ask, and what signs the question; the account's id is a UUID. */
export type Endpoint = SigningSecrets & { accountId: string; url: string };

/** What came of a question, and the exchange itself with the headers that were sent. */
type Asked = { check: EndpointCheck; headers: Record<string, string>; exchange: Exchange };

/** The answers are as bounded as those to deliveries; what is kept of one is as much as a page shows. */
const maxBodyBytes = 16 * 1024;
const excerptCharacters = 1024;

/**
 * Asks an endpoint for its consent (specification 2.4): POSTs `{"challenge":"<random>"}`, signed. It passes when the answer is
 * 200 and returns the value, as JSON `{"challenge": …}`, as a JSON string or as bare text.
 */
export const sendChallenge = async (egress: Egress, endpoint: Endpoint): Promise<EndpointCheck> => {
  const challenge = randomBytes(24).toString('base64url');
  const { check, exchange } = await post(egress, endpoint, challengeToSend(challenge));
  if (!check.ok || (exchange.type === 'answered' && returnsChallenge(exchange.body, challenge))) return check;
  return { ...check, ok: false, reason: 'challenge', message: 'answered 200 without the value of the challenge' };
};

/**
 * Asks whether an endpoint is healthy: POSTs the given delivery, signed as its attempts are, or a challenge when there is none.
 * It passes when the answer is 200.
 */
export const sendHealthCheck = (
  egress: Egress,
  endpoint: Endpoint,
  delivery: { id: string; body: Uint8Array } | undefined,
): Promise<Asked> => post(egress, endpoint, delivery ?? challengeToSend(randomBytes(24).toString('base64url')));

/** Whether an answer returns the value of the challenge, in one of the three forms. */
export const returnsChallenge = (body: Uint8Array, challenge: string): boolean =>
  equalSecrets(returnedValue(textOf(body).trim()), challenge);

const returnedValue = (text: string): string => {
  const answer = parseJson(text);
  if (typeof answer === 'string') return answer;
  const inObject =
    typeof answer === 'object' && answer !== null && 'challenge' in answer ? answer.challenge : undefined;
  return typeof inObject === 'string' ? inObject : text;
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Bare text is one of the accepted forms.
    return undefined;
  }
};

const challengeToSend = (challenge: string) => ({
  id: `chl_${randomUUID()}`,
  body: Buffer.from(JSON.stringify({ challenge })),
});

const post = async (
  egress: Egress,
  { accountId, url, ...signing }: Endpoint,
  { id, body }: { id: string; body: Uint8Array },
): Promise<Asked> => {
  const at = new Date();
  const signature = signDelivery({ ...signing, body, id, timestampSeconds: Math.floor(at.getTime() / 1000) });
  const headers = { 'content-type': 'application/json', 'user-agent': 'Parley (webhooks)', ...signature };
  const exchange = await egress.post({
    accountId,
    url,
    headers,
    body,
    timeoutMs: responseTimeoutMs,
    maxBodyBytes,
  });
  return { check: { at: at.toISOString(), url, ...evidenceOf(exchange) }, headers, exchange };
};

const evidenceOf = (exchange: Exchange): Omit<EndpointCheck, 'at' | 'url'> => {
  if (exchange.type === 'busy') {
    const message = `nothing was sent, for ${exchange.message}; try again in a moment`;
    return { ok: false, reason: 'busy', message, status: null, latency_ms: 0, address: null, excerpt: null };
  }
  const seen = { latency_ms: exchange.durationMs, address: exchange.address ?? null };
  if (exchange.type === 'failed') {
    return { ...seen, ok: false, reason: exchange.reason, message: exchange.message, status: null, excerpt: null };
  }
  const { status } = exchange;
  const ok = status === 200;
  // PostgreSQL's JSON holds no NUL.
  const excerpt = textOf(exchange.body).replaceAll('\0', '\uFFFD').slice(0, excerptCharacters).toWellFormed();
  return { ...seen, ok, reason: ok ? null : 'status', message: ok ? null : `answered ${status}`, status, excerpt };
};

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
