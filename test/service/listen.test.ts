import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { letLast } from '../../src/api/stream/lasting.ts';
import { listen, type Limits, type Listener } from '../../src/service/listen.ts';

const started: Listener[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ stop }) => stop()));
});

const answerFine = (_: IncomingMessage, response: ServerResponse): unknown => response.end('fine');

const aServer = async (port = 0, handler = answerFine, limits: Partial<Limits> = {}) => {
  const listener = await listen(handler, { name: 'PORT', host: '127.0.0.1', port, limits });
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

test('who has sent the whole of a body that is some megabytes too large keeps its connection', async () => {
  const restMs = 500;
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    request.url === '/late' ? setTimeout(() => response.end('late'), 2 * restMs) : response.end('too large');
  const { port } = await aServer(0, answer, { restMs });
  const socket = connect(port, '127.0.0.1');
  const bytes = 4 * 1024 * 1024;
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`);
  socket.write(Buffer.alloc(bytes));
  await once(socket, 'data');
  socket.write('GET /late HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [^]*late$/);
});

test('who is answered before the end of its body, and ends it soon, keeps its connection', async () => {
  const restMs = 300;
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    request.url === '/late' ? setTimeout(() => response.end('late'), 2 * restMs) : response.end('fine');
  const { port } = await aServer(0, answer, { restMs });
  const socket = connect(port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n01234');
  await once(socket, 'data');
  socket.write('56789GET /late HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [^]*late$/);
});

test('a connection ends with more requests than may wait, and most of those never begin', async () => {
  let begun = 0;
  const { port } = await aServer(0, () => (begun += 1));
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_000));
  await once(socket, 'close');
  expect(begun).toBeLessThanOrEqual(32);
});

test('a connection that asks a few times before its answers gets all of them, however often', async () => {
  let begun = 0;
  const { port } = await aServer(0, (_, response) => response.end(`answer ${(begun += 1)};`));
  const socket = connect(port, '127.0.0.1');
  let answers = '';
  socket.on('data', (bytes) => (answers += String(bytes)));
  for (let round = 1; round <= 3; round += 1) {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(32));
    await expect.poll(() => answers).toContain(`answer ${round * 32};`);
  }
  expect(answers.match(/answer \d+;/g)).toEqual(Array.from({ length: 96 }, (_, nth) => `answer ${nth + 1};`));
  socket.destroy();
});

test('an answer that lasts is not cut off when others are, and one that does not is', async () => {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/lasting') letLast(response);
    response.write('begun');
    setTimeout(() => response.end(' and ended'), 600);
  };
  const { port } = await aServer(0, answer, { exchangeMs: 200 });
  const read = async (path: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    return text(socket);
  };
  const [lasting, usual] = await Promise.all([read('/lasting'), read('/usual').catch(() => 'cut off')]);
  expect(lasting).toContain('and ended');
  expect(usual).not.toContain('and ended');
});
