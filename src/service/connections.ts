import type { Server, Socket } from 'node:net';
import { networkOf, readAddress } from '../api/middleware/client-address.ts';
import type { Logger } from '../shared/platform/log.ts';
import { trustsNobody, type TrustsProxy } from '../shared/platform/trust-proxy.ts';

export type ConnectionBounds = {
  connections: number;
  connectionsPerNetwork: number;
  /** Beyond so many, a connection ends with its answer. */
  keptConnections: number;
};

/**
 * Bounds the connections of a server: all of them, and those of one network, so that one network cannot take every place. A trusted
 * proxy may take all of them, because it brings everybody. A connection beyond the bound is closed unanswered, and `onRefused` is called.
 * Answers whether connections may be kept for further requests now.
 */
export const limitConnections = (
  server: Server,
  { connections, connectionsPerNetwork, keptConnections }: ConnectionBounds,
  {
    trustsProxy = trustsNobody,
    onRefused = () => {},
  }: { trustsProxy?: TrustsProxy | undefined; onRefused?: (() => void) | undefined } = {},
): (() => boolean) => {
  const open = new Map<string, number>();
  let all = 0;
  server.maxConnections = connections;
  server.on('drop', onRefused);
  server.on('connection', (socket: Socket) => {
    all += 1;
    socket.once('close', () => (all -= 1));
    const address = readAddress(socket.remoteAddress ?? '');
    if (address !== undefined && trustsProxy(address, 0)) return;
    const network = networkOf(address ?? '');
    const count = (open.get(network) ?? 0) + 1;
    open.set(network, count);
    socket.once('close', () => {
      const rest = (open.get(network) ?? 1) - 1;
      if (rest > 0) open.set(network, rest);
      else open.delete(network);
    });
    if (count <= connectionsPerNetwork) return;
    socket.destroy();
    onRefused();
  });
  return () => all <= keptConnections;
};

const lineEveryMs = 60_000;

/** Logs refused connections at most once a minute, with their number since the line before. */
export const createRefusalLog = (log: Logger): (() => void) => {
  let refused = 0;
  let toldAt = -Infinity;
  return () => {
    refused += 1;
    if (performance.now() - toldAt < lineEveryMs) return;
    log.warn({ refused }, 'http.connections_refused');
    [refused, toldAt] = [0, performance.now()];
  };
};
