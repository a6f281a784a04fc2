import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer, type ServerOptions as TlsOptions } from 'node:https';
import type { Server, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';
import { unreachable } from '../../src/shared/unreachable.ts';
import { type DevCa, type KeyPair, loopbackHosts, testCa } from './tls.ts';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  rawBody: Buffer;
  /** When its last byte was read, in ms since the epoch. */
  receivedAtMs: number;
  /** The name that the client asked for in the TLS handshake (SNI): none for an IP address. */
  servername: string | undefined;
  /** Whether its connection resumed the TLS session of an earlier one, which spares both sides most of a handshake. */
  resumed: boolean;
  /** Which connection brought it, counted from 1: two requests with the same number shared a socket. */
  connection: number;
}

/** What the receiver does with one request. A bare number is a status with an empty body. */
export type Answer =
  | number
  | {
      type: 'respond';
      /** Statuses from 100 to 199 that are sent before it, unasked. */
      interim?: number[];
      status?: number;
      headers?: Record<string, string | string[]>;
      body?: string | Uint8Array;
      delayMs?: number;
    }
  /** Never a byte. */
  | { type: 'hang' }
  /** Status and headers at once, then `bytes` (forever when not given), one every `everyMs`. */
  | { type: 'drip'; status?: number; everyMs: number; bytes?: number }
  /** Status and headers at once, then a body that never ends, as fast as it is read. */
  | { type: 'endless'; status?: number }
  /** A TCP reset instead of an answer. */
  | { type: 'reset' }
  /** The connection is closed without a byte. */
  | { type: 'close' }
  /**
   * These bytes, whatever they are, instead of an answer; then the connection is closed unless `keepOpen`. `cutOff`: only TCP ends, and TLS is
   * not told (no close_notify).
   */
  | { type: 'raw'; bytes: string | Uint8Array; keepOpen?: boolean; cutOff?: boolean };

/** One answer for all, a queue whose last one stays, or a function of the request and its index (from 0). */
export type Script = Answer | Answer[] | ((request: ReceivedRequest, index: number) => Answer | Promise<Answer>);

export interface ReceiverOptions {
  /** Who signs its certificate: the authority of all test receivers when not given. */
  ca?: DevCa;
  /** 200 and an empty body when not given. */
  respond?: Script;
  host?: string;
  port?: number;
  /** The names and addresses in its certificate: the loopback ones when not given. */
  certificateFor?: string[];
  certificateFrom?: Date;
  certificateUntil?: Date;
  /** Its certificate is signed by itself, not by the authority. */
  selfSigned?: boolean;
  /** The keys of its certificate: new ones, which are strong, when not given. */
  keys?: KeyPair;
  /** How it speaks TLS, where that differs from what Node's servers do. */
  tls?: TlsOptions;
  /** Plain HTTP, for what must be refused or may be allowed without TLS. */
  plain?: boolean;
}

export interface Receiver {
  readonly port: number;
  readonly caPem: string;
  /** Everything received so far, in order. */
  readonly requests: ReceivedRequest[];
  /** TCP connections accepted so far, those included that brought no request. */
  readonly connectionCount: number;
  /** Its address as a client writes it; `host` when it is to be reached by another name. */
  url(path?: string, host?: string): string;
  /** From now on it answers like this. */
  respondWith(script: Script): void;
  /** Resolves to all requests as soon as there are so many, or as soon as the predicate holds; rejects after `timeoutMs`. */
  waitFor(
    condition: number | ((requests: ReceivedRequest[]) => boolean),
    timeoutMs?: number,
  ): Promise<ReceivedRequest[]>;
  /** Closes every connection, as a server does that restarts. */
  dropConnections(): void;
  close(): Promise<void>;
}

