import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { createLocalNames } from './local-names.ts';
import { codeOf } from '../error-code.ts';

/** Finds all addresses of a name. Rejects when it has none, and soon after `signal` aborts. */
export type Lookup = (hostname: string, signal: AbortSignal) => Promise<LookupAddress[]>;

export interface LookupOptions {
  /** The name servers, each with an optional port. Those of the system when not given. */
  servers?: readonly string[];
  hostsFile?: string;
}

// A question is repeated after a second, then every two: one lost packet costs little of a delivery's ten seconds.
const QUESTION = { timeout: 1_000, maxTimeout: 2_000, tries: 4 };

// RFC 8305 waits 50 ms for the other family's answer; some name servers are silent about families that they do not have.
const OTHER_FAMILY_WITHIN_MS = 200;

// An attempt cannot dial more in its time, and whoever answers may say thousands.
const MAX_ADDRESSES_PER_FAMILY = 16;

/**
 * Looks a name up among the machine's own names, then asks the name servers. It asks them by c-ares, over a socket of its own: the
 * system's getaddrinfo would hold one of Node's few threads for as long as a name server is silent, and database, mail and sign-in
 * need those. Each look-up reads the system's list of servers anew, and ends all of its questions when it ends. No search domain is
 * appended to a name.
 */
export function createLookup({ servers, hostsFile }: LookupOptions = {}): Lookup {
  const findLocalName = createLocalNames(hostsFile);
  return async (hostname, signal) => findLocalName(hostname) ?? askNameServers(hostname, { servers, signal });
}

type Answer = { addresses: LookupAddress[]; error?: unknown };

async function askNameServers(
  hostname: string,
  { servers, signal }: { servers: readonly string[] | undefined; signal: AbortSignal },
): Promise<LookupAddress[]> {
  const resolver = new Resolver(QUESTION);
  if (servers) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  const answers = [
    answerOf(4, resolver.resolve4(hostname)),
    // IPv6 comes second, because a machine without IPv6 notices that only when it dials.
    answerOf(6, resolver.resolve6(hostname)),
  ];
  try {
    const first = await Promise.race(answers);
    const patience = first.addresses.length > 0 ? setTimeout(cancel, OTHER_FAMILY_WITHIN_MS) : undefined;
    const all = await Promise.all(answers);
    clearTimeout(patience);
    const addresses = all.flatMap((answer) => answer.addresses);
    const errors = all.flatMap(({ error }) => (error === undefined ? [] : [error]));
    if (addresses.length === 0 && errors.length > 0) throw errors[0];
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

async function answerOf(family: number, question: Promise<string[]>): Promise<Answer> {
  try {
    const found = await question;
    return { addresses: found.slice(0, MAX_ADDRESSES_PER_FAMILY).map((address) => ({ address, family })) };
  } catch (error) {
    // The name exists, without an address of this family.
    if (codeOf(error) === 'ENODATA') return { addresses: [] };
    return { addresses: [], error };
  }
}
