import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pino } from 'pino';
import { Agent, request as sendRequest } from 'undici';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { serveTestEndpoint } from '../../src/service/test-endpoint.ts';
import { sendRequest as sendOfFlow } from '../../src/shared/external-requests/send-request.ts';
import { createSecrets } from '../../src/shared/platform/secrets/seal.ts';
import { anAccount } from '../helpers/accounts.ts';
import { createTestDatabase } from '../helpers/database.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { testCa } from '../helpers/tls.ts';
import { rendered } from '../shared/external-requests/builders.ts';
import { aReceiver, anEgress, namesAt, post } from '../shared/platform/egress/builders.ts';
import { reportAttack } from './report.ts';

const { db, drop } = await createTestDatabase();
const dataDir = tempFolder('endpoint');
const secrets = createSecrets(randomBytes(32));
const serve = async (limits = {}) => {
  const served = await serveTestEndpoint({ dataDir, db, secrets, log: pino({ level: 'silent' }), limits });
  return served ?? expect.fail('the port of the test endpoint is taken');
};
const served = await serve({ requestMs: 1_000, headMs: 1_000, checkEveryMs: 100 });
const { accountId } = await anAccount({ db, secrets });
const { url } = await served.endpoint.read(accountId);
const { origin, port: portText } = new URL(url);
const port = Number(portText);
afterAll(async () => {
  await served.stop();
  await drop();
  await rm(dataDir, { recursive: true, force: true });
});

const kept = () => served.endpoint.requests.list(accountId).requests.length;

/** A server with a certificate of the test endpoint, or another one; counts its connections. */
const aServer = async (at: { host: string; port: number }, tls: { cert: string; key: string }) => {
  const counted = { connections: 0, requests: 0 };
  const server = createServer(tls, (_, response) => {
    counted.requests += 1;
    response.end('{}');
  });
  server.on('connection', () => (counted.connections += 1));
  server.listen(at.port, at.host);
  await once(server, 'listening');
  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  onTestFinished(close);
  return Object.assign(counted, { port: (server.address() as AddressInfo).port, close });
};

/** The other addresses of this machine. */
const ownAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .map(({ address }) => address)
    .filter((address) => address !== '127.0.0.1');

const inUrl = (address: string): string => (address.includes(':') ? `[${address.split('%')[0]}]` : address);

const ownCertificate = async () => ({
  cert: await readFile(join(dataDir, 'test-endpoint', 'certificate.pem'), 'utf8'),
  key: await readFile(join(dataDir, 'test-endpoint', 'key.pem'), 'utf8'),
});

