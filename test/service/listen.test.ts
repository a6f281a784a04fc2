import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { listen, type Listener } from '../../src/service/listen.ts';

const started: Listener[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ stop }) => stop()));
});

const aServer = async (port = 0) => {
  const listener = await listen((_, response) => response.end('fine'), { name: 'PORT', host: '127.0.0.1', port });
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
