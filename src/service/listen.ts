import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { answerMalformed } from '../api/malformed-requests.ts';
import type { TrustsProxy } from '../shared/platform/trust-proxy.ts';
import { limitConnections } from './connections.ts';

/** Requests that are still under way after this are cut off at shutdown. */
const patienceMs = 12_000;

/** Somebody else listens on the port. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

/** What a client may take; a slow one that is alive keeps within all of it. Times in ms. */
const defaultLimits = {
  /** From the connection, or the first byte of a later request, to the end of the request's head. */
  headMs: 15_000,
  /** To the end of the body as well: 256 KiB at 5 kB a second. */
  requestMs: 60_000,
  /** From the head to the answer's last byte. The body is in it, the longest wait of ours (40 s), and time to read. */
  exchangeMs: 150_000,
  /** Between the requests of a kept connection: longer than proxies keep theirs (60 s), or they would send into a closing one. */
  idleMs: 75_000,
  /** How often head and body are looked at. */
  checkEveryMs: 1_000,
  /** A connection costs some 20 kB, and a file handle, of which a process often has 4,096. */
  connections: 2_000,
  /** Half of them, except for a trusted proxy: an office's come from one address. */
  connectionsPerNetwork: 1_000,
};

export type Limits = typeof defaultLimits;

type Place = {
  /** The setting that chose the port, for the error when a stranger has it. */
  name: string;
  host: string;
  port: number;
  limits?: Partial<Limits>;
  /** Which proxies may take every connection; none unless given. */
  trustsProxy?: TrustsProxy;
  /** Hears of each connection that is closed because there are too many. */
  onRefused?: () => void;
};

/** A server that listens; `port` is the real one where 0 asked for any. */
export type Listener = { port: number; stop: () => Promise<void> };

/**
 * Serves HTTP on `host:port`, to clients that keep within the limits. `stop` accepts nothing new, on kept connections
 * neither, and waits for what is under way.
 */
export const listen = async (
  handler: (request: IncomingMessage, response: ServerResponse) => unknown,
  { name, host, port, limits: changed, trustsProxy, onRefused }: Place,
): Promise<Listener> => {
  const limits = { ...defaultLimits, ...changed };
  const underWay = new Set<ServerResponse>();
  const take = (request: IncomingMessage, response: ServerResponse) => {
    underWay.add(response);
    const tooSlow = setTimeout(() => request.socket.destroy(), limits.exchangeMs);
    response.once('close', () => {
      clearTimeout(tooSlow);
      underWay.delete(response);
    });
    void handler(request, response);
  };
  const timeouts = {
    headersTimeout: limits.headMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: limits.checkEveryMs,
  };
  // What Node would refuse by itself, without a body, is the handler's to refuse.
  const server = createServer({ ...timeouts, requireHostHeader: false }, take);
  limitConnections(server, limits, { trustsProxy, onRefused });
  server.on('checkExpectation', take);
  server.on('clientError', answerMalformed);
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw taken
      ? new PortTakenError(`Port ${port} is taken by another program. Stop it, or set ${name} to a free port.`)
      : error;
  }
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? port) : port,
    stop: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      // Else Node goes on to serve whatever comes over their connections.
      for (const response of underWay) if (!response.headersSent) response.setHeader('Connection', 'close');
      const cutOff = setTimeout(() => server.closeAllConnections(), patienceMs);
      await closed;
      clearTimeout(cutOff);
    },
  };
};
