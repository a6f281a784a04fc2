import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Agent, fetch } from 'undici';
import { afterAll, expect, test, vi } from 'vitest';
import { endWithUs } from '../../src/shared/platform/embedded/server-process.ts';
import { signDelivery } from '../../src/shared/signing/signature.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

const script = fileURLToPath(new URL('../../scripts/receiver.ts', import.meta.url));
const dataDir = tempFolder('receiver');
const opened = new AsyncDisposableStack();
afterAll(async () => {
  await opened.disposeAsync();
  await rm(dataDir, { recursive: true, force: true });
});

/** A receiver as `npm run receiver` starts it, which can be told things and POSTed to by somebody who trusts what it says. */
const startReceiver = async (env: Record<string, string> = {}) => {
  const child = spawn(process.execPath, [script, '--port', '0'], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.once('exit', endWithUs(child.pid ?? 0));
  opened.defer(async () => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const said = (text: string) => vi.waitUntil(() => lines.find((line) => line.includes(text)), { timeout: 20_000 });
  await said('fine  ');
  const url = /https:\S+/.exec(await said('Your endpoint'))?.[0] ?? '';
  const settings = /EGRESS_ALLOW=(?<allowed>\S+) EGRESS_CA_FILE=(?<caFile>\S+) npm start/.exec(await said('npm start'));
  const { allowed = '', caFile = '' } = settings?.groups ?? {};
  const ca = await readFile(caFile, 'utf8');
  const dispatcher = new Agent({ connect: { ca } });
  opened.defer(() => dispatcher.close());
  return {
    url,
    allowed,
    caFile,
    ca,
    dispatcher,
    said,
    tell: async (line: string, reply: string) => {
      const before = lines.length;
      child.stdin.write(`${line}\n`);
      await vi.waitUntil(() => lines.slice(before).some((said) => said.includes(reply)), { timeout: 20_000 });
    },
    post: async (body: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(url, { method: 'POST', body, headers, dispatcher });
      return { status: answer.status, text: await answer.text() };
    },
  };
};

const event = (id: string): string =>
  JSON.stringify({
    id,
    event: 'new_contact',
    timestamp: '2026-01-01T00:00:00.000Z',
    data: { contact_id: 'con_1', channel: 'api', contact: {} },
  });
const sign = (secret: string, id: string, secondsAgo = 0): Record<string, string> =>
  signDelivery({
    secret,
    body: Buffer.from(event(id)),
    id,
    timestampSeconds: Math.floor(Date.now() / 1000) - secondsAgo,
  });

test('a receiver for a first look answers the challenge, knows right signatures from wrong ones, and fails when it is told to', async () => {
  const receiver = await startReceiver();
  expect(receiver.url).toBe(`https://localhost:${receiver.allowed.split(':')[1]}/hook`);
  expect(receiver.allowed).toMatch(/^127\.0\.0\.1:\d+$/);
  expect(receiver.caFile).toBe(join(dataDir, 'receiver', 'ca.pem'));

  // Before it knows a secret: challenges, and events of which it says that nobody has checked them.
  expect(await receiver.post('{"challenge":"chl_1"}')).toMatchObject({
    status: 200,
    text: expect.stringContaining('chl_1'),
  });
  expect((await receiver.post(event('dlv_1'), sign('whsec_bXktc2VjcmV0', 'dlv_1'))).status).toBe(200);
  await receiver.said('not verified: the receiver has no secret');
  await receiver.said('Delivery taken: your endpoint, new_contact, dlv_1');

  await receiver.tell('secret whsec_bXktc2VjcmV0', 'The receiver verifies signatures now.');
  expect((await receiver.post(event('dlv_2'), sign('whsec_bXktc2VjcmV0', 'dlv_2'))).status).toBe(200);
  await receiver.said('Delivery verified: your endpoint, new_contact, dlv_2');
  expect((await receiver.post(event('dlv_3'), sign('another', 'dlv_3'))).status).toBe(401);
  await receiver.said('WRONG');

  await receiver.tell('fail', 'The receiver answers 503');
  expect((await receiver.post(event('dlv_4'), sign('whsec_bXktc2VjcmV0', 'dlv_4'))).status).toBe(503);
  await receiver.tell('fail 410', 'The receiver answers 410');
  expect((await receiver.post(event('dlv_4'), sign('whsec_bXktc2VjcmV0', 'dlv_4'))).status).toBe(410);
  await receiver.tell('fine', 'The receiver answers 200 again');
  expect((await receiver.post(event('dlv_4'), sign('whsec_bXktc2VjcmV0', 'dlv_4'))).status).toBe(200);
  await receiver.tell('fail 200', 'Unknown command');
});

test('a receiver that is started again has the certificate that Parley trusts already', async () => {
  const first = await startReceiver();
  const second = await startReceiver();
  expect(second.ca).toBe(first.ca);
  expect((await second.post('{"challenge":"chl_2"}')).status).toBe(200);
});

test('a receiver that is started with a secret takes each delivery once, and none that was signed long ago', async () => {
  const receiver = await startReceiver({ SECRET: 'another, the-secret' });
  expect((await receiver.post(event('dlv_5'), sign('the-secret', 'dlv_5'))).status).toBe(200);
  await receiver.said('Delivery verified: your endpoint, new_contact, dlv_5');
  expect((await receiver.post(event('dlv_5'), sign('the-secret', 'dlv_5'))).status).toBe(200);
  await receiver.said('200 but ignored: dlv_5 was received before');
  expect((await receiver.post(event('dlv_6'), sign('the-secret', 'dlv_6', 299))).status).toBe(200);
  expect((await receiver.post(event('dlv_7'), sign('the-secret', 'dlv_7', 302))).status).toBe(401);
  expect((await receiver.post(event('dlv_8'))).status).toBe(401);
});

test('a receiver takes POSTs alone, goes on after one that breaks off, and is reached from this machine alone', async () => {
  const receiver = await startReceiver();
  const { dispatcher, url } = receiver;
  expect((await fetch(url, { dispatcher })).status).toBe(405);
  async function* half() {
    yield '{"challenge"';
    throw new Error('broken off');
  }
  await expect(fetch(url, { method: 'POST', body: Readable.from(half()), duplex: 'half', dispatcher })).rejects.toThrow(
    'fetch failed',
  );
  await receiver.said('the request failed here');
  expect((await receiver.post('{"challenge":"chl_3"}')).status).toBe(200);
  // Whoever listens everywhere listens at this address, too.
  const elsewhere = connect(Number(new URL(url).port), '127.0.0.2');
  await expect(once(elsewhere, 'connect')).rejects.toThrow(/ECONNREFUSED|EADDRNOTAVAIL/);
});
