import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startApi } from '../helpers/api.ts';
import { reportAttack } from './report.ts';

const mib = 1024 * 1024;

test('clients that ask for the largest answer, uncompressed, and never read it hold one copy together', async () => {
  const api = await startApi();
  onTestFinished(api.stop);
  const size = (await (await fetch(`${api.url}/docs/api-reference.js`)).arrayBuffer()).byteLength;
  const { port } = new URL(api.url);
  const sockets: Socket[] = [];
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  const before = process.memoryUsage().arrayBuffers;
  const clients = 60;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const socket = connect(Number(port), '127.0.0.1');
      sockets.push(socket);
      await once(socket, 'connect');
      socket.write('GET /docs/api-reference.js HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: identity\r\n\r\n');
      // The answer has begun; the rest is left to wait.
      await once(socket, 'readable');
    }),
  );
  const grown = Math.max(0, process.memoryUsage().arrayBuffers - before);
  await reportAttack('unreadAnswers', {
    tried: clients,
    through: Math.floor(grown / (10 * size)),
    note: `${Math.ceil(grown / mib)} MiB more`,
  });
  expect(grown).toBeLessThan(10 * size);
});
