import { createServer } from 'node:net';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Lookup } from '../../../../src/shared/platform/egress/lookup.ts';
import { listen, type Answer } from '../../../helpers/receiver.ts';
import { createCa } from '../../../helpers/tls.ts';
import { anEgress, aReceiver, namesAt, post, timeoutMs } from './builders.ts';

async function exchangeWith(respond: Answer, options: { maxBodyBytes?: number; timeoutMs?: number } = {}) {
  const receiver = await aReceiver({ respond });
  const egress = anEgress({ allow: `127.0.0.1:${receiver.port}` });
  const exchange = await post(egress, receiver.url('/hook?a=1'), options);
  return { receiver, egress, exchange };
}

describe('an answer', () => {
  test('comes with status, headers, body and the address that was dialled', async () => {
    const { receiver, exchange } = await exchangeWith({
      type: 'respond',
      status: 201,
      headers: { 'x-one': 'a', 'x-two': ['b', 'c'] },
      body: 'thanks',
    });
    expect(exchange).toMatchObject({
      type: 'answered',
      status: 201,
      headers: { 'x-one': 'a', 'x-two': ['b', 'c'] },
      bodyTruncated: false,
      address: '127.0.0.1',
      durationMs: expect.any(Number),
    });
    expect(exchange.type === 'answered' && Buffer.from(exchange.body).toString()).toBe('thanks');
    expect(receiver.requests).toMatchObject([{ method: 'POST', path: '/hook?a=1', rawBody: Buffer.from('{"n":1}') }]);
  });

  test.each([200, 204, 301, 302, 307, 308, 400, 401, 404, 410, 429, 500, 503])(
    'of status %i is told as it is',
    async (status) => {
      const { receiver, exchange } = await exchangeWith({
        type: 'respond',
        status,
        headers: { location: '/elsewhere' },
      });
      expect(exchange).toMatchObject({ type: 'answered', status });
      expect(receiver.requests).toHaveLength(1);
    },
  );

  test('keeps not more of its body than it may, and closes the connection', async () => {
    const { egress, exchange } = await exchangeWith(
      { type: 'respond', body: 'x'.repeat(5_000) },
      { maxBodyBytes: 1_000 },
    );
    expect(exchange).toMatchObject({ type: 'answered', status: 200, bodyTruncated: true, truncatedBy: 'size' });
    expect(exchange.type === 'answered' && exchange.body.length).toBe(1_000);
    expect(egress.stats()).toMatchObject({ connections: 0 });
  });

  test('keeps a body of exactly the size whole', async () => {
    const { exchange } = await exchangeWith({ type: 'respond', body: 'x'.repeat(1_000) }, { maxBodyBytes: 1_000 });
    expect(exchange).toMatchObject({ bodyTruncated: false });
    expect(exchange.type === 'answered' && exchange.body.length).toBe(1_000);
  });

  test('with an endless body counts, and ends at the cap', async () => {
    const { exchange } = await exchangeWith({ type: 'endless' });
    expect(exchange).toMatchObject({ type: 'answered', status: 200, bodyTruncated: true });
    expect(exchange.type === 'answered' && exchange.body.length).toBe(16_384);
  });

  test('with a dripping body counts, and ends at the deadline', async () => {
    const startedMs = performance.now();
    const { egress, exchange } = await exchangeWith({ type: 'drip', everyMs: 10 }, { timeoutMs });
    expect(exchange).toMatchObject({ type: 'answered', status: 200, bodyTruncated: true, truncatedBy: 'timeout' });
    expect(exchange.type === 'answered' && exchange.body.length).toBeGreaterThan(1);
    expect(performance.now() - startedMs).toBeGreaterThan(timeoutMs);
    expect(egress.stats()).toMatchObject({ connections: 0, inFlight: 0 });
  });

  test('whose body breaks off counts', async () => {
    const bytes = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf';
    const { exchange } = await exchangeWith({ type: 'raw', bytes });
    expect(exchange).toMatchObject({ type: 'answered', status: 200, bodyTruncated: true, truncatedBy: 'reset' });
    expect(exchange.type === 'answered' && Buffer.from(exchange.body).toString()).toBe('half');
  });

  test('is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const { exchange } = await exchangeWith({ type: 'respond', headers: { 'content-encoding': 'gzip' }, body: bomb });
    expect(exchange.type === 'answered' && Buffer.compare(exchange.body, bomb)).toBe(0);
  });

  test('after an early hint is the answer, not the hint', async () => {
    const bytes = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\nx-final: yes\r\n\r\n';
    const { exchange } = await exchangeWith({ type: 'raw', bytes, keepOpen: true });
    expect(exchange).toMatchObject({ type: 'answered', status: 204, headers: { 'x-final': 'yes' } });
  });

  test('may carry headers named like the properties of an object', async () => {
    const bytes = 'HTTP/1.1 200 OK\r\n__proto__: a\r\n__proto__: b\r\nconstructor: c\r\ncontent-length: 0\r\n\r\n';
    const { exchange } = await exchangeWith({ type: 'raw', bytes });
    expect(exchange.type === 'answered' && Object.entries(exchange.headers)).toEqual([
      ['__proto__', ['a', 'b']],
      ['constructor', 'c'],
      ['content-length', '0'],
    ]);
  });
});

