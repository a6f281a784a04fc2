import type { Egress, Exchange } from '../platform/egress/client.ts';
import { decompress } from '../platform/egress/decompress.ts';
import type { EndpointCheck } from './schema.ts';
import { excerptBytes, postSigned, type Endpoint } from '../signing/signed-post.ts';

/** The outcome of a check, the answer as text, if any, and the exchange with the headers that were sent. */
export type Asked = { check: EndpointCheck; answer: string; headers: Record<string, string>; exchange: Exchange };

/** The most characters of an answer that a page shows. */
const excerptCharacters = 1024;

/** Asks an endpoint whether it is healthy by a signed POST. It is when it answers 200. */
export const askEndpoint = async (
  egress: Egress,
  endpoint: Endpoint,
  content: { id: string; body: Uint8Array },
): Promise<Asked> => {
  const at = new Date();
  const { exchange, headers } = await postSigned(egress, endpoint, { ...content, at });
  const answer = exchange.type === 'answered' ? await readText(exchange) : '';
  const check = { at: at.toISOString(), url: endpoint.url, ...evidenceOf(exchange, answer) };
  return { check, answer, headers, exchange };
};

/** The body as text: also one that is compressed, although nobody asked for that. */
const readText = async ({ body, headers }: Extract<Exchange, { type: 'answered' }>): Promise<string> => {
  const encoding = [headers['content-encoding'] ?? []].flat().join(', ');
  const decoded = await decompress(body, { encoding, maxBytes: excerptBytes });
  return new TextDecoder().decode(decoded.ok ? decoded.body : body);
};

const evidenceOf = (exchange: Exchange, answer: string): Omit<EndpointCheck, 'at' | 'url'> => {
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
  const excerpt = answer.replaceAll('\0', '\uFFFD').slice(0, excerptCharacters).toWellFormed();
  return { ...seen, ok, reason: ok ? null : 'status', message: ok ? null : `answered ${status}`, status, excerpt };
};
