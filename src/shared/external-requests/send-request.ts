import type { OpenCredential } from '../credentials/open.ts';
import type { Egress, Exchange } from '../platform/egress/client.ts';
import { acceptEncoding, decompress } from '../platform/egress/decompress.ts';
import { findHop } from '../platform/egress/redirects.ts';
import { checkUrlLiteral } from '../platform/egress/urls.ts';
import type { RequestFailure } from './after-attempt.ts';
import { fillRequest, type FilledRequest, type Target } from './fill-request.ts';
import type { WholeResponse } from './response-source.ts';
import type { RenderedRequest } from './render-request.ts';

/** The largest response, in bytes, as it comes and as it is decoded. */
const maxResponseBytes = 1_048_576;

/** The most redirects that one request follows. */
const maxHops = 5;

/** What came of a request. `sent` is the last one that went out, with its credentials in clear. */
export type RequestResult = { sent: FilledRequest | null; address: string | null; durationMs: number } &
  /** `unreadable`: why the body of the response is left out. It is in an encoding that nobody here reads. */
  (
    | { type: 'answered'; response: WholeResponse; unreadable?: string | undefined }
    /** `response` is what came before the failure. */
    | { type: 'failed'; reason: RequestFailure; message: string; requestSent: boolean; response?: WholeResponse }
  );

/** Nobody was asked: too much is under way here. */
export type Busy = { type: 'busy' };

export type SendOptions = {
  accountId: string;
  credentials: ReadonlyMap<string, OpenCredential>;
  /** For everything, redirects and the whole body included. */
  timeoutMs: number;
  followRedirects: boolean;
  signal?: AbortSignal | undefined;
};

/**
 * Sends a rendered request with its credentials, follows redirects where they are allowed, and reads the whole
 * response. Whatever the other side does is a result. Rejects with the signal's reason.
 */
export const sendRequest = async (
  egress: Pick<Egress, 'request'>,
  rendered: RenderedRequest,
  { accountId, credentials, timeoutMs, followRedirects, signal }: SendOptions,
): Promise<RequestResult | Busy> => {
  const startedMs = performance.now();
  const tellMs = () => Math.round(performance.now() - startedMs);
  let target: Target = { ...rendered, named: rendered.url, isForeign: false };
  let redirect: WholeResponse | undefined;
  let seen: Pick<RequestResult, 'sent' | 'address'> & { requestSent: boolean } = {
    sent: null,
    address: null,
    requestSent: false,
  };
  const fail = (reason: RequestFailure, message: string, response?: WholeResponse): RequestResult => ({
    ...seen,
    type: 'failed',
    reason,
    message,
    ...(response && { response }),
    durationMs: tellMs(),
  });

  for (let hops = 0; ; hops += 1) {
    const filled = fillRequest(rendered, target, credentials);
    if (!filled.ok) return fail(filled.reason, filled.message, redirect);
    const { request } = filled;
    const check = checkUrlLiteral(request.url, [], ['http:', 'https:']);
    if (!check.ok && check.reason !== 'refused_address') return fail('invalid_request', `its url ${check.message}`);
    const leftMs = timeoutMs - (performance.now() - startedMs);
    if (leftMs <= 0) return fail('timeout', 'its redirects took too long');
    const exchange = await egress.request({
      accountId,
      url: request.url,
      method: request.method,
      headers: { ...request.headers, 'accept-encoding': acceptEncoding },
      body: request.body === null ? null : new TextEncoder().encode(request.body),
      timeoutMs: Math.ceil(leftMs),
      maxBodyBytes: maxResponseBytes,
      privateOnly: request.privateOnly,
      redirected: hops > 0,
      signal,
    });
    if (exchange.type === 'busy') {
      // Once something was sent, it is too late to have asked nobody.
      if (seen.requestSent) return fail('connect', 'too much is under way here to follow the redirect');
      return { type: 'busy' };
    }
    const address = exchange.address ?? null;
    seen = {
      sent: request,
      address,
      requestSent: seen.requestSent || exchange.type === 'answered' || exchange.requestSent,
    };
    if (exchange.type === 'failed') return fail(exchange.reason, exchange.message);

    const hop = followRedirects ? findHop(target, exchange) : undefined;
    const read = await readResponse(exchange);
    if (!hop) {
      if (!read.ok) return fail(read.reason, read.message, read.response);
      return { ...seen, type: 'answered', response: read.response, unreadable: read.unreadable, durationMs: tellMs() };
    }
    if ('problem' in hop) return fail('redirect', hop.problem, read.response);
    if (hops === maxHops) return fail('redirect', `it leads further than ${maxHops} times`, read.response);
    redirect = read.response;
    target = {
      url: hop.url,
      named: hop.named,
      method: hop.method,
      body: hop.keepsBody ? target.body : null,
      isForeign: target.isForeign || hop.crossesOrigin,
    };
  }
};

type Read =
  | { ok: true; response: WholeResponse; unreadable?: string }
  | { ok: false; reason: RequestFailure; message: string; response: WholeResponse };

const readResponse = async (exchange: Extract<Exchange, { type: 'answered' }>): Promise<Read> => {
  const { status, headers, body, truncatedBy } = exchange;
  const response = { status, headers, body };
  const size = `${maxResponseBytes / 1_048_576} MiB`;
  if (truncatedBy === 'size') return { ok: false, reason: 'too_large', message: `more than ${size}`, response };
  if (truncatedBy === 'timeout')
    return { ok: false, reason: 'timeout', message: 'the body did not end in time', response };
  if (truncatedBy === 'reset') return { ok: false, reason: 'reset', message: 'the body broke off', response };
  const encoding = [headers['content-encoding'] ?? []].flat().join(', ');
  const decoded = await decompress(body, { encoding, maxBytes: maxResponseBytes });
  if (decoded.ok) return { ok: true, response: { ...response, body: decoded.body } };
  // Compressed bytes tell nobody anything.
  const nothing = { ...response, body: new Uint8Array() };
  return decoded.reason === 'size'
    ? { ok: false, reason: 'too_large', message: `more than ${size} when it is decoded`, response: nothing }
    : { ok: true, unreadable: `cannot be decoded as ${encoding.slice(0, 50)}`, response: nothing };
};
