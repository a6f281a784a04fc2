import { Resolver } from 'node:dns/promises';
import { createLocalNames } from './local-names.ts';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** All addresses of a name; rejects when it has none, and soon after `signal` aborts. */
export type Lookup = (hostname: string, signal: AbortSignal) => Promise<ResolvedAddress[]>;

export interface LookupOptions {
  /** Name servers, with a port if wanted; those of the system when not given. */
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
 * Asks the machine's own names, then the name servers. These are asked by c-ares, over a socket of the look-up's own: the
 * system's getaddrinfo holds one of Node's few threads for as long as a name server is silent, and the database, mail and
 * sign-in need those. Each look-up reads the system's list of servers anew, and ends all of its questions when it ends. A
 * name is asked for as it is written: no search domain is appended.
 */
export function createLookup({ servers, hostsFile }: LookupOptions = {}): Lookup {
  const findLocalName = createLocalNames(hostsFile);
  return async (hostname, signal) => findLocalName(hostname) ?? askNameServers(hostname, { servers, signal });
}

type Answer = { addresses: ResolvedAddress[]; error?: unknown };

async function askNameServers(
  hostname: string,
  { servers, signal }: { servers: readonly string[] | undefined; signal: AbortSignal },
): Promise<ResolvedAddress[]> {
  const resolver = new Resolver(QUESTION);
  if (servers) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  const answers = [
    answerOf(4, resolver.resolve4(hostname)),
    // IPv6 comes second: where a machine has no way out over it, that shows only when it is dialled.
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
    if (error instanceof Error && 'code' in error && error.code === 'ENODATA') return { addresses: [] };
    return { addresses: [], error };
  }
}
