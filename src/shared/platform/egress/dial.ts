import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, getCACertificates, type SecureContext, TLSSocket } from 'node:tls';
import type { FailureDetail } from './failure-details.ts';
import type { Resolve } from './resolve.ts';
import { readTlsFailure } from './tls-failure.ts';
import { hostOf, portOf } from './urls.ts';
import { codeOf } from '../error-code.ts';

/** Why there is no connection. */
export class DialError extends Error {
  override readonly name = 'DialError';
  readonly reason: 'busy' | 'dns' | 'refused_address' | 'connect' | 'tls';

  /** What exactly is wrong with the server's TLS. */
  readonly detail: FailureDetail | undefined;

  constructor(
    reason: DialError['reason'],
    message: string,
    options?: ErrorOptions & { detail?: FailureDetail | undefined },
  ) {
    super(message, options);
    this.reason = reason;
    this.detail = options?.detail;
  }
}

/** The state of a dial, shared by the dial and by whoever reports on it or ends it. */
export interface Dialling {
  /** The account that uses the connection at the time; the name is looked up for it. */
  accountId: string;
  /** True while the name is looked up. */
  resolving: boolean;
  /** The address of the connection, or the last one tried. */
  address?: string | undefined;
  socket?: Socket | undefined;
  /** The first error of this socket: what undici tells can be what followed from it. */
  error?: Error | undefined;
  ended: boolean;
}

// Node gives an address up for good when it goes on to the next one, so a slow address must not be taken for a dead one.
const NEXT_ADDRESS_AFTER_MS = 1_000;

/** Opens a connection that is ready for a request, and keeps `dialling` up to date. Rejects with a DialError. */
export type Dial = (dialling: Dialling) => Promise<Socket>;

export interface DialerDeps {
  resolve: Resolve;
  secureContext: SecureContext;
}

const rootsByExtra = new Map<string | undefined, SecureContext>();

/** The trusted roots: the system's and the operator's own. Each process makes them once, because reading them takes milliseconds. */
export function trustedRoots(extraCa?: string): SecureContext {
  const roots =
    rootsByExtra.get(extraCa) ??
    createSecureContext(extraCa === undefined ? {} : { ca: [...getCACertificates('default'), extraCa] });
  rootsByExtra.set(extraCa, roots);
  return roots;
}

/** Trusts what one authority signed, and nothing else. */
export const trustedAlone = (caPem: string): SecureContext => createSecureContext({ ca: caPem });

/**
 * Makes the dial of one origin. It resolves and checks the name once, and dials only the addresses that were checked, the next one when
 * one does not answer (RFC 8305). A name that changes its address after the check changes nothing. SNI and certificate go by the
 * name. TLS sessions are resumed within the origin.
 */
export function createDial({ resolve, secureContext }: DialerDeps, origin: URL): Dial {
  const port = portOf(origin);
  const secure = origin.protocol === 'https:';
  const host = hostOf(origin);
  const servername = isIP(host) ? '' : host.replace(/\.$/, '');
  let session: Buffer | undefined;

  return async (dialling) => {
    dialling.address = undefined;
    dialling.error = undefined;
    dialling.resolving = true;
    const resolution = await resolve(host, port, dialling.accountId);
    dialling.resolving = false;
    if (resolution.type === 'failed') throw new DialError(resolution.reason, resolution.message);
    if (dialling.ended) throw new DialError('connect', 'given up');

    const { addresses } = resolution;
    dialling.address = addresses[0]?.address;
    const where = {
      host,
      port,
      // Node calls this instead of asking a name server. It calls nothing when the host is an address.
      lookup: (_name: string, _options: unknown, answer: (error: null, found: typeof addresses) => void) =>
        answer(null, addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    };
    const socket = secure
      ? connectTls({ ...where, servername, secureContext, session, ALPNProtocols: ['http/1.1'] })
      : connectTcp(where);
    dialling.socket = socket;
    socket.on('connectionAttempt', (address: string) => {
      dialling.address = address;
    });
    socket.on('session', (latest: Buffer) => {
      session = latest;
    });

    const ready = Promise.withResolvers<Socket>();
    let reason: DialError['reason'] = 'connect';
    const fail = (error?: Error) => {
      if (isOurShortage(error))
        return ready.reject(new DialError('busy', 'this machine has no socket left', { cause: error }));
      const { message, detail } =
        reason === 'tls'
          ? readTlsFailure(error, { cipherChosen: hasCipher(socket) })
          : { message: describe(error), detail: undefined };
      ready.reject(new DialError(reason, message, { cause: error, detail }));
    };
    socket.once('connect', () => {
      dialling.address = socket.remoteAddress;
      reason = 'tls';
    });
    socket.once(secure ? 'secureConnect' : 'connect', () => ready.resolve(socket));
    // The listeners stay: until undici adds its own, an error without a listener would end the process.
    socket.on('error', fail).on('close', () => fail());
    socket.once('error', (error) => {
      dialling.error = error;
    });
    return ready.promise;
  };
}

/** Node answers no cipher before one is chosen, although its types say otherwise. */
function hasCipher(socket: Socket): boolean {
  const cipher: unknown = socket instanceof TLSSocket && socket.getCipher();
  return typeof cipher === 'object' && cipher !== null;
}

function describe(error?: Error): string {
  // Node's error for several addresses that all failed has a code, but no words.
  if (error instanceof AggregateError) return `no address answered (${codeOf(error) ?? 'failed'})`;
  return error?.message ?? 'closed while connecting';
}

/** This machine lacks files, ports or memory for a socket. Nobody was asked, and the other side is not at fault. */
const shortages = ['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM'];

function isOurShortage(error?: Error): boolean {
  if (error instanceof AggregateError) return error.errors.some((one) => one instanceof Error && isOurShortage(one));
  return shortages.includes(codeOf(error) ?? '');
}