describe('a failure', () => {
  test.each<[string, Answer, { reason: string; requestSent: boolean }]>([
    ['no answer', { type: 'hang' }, { reason: 'timeout', requestSent: true }],
    [
      'headers after the deadline',
      { type: 'respond', delayMs: timeoutMs * 2 },
      { reason: 'timeout', requestSent: true },
    ],
    [
      'half a status line',
      { type: 'raw', bytes: 'HTTP/1.1 20', keepOpen: true },
      { reason: 'timeout', requestSent: true },
    ],
    [
      'nothing but hints',
      { type: 'raw', bytes: 'HTTP/1.1 103 Early Hints\r\n\r\n', keepOpen: true },
      { reason: 'timeout', requestSent: true },
    ],
    ['a reset', { type: 'reset' }, { reason: 'reset', requestSent: true }],
    ['a close without a byte', { type: 'close' }, { reason: 'reset', requestSent: true }],
    ['garbage', { type: 'raw', bytes: 'SSH-2.0-OpenSSH_9.9\r\n' }, { reason: 'protocol', requestSent: true }],
    [
      'a switch of protocols',
      { type: 'raw', bytes: 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n' },
      { reason: 'protocol', requestSent: true },
    ],
    [
      'more headers than fit',
      { type: 'raw', bytes: `HTTP/1.1 200 OK\r\n${`x-bomb: ${'x'.repeat(1_000)}\r\n`.repeat(66)}\r\n` },
      { reason: 'protocol', requestSent: true },
    ],
    [
      'a header without end',
      { type: 'raw', bytes: `HTTP/1.1 200 OK\r\nx-bomb: ${'x'.repeat(100_000)}`, keepOpen: true },
      { reason: 'protocol', requestSent: true },
    ],
  ])('%s is told as one, and the connection is closed', async (_name, answer, expected) => {
    const deadline = expected.reason === 'timeout' ? { timeoutMs } : {};
    const { receiver, egress, exchange } = await exchangeWith(answer, deadline);
    expect(exchange).toMatchObject({ type: 'failed', address: '127.0.0.1', ...expected });
    expect(exchange.type === 'failed' && exchange.message).toMatch(/^[\x20-\x7e]{3,200}$/);
    expect(receiver.requests).toHaveLength(1);
    expect(egress.stats()).toMatchObject({ connections: 0, inFlight: 0 });
  });

  test('is a certificate by an unknown authority, and nothing is sent', async () => {
    const receiver = await aReceiver({ ca: createCa() });
    const exchange = await post(anEgress({ allow: '127.0.0.0/8' }), receiver.url());
    expect(exchange).toMatchObject({ type: 'failed', reason: 'tls', address: '127.0.0.1', requestSent: false });
    expect(receiver.requests).toEqual([]);
  });

  test('is a certificate for another name, which must not smuggle anything into the message', async () => {
    const receiver = await aReceiver({ certificateFor: ['other.test'] });
    const egress = anEgress({ allow: '127.0.0.0/8', lookup: namesAt('127.0.0.1') });
    for (const url of [receiver.url(), receiver.url('/', 'receiver.test')]) {
      const exchange = await post(egress, url);
      expect(exchange).toMatchObject({ type: 'failed', reason: 'tls', requestSent: false });
      expect(exchange.type === 'failed' && exchange.message).toMatch(/^[\x20-\x7e]{3,200}$/);
    }
    expect(receiver.requests).toEqual([]);
  });

  test('is a port where nobody listens', async () => {
    const receiver = await aReceiver();
    await receiver.close();
    const exchange = await post(anEgress({ allow: '127.0.0.0/8' }), receiver.url());
    expect(exchange).toMatchObject({ type: 'failed', reason: 'connect', address: '127.0.0.1', requestSent: false });
  });

  test('is a server that takes the connection and never speaks TLS; the connection is closed', async () => {
    const server = createServer();
    onTestFinished(() => void server.close());
    const port = await listen(server);
    const closed = once(server, 'connection').then(([socket]) => once(socket.resume(), 'close'));
    const exchange = await post(anEgress({ allow: '127.0.0.0/8' }), `https://127.0.0.1:${port}/`, { timeoutMs });
    expect(exchange).toMatchObject({ type: 'failed', reason: 'timeout', address: '127.0.0.1', requestSent: false });
    await closed;
  });

  test('is a name that does not resolve', async () => {
    const lookup: Lookup = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    const exchange = await post(anEgress({ lookup }), 'https://nowhere.test/');
    expect(exchange).toMatchObject({ type: 'failed', reason: 'dns', requestSent: false });
    expect(exchange).not.toHaveProperty('address');
  });

  test('is a name server that does not answer: the deadline holds, and the name is asked for once at a time', async () => {
    let asked = 0;
    const lookup: Lookup = () => {
      asked += 1;
      return new Promise(() => {});
    };
    const egress = anEgress({ lookup });
    const exchanges = await Promise.all([1, 2, 3].map(() => post(egress, 'https://slow.test/', { timeoutMs })));
    for (const exchange of exchanges) expect(exchange).toMatchObject({ reason: 'dns', requestSent: false });
    expect(asked).toBe(1);
  });
});

describe('a request', () => {
  test('carries the headers given, but for those that are the connection’s own', async () => {
    const receiver = await aReceiver();
    const egress = anEgress({ allow: '127.0.0.0/8' });
    const exchange = await egress.request({
      accountId: 'acme',
      url: receiver.url(),
      method: 'PUT',
      headers: {
        'X-Own': 'yes',
        Host: 'other.test',
        'Content-Length': '3',
        Connection: 'close',
        'Transfer-Encoding': 'chunked',
      },
      body: Buffer.from('four'),
      timeoutMs,
      maxBodyBytes: 0,
    });
    expect(exchange).toMatchObject({ type: 'answered', status: 200 });
    const [request] = receiver.requests;
    expect(request).toMatchObject({ method: 'PUT', rawBody: Buffer.from('four') });
    expect(request?.headers).toEqual({
      'x-own': 'yes',
      host: `127.0.0.1:${receiver.port}`,
      'content-length': '4',
      connection: 'keep-alive',
    });
  });

  test.each<[string, { url?: string; headers?: Record<string, string> }]>([
    ['a url that is none', { url: '/hook' }],
    ['a scheme that is neither http nor https', { url: 'ftp://receiver.test/' }],
    ['credentials in the url', { url: 'https://user:secret@receiver.test/' }],
    ['a header that breaks the line', { headers: { 'x-a': 'b\r\nx-c: d' } }],
    ['a header name that is none', { headers: { 'x a': 'b' } }],
  ])('with %s is our own fault and throws', async (_name, wrong) => {
    const receiver = await aReceiver();
    const egress = anEgress({ allow: '127.0.0.0/8' });
    const request = {
      accountId: 'acme',
      url: receiver.url(),
      headers: {},
      body: Buffer.from(''),
      timeoutMs,
      maxBodyBytes: 0,
    };
    await expect(egress.post({ ...request, ...wrong })).rejects.toThrow(TypeError);
    expect(receiver.requests).toEqual([]);
    expect(await egress.post(request)).toMatchObject({ status: 200 });
  });

  test('over plain http reaches what may be reached', async () => {
    const receiver = await aReceiver({ plain: true });
    const exchange = await post(anEgress({ allow: '127.0.0.0/8' }), receiver.url());
    expect(exchange).toMatchObject({ type: 'answered', status: 200, address: '127.0.0.1' });
  });

  test('that is aborted rejects with the reason and closes its connection', async () => {
    const receiver = await aReceiver({ respond: { type: 'hang' } });
    const egress = anEgress({ allow: '127.0.0.0/8' });
    const aborted = new AbortController();
    const reason = new Error('shutting down');
    const hanging = post(egress, receiver.url(), { timeoutMs: 5_000, signal: aborted.signal });
    await receiver.waitFor(1);
    aborted.abort(reason);
    await expect(hanging).rejects.toBe(reason);
    await expect(post(egress, receiver.url(), { signal: aborted.signal })).rejects.toBe(reason);
    expect(egress.stats()).toEqual({ origins: 0, connections: 0, inFlight: 0 });
    expect(receiver.requests).toHaveLength(1);
  });
});

test('close waits for what is in flight, and takes no more', async () => {
  const receiver = await aReceiver({ respond: { type: 'respond', delayMs: 100 } });
  const egress = anEgress({ allow: '127.0.0.0/8' });
  const inFlight = post(egress, receiver.url());
  await receiver.waitFor(1);
  await egress.close();
  expect(await inFlight).toMatchObject({ status: 200 });
  expect(egress.stats()).toEqual({ origins: 0, connections: 0, inFlight: 0 });
  await expect(post(egress, receiver.url())).rejects.toThrow('egress is closed');
});

describe('a request to private addresses only', () => {
  const privately = (egress: ReturnType<typeof anEgress>, url: string, privateOnly = true) =>
    egress.request({
      accountId: 'acme',
      url,
      method: 'GET',
      headers: {},
      timeoutMs,
      maxBodyBytes: 16_384,
      privateOnly,
    });

  test('dials what the operator lets through', async () => {
    const receiver = await aReceiver({ plain: true });
    const egress = anEgress({ allow: '127.0.0.1', lookup: namesAt('93.184.215.14', '127.0.0.1') });
    const exchange = await privately(egress, receiver.url('/', 'crm.example'));
    expect(exchange).toMatchObject({ type: 'answered', address: '127.0.0.1' });
  });

  test('dials no public address, also where the operator names it', async () => {
    const egress = anEgress({ allow: '0.0.0.0/0', lookup: namesAt('93.184.215.14') });
    expect(await privately(egress, 'http://crm.example/')).toMatchObject({
      type: 'failed',
      reason: 'refused_address',
      requestSent: false,
    });
  });

  test('uses no connection that was dialled for others', async () => {
    const receiver = await aReceiver({ plain: true });
    const egress = anEgress({ allow: '127.0.0.1' });
    await privately(egress, receiver.url(), false);
    await privately(egress, receiver.url());
    await privately(egress, receiver.url());
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 2, 2]);
  });
});

describe('an address of the operator', () => {
  test('is called on this machine, while the same url of a user stays refused', async () => {
    const receiver = await aReceiver();
    const egress = anEgress();
    const request = {
      accountId: 'a',
      url: receiver.url('/'),
      method: 'GET',
      headers: {},
      timeoutMs: 5_000,
      maxBodyBytes: 10,
    };
    for (const _ of ['first', 'again']) {
      expect(await egress.request({ ...request, ofOperator: true })).toMatchObject({ type: 'answered', status: 200 });
      expect(await egress.request(request)).toMatchObject({ type: 'failed', reason: 'refused_address' });
    }
    expect(receiver.requests).toHaveLength(2);
  });
});
