import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { listen, type Listener } from '../../src/service/listen.ts';

const started: Listener[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ stop }) => stop()));
});

const answerFine = (_: IncomingMessage, response: ServerResponse): unknown => response.end('fine');

const aServer = async (port = 0, handler = answerFine) => {
  const listener = await listen(handler, { name: 'PORT', host: '127.0.0.1', port });
  started.push(listener);
  return listener;
};

const send = async (port: number, bytes: string): Promise<{ status: number; body: unknown }> => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  const answer = await text(socket);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
};

test.each([
  { what: 'garbage', bytes: 'this is no HTTP\r\n\r\n', status: 400, code: 'bad_request' },
  {
    what: 'headers beyond all measure',
    bytes: `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
    status: 431,
    code: 'headers_too_large',
  },
])('answers $what with the error envelope and $status', async ({ bytes, status, code }) => {
  const { port } = await aServer();
  expect(await send(port, bytes)).toEqual({
    status,
    body: { error: { code, message: expect.any(String), request_id: expect.any(String) } },
  });
});

test('a port that a stranger has is an error that names the setting to change', async () => {
  const { port } = await aServer();
  await expect(aServer(port)).rejects.toThrow(
    `Port ${port} is taken by another program. Stop it, or set PORT to a free port.`,
  );
});

test('stopping answers what is under way and takes nothing more over its connection', async () => {
  const asked = Promise.withResolvers<ServerResponse>();
  const { port, stop } = await aServer(0, (_, response) => asked.resolve(response));
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const response = await asked.promise;
  const stopped = stop();
  response.end('fine');
  // It ends by itself: nobody closed the socket from this side.
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [^]*\r\nConnection: close\r\n[^]*fine/);
  await stopped;
});
