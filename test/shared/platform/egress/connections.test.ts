import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { loopbackHosts, testCa } from '../../../helpers/tls.ts';
import { anEgress, aReceiver, namesAt, post, timeoutMs } from './builders.ts';

const certificateFor = ['receiver.test', 'a.test', 'b.test', 'c.test', '127.0.0.1'];

describe('what is dialled', () => {
  test('is the good address of a name that also has refused ones', async () => {
    const receiver = await aReceiver({ certificateFor });
    const lookup = namesAt('10.0.0.1', '::ffff:127.0.0.1', '127.0.0.1', '::1');
    const egress = anEgress({ allow: `127.0.0.1:${receiver.port}`, lookup });
    const exchange = await post(egress, receiver.url('/', 'receiver.test'));
    expect(exchange).toMatchObject({ type: 'answered', status: 200, address: '127.0.0.1' });
    expect(receiver.requests[0]?.headers.host).toBe(`receiver.test:${receiver.port}`);
  });

  test('is the next good address when one does not answer', async () => {
    const receiver = await aReceiver({ certificateFor });
    const egress = anEgress({ allow: '127.0.0.0/8', lookup: namesAt('127.0.0.3', '127.0.0.1') });
    const exchange = await post(egress, receiver.url('/', 'receiver.test'), { timeoutMs: 2_000 });
    expect(exchange).toMatchObject({ type: 'answered', status: 200, address: '127.0.0.1' });
  });

  test('is told when none of several answers', async () => {
    const receiver = await aReceiver({ certificateFor });
    await receiver.close();
    const egress = anEgress({ allow: '127.0.0.0/8', lookup: namesAt('127.0.0.3', '127.0.0.1') });
    expect(await post(egress, receiver.url('/', 'receiver.test'), { timeoutMs: 2_000 })).toMatchObject({
      type: 'failed',
      reason: 'connect',
      message: expect.stringContaining('ECONNREFUSED'),
      requestSent: false,
    });
  });

  test('is the address that was checked, although the name has moved since: each dial asks once', async () => {
    const receiver = await aReceiver({ certificateFor });
    const answers = [['127.0.0.1'], ['127.0.0.1'], ['10.0.0.1']];
    const asked: string[] = [];
    const egress = anEgress({
      allow: `127.0.0.1:${receiver.port}`,
      lookup: async (name) => {
        asked.push(name);
        return (answers.shift() ?? []).map((address) => ({ address, family: 4 }));
      },
    });
    const url = receiver.url('/', 'receiver.test');
    expect(await egress.checkUrl({ url, accountId: 'acme' })).toEqual({ ok: true });
    expect(await post(egress, url)).toMatchObject({ type: 'answered', address: '127.0.0.1' });
    expect(asked).toEqual(['receiver.test', 'receiver.test']);

    // The checked connection stays; only a new one would ask again, and is then refused.
    expect(await post(egress, url)).toMatchObject({ type: 'answered', address: '127.0.0.1' });
    expect(asked).toHaveLength(2);
    receiver.dropConnections();
    await vi.waitFor(() => expect(egress.stats().connections).toBe(0), { timeout: 60_000 });
    expect(await post(egress, url)).toMatchObject({ type: 'failed', reason: 'refused_address', requestSent: false });
    expect(asked).toHaveLength(3);
    expect(receiver.connectionCount).toBe(1);
  });

  test('is named to the server without the trailing dot that a host may have', async () => {
    const receiver = await aReceiver({ certificateFor });
    const egress = anEgress({ allow: '127.0.0.0/8', lookup: namesAt('127.0.0.1') });
    expect(await post(egress, receiver.url('/', 'receiver.test.'))).toMatchObject({ type: 'answered', status: 200 });
    expect(receiver.requests[0]?.servername).toBe('receiver.test');
  });

  test('is nothing when the name is resolved after the deadline', async () => {
    const receiver = await aReceiver({ certificateFor });
    const answer = Promise.withResolvers<LookupAddress[]>();
    const late = anEgress({ allow: '127.0.0.0/8', lookup: () => answer.promise });
    expect(await post(late, receiver.url('/', 'receiver.test'), { timeoutMs: 50 })).toMatchObject({
      reason: 'dns',
    });
    answer.resolve([{ address: '127.0.0.1', family: 4 }]);
    expect(await post(anEgress({ allow: '127.0.0.0/8' }), receiver.url())).toMatchObject({ status: 200 });
    expect(receiver.connectionCount).toBe(1);
  });

  test('is an IPv6 literal, checked against its own certificate', async () => {
    const receiver = await aReceiver({ host: '::1' });
    expect(await post(anEgress({ allow: '::1' }), receiver.url())).toMatchObject({ type: 'answered', address: '::1' });
    expect(await post(anEgress({ allow: '127.0.0.0/8' }), receiver.url())).toMatchObject({ reason: 'refused_address' });
  });
});

