import { parseEgressAllow, type EgressRule } from './addresses.ts';
import { isConnectionHeader } from './connection-headers.ts';
import { createPool, type Pool } from './connections.ts';
import { createDial, trustedAlone, trustedRoots } from './dial.ts';
import { type Exchange, makeExchange } from './exchange.ts';
import type { Lookup } from './lookup.ts';
import { type FindOwnEndpoint, leadsToOwn, type OwnEndpoint } from './own-endpoint.ts';
import { createResolver, onlyPrivate, type Resolve } from './resolve.ts';
import { checkUrl, checkUrlLiteral, refuseUrl, type UrlCheck, type UrlToCheck } from './urls.ts';

export type { Exchange } from './exchange.ts';

export interface EgressOptions {
  /** What the operator lets through (EGRESS_ALLOW). */
  allow: EgressRule[];
  /** Certificates trusted beside the system's (EGRESS_CA_FILE), PEM. */
  extraCa?: string | undefined;
  /** The test endpoint of this process, while it listens. */
  findOwn?: FindOwnEndpoint | undefined;
  lookup?: Lookup | undefined;
  lookupTimeoutMs?: number | undefined;
  maxLookups?: number | undefined;
  /** The most origins to which connections are kept. */
  maxOrigins?: number | undefined;
  /** The most requests to one origin at a time. It exceeds the attempts of a process, because webhooks of many accounts share an origin. */
  connectionsPerOrigin?: number | undefined;
  /** How long a connection is kept, also a busy one, in ms: so soon a name that has moved is followed. */
  connectionAgeMs?: number | undefined;
}

