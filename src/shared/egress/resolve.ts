import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type EgressRule, refusalReason } from './addresses.ts';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** All addresses of a name; rejects when it has none. */
export type Lookup = (hostname: string) => Promise<ResolvedAddress[]>;

type Resolution =
  | { type: 'allowed'; addresses: ResolvedAddress[] }
  | { type: 'failed'; reason: 'dns' | 'refused_address'; message: string };

/** Finds where a host, a name or an IP address without brackets, may be reached on this port. */
export type Resolve = (host: string, port: number) => Promise<Resolution>;

export interface ResolverOptions {
  allow: EgressRule[];
  lookup?: Lookup | undefined;
  lookupTimeoutMs?: number | undefined;
}

// Longer than one lost packet costs a stub resolver (5 s), shorter than a delivery's 10 s.
const LOOKUP_TIMEOUT_MS = 8_000;

const lookupBySystem: Lookup = (hostname) => systemLookup(hostname, { all: true });

/**
 * Resolves a host once and keeps the addresses that may be dialled: a name with one good and one bad address leaves the
 * good one. Never throws for what a name server says. Messages name no address, so that nobody can read a private
 * network's names out of our refusals.
 */
export function createResolver({
  allow,
  lookup = lookupBySystem,
  lookupTimeoutMs = LOOKUP_TIMEOUT_MS,
}: ResolverOptions): Resolve {
  // The system's resolver blocks one of four threads per question; asking once per name at a time keeps a name whose
  // servers hang from taking them all. The answer is not kept: whoever comes later asks anew.
  const underWay = new Map<string, Promise<ResolvedAddress[]>>();

  function lookUp(hostname: string): Promise<ResolvedAddress[]> {
    let answer = underWay.get(hostname);
    if (!answer) {
      answer = within(lookupTimeoutMs, lookup(hostname)).finally(() => underWay.delete(hostname));
      underWay.set(hostname, answer);
    }
    return answer;
  }

  return async (host, port) => {
    let found: ResolvedAddress[];
    try {
      found = isIP(host) ? [{ address: host, family: isIP(host) }] : await lookUp(host);
    } catch (error) {
      return { type: 'failed', reason: 'dns', message: `the host name was not resolved (${codeOf(error)})` };
    }
    if (found.length === 0) return { type: 'failed', reason: 'dns', message: 'the host name has no address' };

    const reasons = found.map(({ address }) => refusalReason(address, port, allow));
    const addresses = found.filter((_, i) => reasons[i] === undefined);
    if (addresses.length > 0) return { type: 'allowed', addresses };
    const named = [...new Set(reasons)].join(', ');
    return {
      type: 'failed',
      reason: 'refused_address',
      message: `the host has no publicly reachable address (${named})`,
    };
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'failed';
}

function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(Object.assign(new Error('too slow'), { code: 'ETIMEOUT' })), timeoutMs);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