describe('a kept connection', () => {
  test('carries the next request', async () => {
    const receiver = await aReceiver();
    const egress = anEgress({ allow: '127.0.0.0/8' });
    for (let i = 0; i < 3; i += 1)
      expect(await post(egress, receiver.url())).toMatchObject({ status: 200, address: '127.0.0.1' });
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 1, 1]);
    expect(egress.stats()).toEqual({ origins: 1, connections: 1, inFlight: 0 });
  });

  test('carries what goes to the same origin: twenty requests to two urls, four at a time, use four', async () => {
    const receiver = await aReceiver();
    const egress = anEgress({ allow: '127.0.0.0/8' });
    const lane = async (path: string) => {
      for (let i = 0; i < 5; i += 1) expect(await post(egress, receiver.url(path))).toMatchObject({ status: 200 });
    };
    await Promise.all(['/one', '/two', '/one', '/two'].map(lane));
    expect(receiver.requests).toHaveLength(20);
    expect(new Set(receiver.requests.map(({ connection }) => connection)).size).toBeLessThanOrEqual(4);
  });

  test('gives its TLS session to the next one to its origin', async () => {
    const receiver = await aReceiver();
    const egress = anEgress({ allow: '127.0.0.0/8' });
    await post(egress, receiver.url());
    await Promise.all([post(egress, receiver.url()), post(egress, receiver.url())]);
    const resuming = receiver.requests.filter(({ resumed }) => resumed).map(({ connection }) => connection);
    expect(receiver.requests).toHaveLength(3);
    expect(resuming).toEqual([2]);
  });

  test('is given up at its age although requests never stop: a name that moves is followed', async () => {
    const receiver = await aReceiver({ certificateFor });
    const addresses = ['127.0.0.1'];
    const lookup = async () => [{ address: addresses.shift() ?? '10.0.0.1', family: 4 }];
    const egress = anEgress({ allow: '127.0.0.0/8', lookup, connectionAgeMs: 200 });
    const moved = async () => (await post(egress, receiver.url('/', 'a.test'))).type === 'failed';
    await vi.waitUntil(moved, { timeout: 20_000, interval: 10 });
    expect(await post(egress, receiver.url('/', 'a.test'))).toMatchObject({ reason: 'refused_address' });
    expect(new Set(receiver.requests.map(({ connection }) => connection)).size).toBe(1);
  });

  test('is not used again when the server has closed it', async () => {
    const receiver = await aReceiver();
    const egress = anEgress({ allow: '127.0.0.0/8' });
    await post(egress, receiver.url());
    receiver.dropConnections();
    await vi.waitFor(() => expect(egress.stats().connections).toBe(0), { timeout: 60_000 });
    expect(await post(egress, receiver.url())).toMatchObject({ type: 'answered', status: 200 });
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  test('whose end has arrived but was not read yet, because this process was busy, is not used again', async () => {
    const url = await aServerThatClosesAfterEachAnswer();
    const egress = anEgress({ allow: '127.0.0.0/8' });
    for (let i = 0; i < 3; i += 1) {
      expect(await post(egress, url)).toMatchObject({ type: 'answered', status: 200 });
      blockThisThread(50);
    }
  });

  test('that has to be dialled anew is checked anew', async () => {
    const url = (await aServerThatClosesAfterEachAnswer()).replace('127.0.0.1', 'localhost');
    const addresses = ['127.0.0.1', '10.0.0.1'];
    const egress = anEgress({
      allow: '127.0.0.0/8',
      lookup: async () => [{ address: addresses.shift() ?? '', family: 4 }],
    });
    expect(await post(egress, url)).toMatchObject({ type: 'answered', status: 200, address: '127.0.0.1' });
    blockThisThread(50);
    const exchange = await post(egress, url);
    expect(exchange).toMatchObject({ type: 'failed', reason: 'refused_address', requestSent: false });
    expect(exchange).not.toHaveProperty('address');
  });

  test('that is reset under a request fails it: nothing is sent twice', async () => {
    const receiver = await aReceiver({ respond: [200, { type: 'reset' }, 200] });
    const egress = anEgress({ allow: '127.0.0.0/8' });
    await post(egress, receiver.url());
    expect(await post(egress, receiver.url())).toMatchObject({ type: 'failed', reason: 'reset', requestSent: true });
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 1]);
    expect(await post(egress, receiver.url())).toMatchObject({ type: 'answered', status: 200 });
    expect(receiver.requests).toHaveLength(3);
  });

  test('is given up as early as the server asks', async () => {
    const receiver = await aReceiver({ respond: { type: 'respond', headers: { 'keep-alive': 'timeout=1' } } });
    const egress = anEgress({ allow: '127.0.0.0/8' });
    await post(egress, receiver.url());
    await post(egress, receiver.url());
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  test('is never shared with another instance', async () => {
    const receiver = await aReceiver();
    await post(anEgress({ allow: '127.0.0.0/8' }), receiver.url());
    expect(await post(anEgress(), receiver.url())).toMatchObject({ reason: 'refused_address' });
  });
});