/** Starts a real HTTPS server on a free loopback port that keeps what it gets and answers as told. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { ca = testCa(), host = '127.0.0.1', plain = false } = options;
  const requests: ReceivedRequest[] = [];
  const connections = new Map<number, { socket: Socket; number: number }>();
  const watchers = new Set<() => void>();
  let connectionCount = 0;
  let script: Script = options.respond ?? 200;

  const nextAnswer = (request: ReceivedRequest, index: number) => {
    if (typeof script === 'function') return script(request, index);
    if (!Array.isArray(script)) return script;
    return (script.length > 1 ? script.shift() : script[0]) ?? 200;
  };

  const certificate = ca.issue(options.certificateFor ?? loopbackHosts, {
    ...(options.certificateFrom && { validFrom: options.certificateFrom }),
    ...(options.certificateUntil && { validUntil: options.certificateUntil }),
    ...(options.selfSigned && { selfSigned: true }),
    ...(options.keys && { keys: options.keys }),
  });
  const server = plain
    ? createHttpServer()
    : createHttpsServer({ cert: certificate.certPem, key: certificate.keyPem, ...options.tls });
  // How long a connection may idle is the client's business in these tests, not a race between two timers.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket: Socket) => {
    connectionCount += 1;
    const port = socket.remotePort ?? 0;
    connections.set(port, { socket, number: connectionCount });
    socket.once('close', () => connections.delete(port));
  });
  async function receive(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const connection = connections.get(message.socket.remotePort ?? 0);
    const rawBody = await buffer(message).catch(() => undefined);
    if (!connection || !rawBody) return;
    const request: ReceivedRequest = {
      method: message.method ?? '',
      path: message.url ?? '',
      headers: message.headers,
      rawBody,
      receivedAtMs: Date.now(),
      servername: message.socket instanceof TLSSocket ? message.socket.servername || undefined : undefined,
      resumed: message.socket instanceof TLSSocket && message.socket.isSessionReused(),
      connection: connection.number,
    };
    const index = requests.push(request) - 1;
    for (const watcher of watchers) watcher();
    perform(await nextAnswer(request, index), response, connection.socket);
  }
  server.on('request', (message, response) => void receive(message, response));
  const port = await listen(server, { host, port: options.port ?? 0 });

  return {
    port,
    caPem: ca.certPem,
    requests,
    get connectionCount() {
      return connectionCount;
    },
    url: (path = '/', as = host.includes(':') ? `[${host}]` : host) => `http${plain ? '' : 's'}://${as}:${port}${path}`,
    respondWith(next) {
      script = next;
    },
    async waitFor(condition, timeoutMs = 60_000) {
      const holds = () => (typeof condition === 'number' ? requests.length >= condition : condition(requests));
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const check = () => holds() && resolve();
      const timer = setTimeout(
        () => reject(new Error(`not received within ${timeoutMs} ms; received so far: ${requests.length}`)),
        timeoutMs,
      );
      watchers.add(check);
      check();
      await promise.finally(() => {
        clearTimeout(timer);
        watchers.delete(check);
      });
      return requests;
    },
    dropConnections() {
      for (const { socket } of connections.values()) socket.destroy();
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const { socket } of connections.values()) socket.destroy();
      await closed;
    },
  };
}

/** Resolves to the port that a server got. */
export async function listen(server: Server, { host = '127.0.0.1', port = 0 } = {}): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('not a TCP server');
  return address.port;
}

function perform(answer: Answer, response: ServerResponse, connection: Socket): void {
  if (typeof answer === 'number') {
    response.writeHead(answer).end();
    return;
  }
  switch (answer.type) {
    case 'respond': {
      const send = () => {
        for (const status of answer.interim ?? []) response.socket?.write(`HTTP/1.1 ${status} Interim\r\n\r\n`);
        response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
      };
      if (answer.delayMs === undefined) send();
      else closeWith(response, setTimeout(send, answer.delayMs));
      return;
    }
    case 'hang':
      return;
    case 'drip': {
      let left = answer.bytes ?? Infinity;
      response.writeHead(answer.status ?? 200).flushHeaders();
      const timer = setInterval(() => {
        if (left > 0) response.write('.');
        else response.end();
        left -= 1;
      }, answer.everyMs);
      closeWith(response, timer);
      return;
    }
    case 'endless': {
      const chunk = Buffer.alloc(65_536, '.');
      response.writeHead(answer.status ?? 200);
      const pour = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', pour);
      pour();
      return;
    }
    case 'reset':
      connection.resetAndDestroy();
      return;
    case 'close':
      response.socket?.end();
      return;
    case 'raw':
      if (answer.cutOff) response.socket?.write(answer.bytes, () => connection.destroy());
      else if (answer.keepOpen) response.socket?.write(answer.bytes);
      else response.socket?.end(answer.bytes);
      return;
    default:
      unreachable(answer);
  }
}

function closeWith(response: ServerResponse, timer: NodeJS.Timeout): void {
  response.once('close', () => clearTimeout(timer));
}

/** Whether `header` is the lowercase hex HMAC-SHA256 of these bytes (section 5, rule 6). */
export function verifySignature(rawBody: Uint8Array, secret: string, header: string | string[] | undefined): boolean {
  if (typeof header !== 'string') return false;
  const expected = Buffer.from(createHmac('sha256', secret).update(rawBody).digest('hex'));
  const actual = Buffer.from(header);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
