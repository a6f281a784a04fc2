import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Logger } from '../shared/log.ts';

/**
 * Bounds the connections of a server: those of all, and those of one network, so that one alone cannot take every place.
 * What is beyond is closed unanswered; `onRefused` hears of each.
 */
export const limitConnections = (
  server: Server,
  { connections, connectionsPerNetwork }: { connections: number; connectionsPerNetwork: number },
  onRefused: () => void = () => {},
): void => {
  const open = new Map<string, number>();
  server.maxConnections = connections;
  server.on('drop', onRefused);
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
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

/** An IPv4 address, or the /64 that an IPv6 address is in, for one host has all of that. */
const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, 8).join('.');
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