describe('the number of connections', () => {
  test('to one origin is bounded: one request more is told that we are busy, and nothing is sent', async () => {
    const receiver = await aReceiver({ respond: { type: 'hang' } });
    const egress = anEgress({ allow: '127.0.0.0/8', connectionsPerOrigin: 2 });
    const hanging = [1, 2].map(() => post(egress, receiver.url(), { timeoutMs }));
    const refused = await post(egress, receiver.url());
    expect(refused).toEqual({ type: 'busy', message: 'all 2 connections to this host are in use' });
    for (const exchange of await Promise.all(hanging)) expect(exchange).toMatchObject({ reason: 'timeout' });
    receiver.respondWith(200);
    expect(await post(egress, receiver.url())).toMatchObject({ type: 'answered', status: 200 });
    expect(receiver.requests).toHaveLength(3);
  });

  test('of origins is bounded: the one unused for longest is closed', async () => {
    const receiver = await aReceiver({ certificateFor });
    const egress = anEgress({ allow: '127.0.0.0/8', lookup: namesAt('127.0.0.1'), maxOrigins: 2 });
    for (const host of ['a.test', 'b.test', 'a.test', 'c.test', 'a.test', 'b.test']) {
      expect(await post(egress, receiver.url('/', host))).toMatchObject({ status: 200 });
      expect(egress.stats().origins).toBeLessThanOrEqual(2);
    }
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 2, 1, 3, 1, 4]);
  });
});

/** In a thread of its own, so that it can close a connection while this one does not look. It says keep-alive, and lies. */
async function aServerThatClosesAfterEachAnswer(): Promise<string> {
  const source = `
    const { parentPort, workerData } = require('node:worker_threads');
    const server = require('node:https').createServer(workerData, (request, response) => {
      request.resume().on('end', () => response.end('ok', () => setTimeout(() => request.socket.destroy(), 5)));
    });
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
  `;
  const { certPem, keyPem } = testCa().issue(loopbackHosts);
  const worker = new Worker(source, { eval: true, workerData: { cert: certPem, key: keyPem } });
  onTestFinished(async () => void (await worker.terminate()));
  const [port] = await once(worker, 'message');
  return `https://127.0.0.1:${port}/`;
}

function blockThisThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
