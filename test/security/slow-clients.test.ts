import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { listen, type Limits, type Listener } from '../../src/service/listen.ts';
import { parseTrustProxy, type TrustsProxy } from '../../src/shared/platform/trust-proxy.ts';
import { reportAttack } from './report.ts';

const started: Listener[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(started.splice(0).map(({ stop }) => stop()));
});

/** Reads the body, then answers; `/large` with more than any buffer on the way holds. */
const serve = async (
  limits: Partial<Limits>,
  { onLeft = () => {}, trustsProxy }: { onLeft?: () => void; trustsProxy?: TrustsProxy } = {},
): Promise<number> => {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    if (request.url === '/large') request.socket.once('close', onLeft);
    response.end(request.url === '/large' ? Buffer.alloc(64 * 1024 * 1024) : `got ${body.length}`);
  };
  const listener = await listen(answer, {
    name: 'PORT',
    host: '0.0.0.0',
    port: 0,
    limits: { checkEveryMs: 50, ...limits },
    ...(trustsProxy && { trustsProxy }),
  });
  started.push(listener);
  return listener.port;
};

const open = async (port: number, localAddress = '127.0.0.1'): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
};

/** Sends `bytes` one at a time until the connection ends. */
const drip = (socket: Socket, bytes: string, everyMs: number): void => {
  socket.resume();
  const rest = bytes.split('');
  const timer = setInterval(() => {
    const next = rest.shift();
    if (next !== undefined && socket.writable) socket.write(next);
  }, everyMs);
  socket.once('close', () => clearInterval(timer));
};

const ask = async (port: number, localAddress?: string): Promise<string> => {
  const socket = await open(port, localAddress);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  return text(socket).catch(() => '');
};

const post = (length: number) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;

const slow: Record<string, (socket: Socket) => void> = {
  'sends nothing': (socket) => socket.resume(),
  'drips its head': (socket) => drip(socket, `GET / HTTP/1.1\r\nHost: ${'a'.repeat(5_000)}`, 20),
  'drips its body': (socket) => {
    socket.write(post(5_000));
    drip(socket, 'a'.repeat(5_000), 20);
  },
  'drips a body of unknown length': (socket) => {
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    drip(socket, '1\r\na\r\n'.repeat(1_000), 20);
  },
  'never reads its answer': (socket) => {
    socket.pause();
    socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
  },
  'reads its answer a little at a time': (socket) => {
    socket.pause();
    socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
    const timer = setInterval(() => socket.read(1), 50);
    socket.once('close', () => clearInterval(timer));
  },
  'asks once and stays': (socket) => {
    socket.resume();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  },
};

/** A client that writes on when it is cut off has its connection reset: that is an end, too. */
const ended = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()));

test('a client that holds its connection is cut off, and others are answered meanwhile', async () => {
  const closed = new Map<string, number>();
  const limits = { headMs: 500, requestMs: 500, exchangeMs: 500, idleMs: 500 };
  let answered = 0;
  for (const [name, hold] of Object.entries(slow)) {
    // A client that does not read does not see its connection end; the server does.
    const left = Promise.withResolvers<void>();
    const port = await serve(limits, { onLeft: left.resolve });
    const since = performance.now();
    const socket = await open(port);
    hold(socket);
    if ((await ask(port)).includes('200 OK')) answered += 1;
    await Promise.race([left.promise, ended(socket)]);
    closed.set(name, performance.now() - since);
  }
  expect(answered).toBe(Object.keys(slow).length);
  const late = [...closed].filter(([, ms]) => ms > 2_000);
  expect(late).toEqual([]);
  const note = `closed after at most ${(Math.max(...closed.values()) / 1000).toFixed(1)} s`;
  await reportAttack('slowClient', { tried: closed.size, through: late.length, note });
});

test('a slow client that is alive is served', async () => {
  const port = await serve({ headMs: 5_000, requestMs: 5_000, exchangeMs: 5_000, idleMs: 5_000 });
  const socket = await open(port);
  const data = once(socket, 'data');
  drip(socket, `${post(10)}0123456789`, 10);
  const [bytes] = await data;
  expect(String(bytes)).toMatch(/^HTTP\/1\.1 200 OK[^]*got 10$/);
});

test('one address gets a part of the connections only; what it closes can be had again', async () => {
  const port = await serve({ connections: 20, connectionsPerNetwork: 10 });
  const tried = 30;
  const held = await Promise.all(Array.from({ length: tried }, () => open(port)));
  await Promise.all(held.slice(10).map(async (socket) => socket.closed || ended(socket)));
  const through = held.filter((socket) => !socket.closed).length - 10;
  expect(await ask(port, '127.0.0.2')).toContain('200 OK');
  held[0]?.destroy();
  await expect.poll(() => ask(port), { timeout: 5_000 }).toContain('200 OK');
  await reportAttack('connectionFlood', { tried, through });
});

test('a trusted proxy, which brings everybody, gets all places that are left, and no other address more than its part', async () => {
  const limits = { connections: 20, connectionsPerNetwork: 5 };
  const port = await serve(limits, { trustsProxy: parseTrustProxy('127.0.0.2') });
  const tried = 10;
  const held = await Promise.all(Array.from({ length: tried }, () => open(port)));
  await Promise.all(held.slice(5).map(async (socket) => socket.closed || ended(socket)));
  await Promise.all(Array.from({ length: 14 }, () => open(port, '127.0.0.2')));
  const last = await open(port, '127.0.0.2');
  last.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(String(await once(last, 'data'))).toContain('200 OK');
  expect(await ask(port, '127.0.0.2')).toBe('');
  await reportAttack('connectionFloodPastProxy', {
    tried,
    through: held.filter((socket) => !socket.closed).length - 5,
  });
});

test('no more connections are held than there are places for', async () => {
  const port = await serve({ connections: 5, connectionsPerNetwork: 5 });
  const held = await Promise.all(Array.from({ length: 5 }, () => open(port)));
  expect(await ask(port, '127.0.0.2')).toBe('');
  held[0]?.destroy();
  await expect.poll(() => ask(port, '127.0.0.2'), { timeout: 5_000 }).toContain('200 OK');
});

test('beyond as many as are kept, connections end with their answers and leave places free', async () => {
  const port = await serve({ connections: 6, connectionsPerNetwork: 6, keptConnections: 4 });
  const clients = Array.from({ length: 5 }, (_, nth) => `127.0.1.${nth + 1}`);
  for (const address of [...clients, ...clients, ...clients]) {
    const socket = await open(port, address);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(String(await Promise.race([once(socket, 'data'), once(socket, 'close')]))).toContain('200 OK');
  }
  await expect.poll(() => sockets.filter(({ closed }) => !closed).length, { timeout: 5_000 }).toBe(4);
});
