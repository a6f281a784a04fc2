import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { answerMalformed } from '../api/malformed-requests.ts';
import { whenLasting } from '../api/stream/lasting.ts';
import type { TrustsProxy } from '../shared/platform/trust-proxy.ts';
import { limitConnections } from './connections.ts';
import { codeOf } from '../shared/platform/error-code.ts';
import { inTurns } from './turns.ts';

/** Shutdown cuts off requests that are under way after so many ms. */
const patienceMs = 12_000;

/** Another process listens on the port. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

/** How long a client may take, in ms. A slow client that is alive stays within all of these. */
const defaultLimits = {
  /** From the connection, or the first byte of a later request, to the end of the request's head. */
  headMs: 15_000,
  /** The same to the end of the body: 256 KiB at 5 kB a second. */
  requestMs: 60_000,
  /** From the head to the answer's last byte: the body, our longest wait (40 s), and time to read. */
  exchangeMs: 150_000,
  /** From the answer to the end of a body that it did not wait for. A reset at once would keep the answer from the client. */
  restMs: 1_000,
  /** The most that is read of such a rest, in bytes: who has sent no more by then sends its next request on the same connection. */
  restBytes: 16 * 1024 * 1024,
  /** Between two requests of a kept connection. Proxies keep theirs for 60 s and must not send into one that closes. */
  idleMs: 75_000,
  /** How often head and body are looked at. */
  checkEveryMs: 1_000,
  /** The most connections. Each costs some 20 kB and a file handle, of which a process often has 4,096. */
  connections: 3_000,
  /** The most connections of one network: a third of all, because an office has one address. */
  connectionsPerNetwork: 1_000,
  /**
   * Beyond so many, a connection ends with its answer. Otherwise the streams of visitors and users, 1,500 at most, and what their browsers keep beside
   * them would leave nobody else a place.
   */
  keptConnections: 2_000,
  /** The most requests of one connection that wait for their answers. Node takes all that have come, and few clients send a second one before an answer. */
  requestsPerConnection: 32,
};

export type Limits = typeof defaultLimits;

type Place = {
  /** The setting that chose the port, named in the error when the port is taken. */
  name: string;
  host: string;
  port: number;
  limits?: Partial<Limits>;
  /** Which proxies may take every connection; none unless given. */
  trustsProxy?: TrustsProxy;
  /** Called for each connection that is closed because there are too many, or too many requests on it. */
  onRefused?: () => void;
  /** Certificate and key, PEM, where it serves HTTPS. */
  tls?: { cert: string; key: string };
};

/** A listening server. `port` is the real one where 0 asked for any. */
export type Listener = { port: number; isListening: () => boolean; stop: () => Promise<void> };

/**
 * Serves HTTP on `host:port` to clients that stay within the limits. `stop` accepts nothing new, not even on kept connections, and
 * waits for requests that are under way.
 */
export const listen = async (
  handler: (request: IncomingMessage, response: ServerResponse) => unknown,
  { name, host, port, limits: changed, trustsProxy, onRefused, tls }: Place,
): Promise<Listener> => {
  const limits = { ...defaultLimits, ...changed };
  const underWay = new Set<ServerResponse>();
  const turns = inTurns(handler);
  const waiting = new WeakMap<Socket, number>();
  const take = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // What else was read with the request that was too many.
    if (socket.destroyed) return;
    const before = waiting.get(socket) ?? 0;
    if (before >= limits.requestsPerConnection) {
      socket.destroy();
      return onRefused?.();
    }
    waiting.set(socket, before + 1);
    underWay.add(response);
    if (!mayBeKept()) response.shouldKeepAlive = false;
    const tooSlow = setTimeout(() => socket.destroy(), limits.exchangeMs);
    whenLasting(response, () => clearTimeout(tooSlow));
    response.once('close', () => {
      clearTimeout(tooSlow);
      underWay.delete(response);
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
    });
    // Before Node's own listener, which would read on without a bound.
    response.prependOnceListener('finish', () => {
      if (!request.complete) discardRest(request, limits);
    });
    turns.begin(request, response);
  };
  const timeouts = {
    headersTimeout: limits.headMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: limits.checkEveryMs,
  };
  // The handler refuses these requests with an envelope. Node would refuse them without a body.
  const options = { ...timeouts, requireHostHeader: false };
  const server = tls
    ? createTlsServer({ ...options, ...tls, handshakeTimeout: limits.headMs }, take)
    : createServer(options, take);
  const mayBeKept = limitConnections(server, limits, { trustsProxy, onRefused });
  server.on('connection', turns.noteConnection);
  server.on('checkExpectation', take);
  server.on('clientError', answerMalformed);
  server.listen({ port, host, backlog: 4_096 });
  try {
    await once(server, 'listening');
  } catch (error) {
    const taken = codeOf(error) === 'EADDRINUSE';
    throw taken
      ? new PortTakenError(`Port ${port} is taken by another program. Stop it, or set ${name} to a free port.`)
      : error;
  }
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? port) : port,
    isListening: () => server.listening,
    stop: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      // Otherwise Node would serve what else comes over these connections.
      for (const response of underWay) if (!response.headersSent) response.setHeader('Connection', 'close');
      const cutOff = setTimeout(() => server.closeAllConnections(), patienceMs);
      await closed;
      clearTimeout(cutOff);
    },
  };
};

/** Reads the rest of a body that nobody wants, within its bounds. What exceeds them ends the connection. */
const discardRest = (request: IncomingMessage, { restMs, restBytes }: Limits): void => {
  const hangUp = setTimeout(() => request.socket.destroy(), restMs);
  request.once('close', () => clearTimeout(hangUp));
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    // The client has the rest of the time to read its answer.
    if (bytes > restBytes) request.pause();
  });
};