test('only the exact origin of the test endpoint is let through', async () => {
  const own = await ownCertificate();
  const decoys = [
    await aServer({ host: '127.0.0.1', port: 0 }, own),
    await aServer({ host: '127.0.0.2', port }, own),
    await aServer({ host: '::1', port }, own),
  ];
  // As Parley itself listens where HOST is no loopback address.
  const everywhere = await aServer({ host: '0.0.0.0', port: 0 }, own);
  decoys.push(everywhere);
  const path = new URL(url).pathname;
  const hosts = ['127.0.0.2', 'localhost', 'a.localhost', 'name.example', '127.1', '0x7f.1', '0177.0.0.1', '2130706433']
    .concat(['0x7f000001', '127.0.0.1.', '127.0.0.01', '0.0.0.0', '[::1]', '[::]', '[::ffff:127.0.0.1]'])
    .concat(['[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '%31%32%37.0.0.1', '127。0。0。1'])
    .concat([
      '127.0.1',
      '127.0.0.0x1',
      '017700000001',
      '0x7f.0.0.1',
      '0',
      '[0:0:0:0:0:ffff:127.0.0.1]',
      'localhost.',
      'a.localhost.',
    ])
    .concat(ownAddresses().map(inUrl));
  const urls = [
    ...hosts.map((host) => `https://${host}:${port}${path}`),
    `https://127.0.0.1:${decoys[0]?.port}${path}`,
    ...['127.0.0.1', '0.0.0.0', ...ownAddresses().map(inUrl)].map(
      (host) => `https://${host}:${everywhere.port}${path}`,
    ),
    `https://127.0.0.1${path}`,
    `https://127.0.0.1:0${port}${path}`,
    `http://127.0.0.1:${port}${path}`,
    `HTTPS://127.0.0.1:${port}${path}`,
    `https://user@127.0.0.1:${port}${path}`,
    `https://127.0.0.1:${port}@name.example${path}`,
    `https:/127.0.0.1:${port}${path}`,
    `https:127.0.0.1:${port}${path}`,
    `https:\\\\127.0.0.1:${port}${path}`,
    ` https://127.0.0.1:${port}${path}`,
    `https://127.0.0.1:\t${port}${path}`,
    `https://127.0.0.1:${port}\\${path}`,
    `https://127.0.0.1:${port}?${path}`,
  ];
  const egress = anEgress({ findOwn: served.find, lookup: namesAt('127.0.0.1', '::1') });
  const taken: string[] = [];
  for (const wrong of urls) {
    const check = await egress.checkUrl({ accountId, url: wrong });
    const called = await post(egress, wrong).catch(() => ({ type: 'failed' }));
    if (check.ok || called.type !== 'failed' || egress.refuseUrl(`${new URL(wrong).origin}/x`) === undefined) {
      // What a name resolves to is not plain to see.
      if (
        check.ok ||
        called.type !== 'failed' ||
        !/name\.example|localhost|127\.0\.0\.1:\d+$/.test(new URL(wrong).origin)
      )
        taken.push(wrong);
    }
  }
  expect(taken).toEqual([]);
  const through = kept() + decoys.reduce((sum, { connections }) => sum + connections, 0);
  await reportAttack('besideTestEndpoint', { tried: 2 * urls.length, through });
  expect(await egress.checkUrl({ accountId, url })).toEqual({ ok: true });
  expect(await post(egress, url)).toMatchObject({ type: 'answered', status: 200 });
});

test('no redirect leads to the test endpoint, and none from it', async () => {
  served.endpoint.requests.clear(accountId);
  const statuses = [301, 302, 303, 307, 308];
  let through = 0;
  const ask = async (egress: ReturnType<typeof anEgress>, to: string) =>
    sendOfFlow(egress, rendered({ method: 'POST', url: to, body: '{}' }), {
      accountId,
      credentials: new Map(),
      timeoutMs: 5_000,
      followRedirects: true,
    });
  const token = new URL(url).pathname;
  const spellings = [
    url,
    `//127.0.0.1:${port}${token}`,
    `https://2130706433:${port}${token}`,
    `https://0x7f.1:${port}${token}`,
  ]
    .concat([`https://0177.0.0.1:${port}${token}`, `https://[::ffff:127.0.0.1]:${port}${token}`])
    .concat([
      `https://127.0.0.1.:${port}${token}`,
      `HTTPS://127.0.0.1:0${port}${token}`,
      `https:\\\\127.0.0.1:${port}${token}`,
    ])
    .concat([`https://localhost:${port}${token}`, `https://127.0.0.1.example:${port}${token}`]);
  for (const status of statuses) {
    const receiver = await aReceiver({
      respond: ({ path }) => ({
        type: 'respond',
        status,
        headers: {
          location: path.startsWith('/two') ? path.replace('/two', '/') : (spellings[Number(path.slice(1))] ?? url),
        },
      }),
    });
    // A name that resolves to this machine is let through as far as the operator lets it.
    const egress = anEgress({
      allow: `127.0.0.1:${receiver.port}`,
      findOwn: served.find,
      lookup: namesAt('127.0.0.1'),
    });
    for (const place of spellings.keys())
      for (const path of [`/${place}`, `/two${place}`]) {
        const result = await ask(egress, receiver.url(path));
        if (result.type !== 'failed' || result.reason !== 'refused_address') through += 1;
      }
  }
  through += kept();
  const elsewhere = await aReceiver();
  const egress = anEgress({ allow: `127.0.0.1:${elsewhere.port}`, findOwn: served.find });
  for (const status of [300, ...statuses]) {
    await served.endpoint.change(accountId, { status, body: elsewhere.url('/') });
    const result = await ask(egress, url);
    if (result.type !== 'answered' || result.response.status !== status) through += 1;
  }
  through += elsewhere.requests.length;
  await served.endpoint.change(accountId, { status: 200 });
  expect(kept()).toBeLessThanOrEqual(6);
  await reportAttack('redirectedToTestEndpoint', { tried: (2 * spellings.length + 1) * statuses.length + 1, through });
});

test('the certificate of the test endpoint is trusted at no other address', async () => {
  const other = await aServer({ host: '127.0.0.1', port: 0 }, await ownCertificate());
  const egress = anEgress({ allow: `127.0.0.1:${other.port}`, findOwn: served.find });
  const exchange = await post(egress, `https://127.0.0.1:${other.port}/`);
  expect(exchange).toMatchObject({ type: 'failed', reason: 'tls' });
  await reportAttack('strayTestCertificate', { tried: 1, through: other.requests });
});

test('the test endpoint listens at 127.0.0.1 alone, whatever other addresses this machine has', async () => {
  for (const host of [...ownAddresses(), '127.0.0.2', '::1']) {
    const socket = connect({ host, port });
    const outcome = await Promise.race([
      once(socket, 'connect').then(() => 'connected'),
      once(socket, 'error').then(() => 'refused'),
    ]).catch(() => 'refused');
    socket.destroy();
    expect(`${host} ${outcome}`).toBe(`${host} refused`);
  }
});

const client = (connections: number) => {
  const agent = new Agent({ connections, connect: { rejectUnauthorized: false } });
  onTestFinished(() => agent.destroy());
  return async (to: string, body: string | Readable = '{}') => {
    const answer = await sendRequest(to, { method: 'POST', body, dispatcher: agent });
    await answer.body.dump();
    return answer.statusCode;
  };
};

test('guessed paths and other accounts learn nothing of an account’s requests', async () => {
  served.endpoint.requests.clear(accountId);
  const send = client(100);
  await send(url);
  const guesses = Array.from({ length: 1_000 }, (_, index) =>
    index % 2 === 0 ? randomBytes(32).toString('base64url') : `${new URL(url).pathname.slice(1, -2)}${index % 10}_`,
  );
  const statuses = await Promise.all(guesses.map((token) => send(`${origin}/${token}`)));
  const stranger = await anAccount({ db, secrets });
  const { requests } = served.endpoint;
  const [first] = requests.list(accountId).requests;
  const told = [requests.find(stranger.accountId, first?.id ?? ''), ...requests.list(stranger.accountId).requests];
  const through =
    statuses.filter((status) => ![404, 503].includes(status)).length + told.filter(Boolean).length + kept() - 1;
  await reportAttack('strangersAtTestEndpoint', { tried: guesses.length + 2, through });
  expect(await send(url)).toBe(200);
});

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

/** What is still in use, in bytes. */
const heldBytes = (): number => {
  if (typeof collectGarbage === 'function') collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

test('floods of requests, bodies and connections take bounded memory, and no answer is a refusal', async () => {
  await served.endpoint.change(accountId, { status: 202, body: null });
  const before = heldBytes();
  const send = client(50);
  const body = 'x'.repeat(4_096);
  let [sent, wrong] = [0, 0];
  const sendOn = async (): Promise<void> => {
    while (sent < 10_000) {
      sent += 1;
      if ((await send(url, body)) !== 202) wrong += 1;
    }
  };
  await Promise.all(Array.from({ length: 50 }, sendOn));
  const stats = served.endpoint.stats();
  expect(stats.requests).toBeLessThanOrEqual(100);

  async function* endless() {
    for (;;) yield body;
  }
  async function* silent() {
    yield 'x';
    await new Promise(() => {});
  }
  const ended = (promise: Promise<unknown>) => promise.then(String, () => 'cut off');
  const outcomes = await Promise.all([
    ...Array.from({ length: 10 }, () => ended(send(url, Readable.from(endless())))),
    ...Array.from({ length: 10 }, () => ended(client(1)(url, Readable.from(silent())))),
  ]);
  wrong += outcomes.filter((outcome) => !['202', '408', 'cut off'].includes(outcome)).length;

  const sockets = Array.from({ length: 1_000 }, () =>
    connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false })
      .on('error', () => {})
      .resume(),
  );
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  const grownMiB = Math.round((heldBytes() - before) / 1_048_576);
  if (grownMiB > 32) wrong += 1;
  const tried = 10_000 + outcomes.length + sockets.length;
  await reportAttack('testEndpointFlood', { tried, through: wrong, note: `here ${grownMiB} MiB, with the clients` });
  expect(await client(1)(url)).toBe(202);
});

test('whoever takes the port after the test endpoint has stopped is sent nothing', async () => {
  const other = await serve().catch(() => undefined);
  expect(other).toBeUndefined();
  const egress = anEgress({ findOwn: served.find });
  // The exception of a process that has not noticed yet: the certificate alone decides.
  const stale = served.find();
  const unaware = anEgress({ findOwn: () => stale });
  expect(await post(egress, url)).toMatchObject({ type: 'answered' });
  await served.stop();
  const trusted = testCa().issue(['127.0.0.1']);
  const selfSigned = testCa().issue(['127.0.0.1'], { selfSigned: true });
  let [tried, through] = [0, 0];
  for (const { certPem, keyPem } of [trusted, selfSigned]) {
    const server = await aServer({ host: '127.0.0.1', port }, { cert: certPem, key: keyPem });
    const refused = await post(egress, url);
    if (refused.type !== 'failed' || refused.reason !== 'refused_address') through += 1;
    if (server.connections > 0) through += 1;
    const distrusted = await post(unaware, url);
    if (distrusted.type !== 'failed' || distrusted.reason !== 'tls') through += 1;
    through += server.requests;
    tried += 2;
    await server.close();
  }
  const copy = await aServer({ host: '127.0.0.1', port }, await ownCertificate());
  if ((await post(egress, url)).type !== 'failed') through += 1;
  if ((await egress.checkUrl({ accountId, url })).ok) through += 1;
  await reportAttack('seizedTestEndpoint', { tried: tried + 2, through: through + copy.connections });
});
