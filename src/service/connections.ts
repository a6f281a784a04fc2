import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf, readAddress } from '../api/middleware/client-address.ts';
import type { Logger } from '../shared/platform/log.ts';
import { trustsNobody, type TrustsProxy } from '../shared/platform/trust-proxy.ts';

/**
 * Bounds the connections of a server: those of all, and those of one network, so that one alone cannot take every place.
 * A trusted proxy brings everybody, so that it may take them all. What is beyond is closed unanswered; `onRefused` hears of each.
 */
export const limitConnections = (
  server: Server,
  { connections, connectionsPerNetwork }: { connections: number; connectionsPerNetwork: number },
  {
    trustsProxy = trustsNobody,
    onRefused = () => {},
  }: { trustsProxy?: TrustsProxy | undefined; onRefused?: (() => void) | undefined } = {},
): void => {
  const open = new Map<string, number>();
  server.maxConnections = connections;
  server.on('drop', onRefused);
  server.on('connection', (socket: Socket) => {
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
};

const lineEveryMs = 60_000;

/** Tells of refused connections in at most one line a minute, which counts those since the one before. */
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