interface EgressRequest {
  /** The account for which the request is made: look-ups are shared among accounts. */
  accountId: string;
  /** http or https, without credentials, as `checkUrl` has checked before. */
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: Uint8Array | null;
  /** The time for everything: resolving, connecting, TLS, sending, and reading the answer's status line and headers. */
  timeoutMs: number;
  maxBodyBytes: number;
  /** Dials only addresses that nothing but EGRESS_ALLOW lets through: for what must not cross a public network in clear. */
  privateOnly?: boolean | undefined;
  /** The url is the operator's setting, not a user's: it may be on this machine or in a private network. */
  ofOperator?: boolean | undefined;
  /** Whether a redirect led here. After one, our own endpoint is refused like any address of this machine. */
  redirected?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

interface EgressStats {
  origins: number;
  connections: number;
  inFlight: number;
}

/** Every call to an address that a user gave goes through here. No other module opens such a connection. */
export interface Egress {
  /**
   * Makes one request over HTTP/1.1. It follows no redirect, decompresses no body and never sends twice. Whatever the other side does
   * is a result. So is `busy`: nothing was tried, because too much is under way here. Rejects with the signal's reason, and with a
   * TypeError for a url or headers that should have been refused before.
   */
  request(request: EgressRequest): Promise<Exchange>;
  post(request: Omit<EgressRequest, 'method'> & { body: Uint8Array }): Promise<Exchange>;
  /** Whether a url may be called, as far as one can tell now; the request checks it again. Only https unless told otherwise. */
  checkUrl(wanted: UrlToCheck): Promise<UrlCheck>;
  /** Why a http or https url may not be called, as far as it is plain to see without a look-up; undefined when nothing is. */
  refuseUrl: (url: string) => string | undefined;
  stats(): EgressStats;
  /** Takes no more requests, waits for those in flight, which their deadlines bound, and closes every connection. */
  close(): Promise<void>;
}

/** Makes the client. A kept connection was checked when it was dialled, and only this instance uses it, under the same rules. */
export function createEgress(options: EgressOptions): Egress {
  const { allow, findOwn = () => undefined } = options;
  const { maxOrigins = 512, connectionsPerOrigin = 1_024, connectionAgeMs = 60_000 } = options;
  const resolve = createResolver(options);
  const resolveForOperator = createResolver({ ...options, allow: everywhere });
  const secureContext = trustedRoots(options.extraCa);
  const pools = new Map<string, Pool>();
  const inFlight = new Set<Promise<unknown>>();
  let closed = false;

  function poolFor(url: URL, { privateOnly, ofOperator, own }: WhatMayBeDialled): Pool {
    // A kept connection to a public address must not serve who may dial private ones only, one to our own endpoint nobody else, and one of the
    // operator's no user.
    const key = `${url.origin}${privateOnly ? ' private' : ''}${ofOperator ? ' operator' : ''}${own ? ' own' : ''}`;
    let pool = pools.get(key);
    if (!pool) {
      if (pools.size >= maxOrigins) closeLeastRecentlyUsed(pools);
      pool = createPool({
        origin: url.origin,
        dial: own
          ? createDial({ resolve: resolveOwn(own, findOwn), secureContext: trustedAlone(own.caPem) }, url)
          : createDial({ resolve: resolverOf({ privateOnly, ofOperator }), secureContext }, url),
        maxConnections: connectionsPerOrigin,
        maxAgeMs: connectionAgeMs,
        onEmpty: () => pools.delete(key),
      });
      pools.set(key, pool);
    }
    pool.lastUsedMs = performance.now();
    return pool;
  }

  const resolverOf = ({ privateOnly, ofOperator }: Omit<WhatMayBeDialled, 'own'>): Resolve => {
    if (ofOperator) return resolveForOperator;
    return privateOnly ? onlyPrivate(resolve) : resolve;
  };

  async function exchange(request: EgressRequest, url: URL): Promise<Exchange> {
    const startedMs = performance.now();
    const { accountId, method, headers, body = null, timeoutMs, maxBodyBytes, signal } = request;
    const { privateOnly = false, ofOperator = false } = request;
    const own = findOwn();
    const mayCallOwn = !request.redirected && leadsToOwn(own, request.url);
    const pool = poolFor(url, { privateOnly, ofOperator, own: mayCallOwn ? own : undefined });
    const connection = pool.take(accountId);
    if (!connection)
      return { type: 'busy', message: `all ${connectionsPerOrigin} connections to this host are in use` };
    try {
      // Of `https://a.example/b?` the search is empty, and its question mark is called all the same.
      const [path = '/'] = url.href.slice(url.origin.length).split('#', 1);
      return await makeExchange(connection, {
        method,
        path,
        headers: withoutConnectionHeaders(headers),
        body,
        startedMs,
        timeoutMs,
        maxBodyBytes,
        signal,
      });
    } finally {
      pool.giveBack(connection);
    }
  }

  async function request(wanted: EgressRequest): Promise<Exchange> {
    if (closed) throw new TypeError('egress is closed');
    wanted.signal?.throwIfAborted();
    const url = URL.parse(wanted.url);
    const check = checkUrlLiteral(wanted.url, allow, ['http:', 'https:']);
    if (!url || (!check.ok && check.reason !== 'refused_address'))
      throw new TypeError('egress: not a url to be called');
    const work = exchange(wanted, url);
    inFlight.add(work);
    return work.finally(() => inFlight.delete(work));
  }

  return {
    request,
    post: (wanted) => request({ ...wanted, method: 'POST' }),
    checkUrl: async (wanted) =>
      leadsToOwn(findOwn(), wanted.url) ? { ok: true } : checkUrl({ allow, resolve }, wanted),
    refuseUrl: (url) => refuseUrl(url, allow, findOwn()),
    stats() {
      let connections = 0;
      for (const pool of pools.values()) connections += pool.size;
      return { origins: pools.size, connections, inFlight: inFlight.size };
    },
    async close() {
      closed = true;
      await Promise.allSettled(inFlight);
      for (const pool of pools.values()) pool.destroy();
    },
  };
}

type WhatMayBeDialled = { privateOnly: boolean; ofOperator: boolean; own: OwnEndpoint | undefined };

const everywhere = parseEgressAllow('0.0.0.0/0, ::/0');

/** The address of our own endpoint, as long as our listener is there. */
const resolveOwn =
  (own: OwnEndpoint, findOwn: FindOwnEndpoint): Resolve =>
  async (host) =>
    findOwn()?.origin === own.origin
      ? { type: 'allowed', addresses: [{ address: host, family: 4 }] }
      : { type: 'failed', reason: 'refused_address', message: 'the test endpoint is not running' };

/** Closes the idle origin that was used least recently. When all are busy, the number of requests in flight is the bound. */
function closeLeastRecentlyUsed(pools: Map<string, Pool>): void {
  let oldest: Pool | undefined;
  for (const pool of pools.values()) {
    if (pool.busy === 0 && (!oldest || pool.lastUsedMs < oldest.lastUsedMs)) oldest = pool;
  }
  oldest?.destroy();
}

/** Headers that the client sets itself. A foreign `host` would also change the name that the certificate is checked for. */
function withoutConnectionHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isConnectionHeader(name)));
}
