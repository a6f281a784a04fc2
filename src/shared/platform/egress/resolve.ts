import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { createBulkhead } from '../bulkhead/bulkhead.ts';
import { withDeadline } from '../deadline.ts';
import { codeOf } from '../error-code.ts';
import { type EgressRule, refusalReason } from './addresses.ts';
import { createLookup, type Lookup } from './lookup.ts';

type Resolution =
  | { type: 'allowed'; addresses: LookupAddress[] }
  | { type: 'failed'; reason: 'dns' | 'refused_address' | 'busy'; message: string };

/** Finds where a host may be reached on this port, for one account. The host is a name, or an IP address without brackets. */
export type Resolve = (host: string, port: number, accountId: string) => Promise<Resolution>;

export interface ResolverOptions {
  allow: EgressRule[];
  lookup?: Lookup | undefined;
  lookupTimeoutMs?: number | undefined;
  /** The most look-ups at a time. `createBulkhead` says how accounts share them. */
  maxLookups?: number | undefined;
}

// Longer than several lost packets cost, shorter than a delivery's 10 s.
const LOOKUP_TIMEOUT_MS = 8_000;

// A look-up has a socket while it is under way. An account whose names are silent has half of them: more than it has webhooks.
const MAX_LOOKUPS = 512;

/**
 * Resolves a host once and keeps the addresses that may be dialled: of a good and a bad address the good one stays. A name server's
 * answer never makes it throw. `busy` means that the account has its share of look-ups under way and nobody was asked; the host is
 * not at fault. Messages name no address, so that a refusal tells nobody the names of a private network.
 */
export function createResolver({
  allow,
  lookup = createLookup(),
  lookupTimeoutMs = LOOKUP_TIMEOUT_MS,
  maxLookups = MAX_LOOKUPS,
}: ResolverOptions): Resolve {
  const slots = createBulkhead({ total: maxLookups });
  // An account asks once per name at a time. The answer is not kept for later.
  const underWay = new Map<string, Promise<LookupAddress[]>>();

  /** The look-up; undefined when the account has its share under way. */
  function lookUp(hostname: string, accountId: string): Promise<LookupAddress[]> | undefined {
    const key = `${accountId} ${hostname}`;
    const asked = underWay.get(key);
    if (asked) return asked;
    const lane = { accountId, key };
    if (!slots.take(lane)) return undefined;
    const answer = withDeadline(lookupTimeoutMs, 'the look-up', (signal) => lookup(hostname, signal)).finally(() => {
      slots.release(lane);
      underWay.delete(key);
    });
    underWay.set(key, answer);
    return answer;
  }

  return async (host, port, accountId) => {
    const literal = isIP(host);
    const answer = literal ? [{ address: host, family: literal }] : lookUp(host, accountId);
    if (!answer) return { type: 'failed', reason: 'busy', message: 'too many of its look-ups are under way' };
    let found: LookupAddress[];
    try {
      found = await answer;
    } catch (error) {
      return {
        type: 'failed',
        reason: 'dns',
        message: `the host name was not resolved (${codeOf(error) ?? 'failed'})`,
      };
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

/** The same, without the addresses that the guard lets through for anybody. */
export const onlyPrivate =
  (resolve: Resolve): Resolve =>
  async (host, port, accountId) => {
    const resolution = await resolve(host, port, accountId);
    if (resolution.type === 'failed') return resolution;
    const addresses = resolution.addresses.filter(({ address }) => refusalReason(address, port, []) !== undefined);
    if (addresses.length > 0) return { type: 'allowed', addresses };
    return { type: 'failed', reason: 'refused_address', message: 'its address is public, and the connection in clear' };
  };
