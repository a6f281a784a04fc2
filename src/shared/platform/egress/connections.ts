import { Client } from 'undici';
import type { Dial, Dialling } from './dial.ts';
import { createHeadReader, type HeadReader, maxHeadBytes, readHeadsOf } from './head-reader.ts';

/** One undici client with one socket. It takes one exchange at a time, and dials again by itself when its socket has gone. */
export interface Connection {
  client: Client;
  dialling: Dialling;
  /** Reads the heads of answers before undici does. */
  heads: HeadReader;
  /** When the present socket was dialled, by the monotonic clock in ms. */
  dialledMs: number;
  /** How many requests have gone over the present socket. */
  requestsSent: number;
  /** False when the connection must not be used again: bytes left on the wire would be taken for the next answer. */
  reusable: boolean;
}

// A socket is closed by us before the other side is likely to: of the common servers' idle times, 5 s is the shortest
// (Node, Apache, uvicorn), and a `Keep-Alive: timeout=` hint is honoured less a second. Before a kept socket is used,
// what has come in on it is read: a close that has reached this machine sends the request over a new one. What remains
// is a close that crosses the request on the wire. Nobody can tell that from a server that died while working on the
// request, so it counts as a failed attempt: a POST is never repeated here, repeating is the ladder's decision.
const KEEP_ALIVE_MS = 4_000;
const KEEP_ALIVE_MAX_MS = 30_000;
const KEEP_ALIVE_MARGIN_MS = 1_000;

export interface Pool {
  /** A free connection for a request of this account; undefined when all are in use. */
  take(accountId: string): Connection | undefined;
  giveBack(connection: Connection): void;
  readonly busy: number;
  readonly size: number;
  lastUsedMs: number;
  /** Closes the idle connections; call it when none is busy. */
  destroy(): void;
}

export interface PoolOptions {
  origin: string;
  dial: Dial;
  maxConnections: number;
  /** How long after its dialling a connection is kept, in ms. A busy one would never see that its name has moved. */
  maxAgeMs: number;
  /** Called when the last connection has gone. */
  onEmpty: () => void;
}

/** The connections to one origin, at most `maxConnections`. The last one used is taken first. */
export function createPool({ origin, dial, maxConnections, maxAgeMs, onEmpty }: PoolOptions): Pool {
  const idle: Connection[] = [];
  let busy = 0;

  function open(accountId: string): Connection {
    const connection: Connection = {
      client: new Client(origin, {
        connect: (_options, connected) => {
          connection.dialledMs = performance.now();
          dial(connection.dialling).then(
            (socket) => connected(null, readHeadsOf(socket, connection.heads)),
            (error: Error) => connected(error, null),
          );
        },
        allowH2: false,
        pipelining: 1,
        maxHeaderSize: maxHeadBytes,
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
        keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
        // The exchange keeps its own, exact deadline.
        headersTimeout: 0,
        bodyTimeout: 0,
      }),
      dialling: { accountId, resolving: false, ended: false },
      heads: createHeadReader(),
      dialledMs: 0,
      requestsSent: 0,
      reusable: true,
    };
    connection.client.on('disconnect', () => {
      connection.requestsSent = 0;
      const index = idle.indexOf(connection);
      if (index === -1) return;
      idle.splice(index, 1);
      discard(connection);
    });
    return connection;
  }

  function discard(connection: Connection): void {
    endConnection(connection);
    if (busy === 0 && idle.length === 0) onEmpty();
  }

  return {
    lastUsedMs: 0,
    get busy() {
      return busy;
    },
    get size() {
      return busy + idle.length;
    },
    take(accountId) {
      const connection = idle.pop() ?? (busy < maxConnections ? open(accountId) : undefined);
      if (!connection) return undefined;
      busy += 1;
      connection.dialling.accountId = accountId;
      return connection;
    },
    giveBack(connection) {
      busy -= 1;
      const isYoung = performance.now() < connection.dialledMs + maxAgeMs;
      if (connection.reusable && isYoung) idle.push(connection);
      else discard(connection);
    },
    destroy() {
      for (const connection of idle.splice(0)) discard(connection);
    },
  };
}

/** Closes the socket at once, even while it is being dialled. */
export function endConnection({ client, dialling }: Connection): void {
  dialling.ended = true;
  dialling.socket?.destroy();
  void client.destroy();
}
