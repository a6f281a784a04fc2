import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Client, Connection, type ClientOptions } from '@temporalio/client';
import { onTestFinished } from 'vitest';

/** A client of a Temporal that takes connections and never says a word; until the test is finished. */
export const clientOfSilence = async (options: Pick<ClientOptions, 'interceptors'> = {}): Promise<Client> => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on('error', () => {}))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new TypeError('not a TCP server');
  const connection = Connection.lazy({ address: `127.0.0.1:${bound.port}` });
  onTestFinished(async () => {
    await connection.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return new Client({ connection, ...options });
};
