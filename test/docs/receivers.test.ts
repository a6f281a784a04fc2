import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Variant } from '../../src/shared/facts/names.ts';
import { showId } from '../../src/shared/ids.ts';
import { parseEgressAllow } from '../../src/shared/platform/egress/addresses.ts';
import { createEgress } from '../../src/shared/platform/egress/client.ts';
import { pickPort } from '../../src/shared/platform/embedded/ports.ts';
import { endWithUs } from '../../src/shared/platform/embedded/server-process.ts';
import { sendChallenge } from '../../src/shared/webhooks/challenge.ts';
import { signDelivery } from '../../src/shared/signing/signature.ts';
import { forVariant } from '../../src/web/pages/webhooks/receivers/for-variant.ts';
import { startDeliveryWorld } from '../helpers/delivery-world.ts';
import { startReceiver, type Answer } from '../helpers/receiver.ts';
import { retireWebhooks } from '../helpers/states/webhooks.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { testCa } from '../helpers/tls.ts';

const receivers = fileURLToPath(new URL('../../src/web/pages/webhooks/receivers/', import.meta.url));

type Language = { file: string; command: string; argumentsOf: (path: string, port: number) => string[] };

const languages: Language[] = [
  { file: 'receiver.mjs', command: process.execPath, argumentsOf: (path) => [path] },
  { file: 'receiver.py', command: 'python3', argumentsOf: (path) => [path] },
  { file: 'receiver.php', command: 'php', argumentsOf: (path, port) => ['-S', `127.0.0.1:${port}`, path] },
];

/** Those whose interpreter is on this machine: Node's always is, PHP's is not where CI runs. */
const runnable = languages.filter(({ command }) => spawnSync(command, ['--version']).status === 0);

const world = await startDeliveryWorld();
afterAll(() => world.stop());

/** The receiver of a page, started as its first lines say. */
const start = async (
  { file, command, argumentsOf }: Language,
  variant: Variant,
  secret: string,
  settings: NodeJS.ProcessEnv = {},
) => {
  const folder = tempFolder('receiver');
  const path = join(folder, file);
  writeFileSync(path, forVariant(readFileSync(join(receivers, file), 'utf8'), variant));
  const port = await pickPort();
  const own = { WEBHOOK_SECRET: secret, PORT: String(port), TAKEN_FOLDER: join(folder, 'taken') };
  const env = { ...process.env, ...own, ...settings };
  const child = spawn(command, argumentsOf(path, port), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  child.once('exit', endWithUs(child.pid ?? 0));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true });
  });
  const url = `http://127.0.0.1:${port}/hook`;
  const answers = () => fetch(url).catch(() => undefined);
  await vi.waitUntil(async () => child.exitCode !== null || (await answers()), { timeout: 60_000, interval: 50 });
  const send = (body: Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
    fetch(url, { method: 'POST', body, headers });
  return { send, output: () => output, hasExited: () => child.exitCode !== null };
};

type Running = Awaited<ReturnType<typeof start>>;

/** An HTTPS server before the receiver, as it has in production. */
const behindHttps = async ({ send }: Running) => {
  const proxy = await startReceiver({
    respond: async ({ rawBody, headers }): Promise<Answer> => {
      const names = ['x-service-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
      const answer = await send(
        Uint8Array.from(rawBody),
        Object.fromEntries(names.map((name) => [name, String(headers[name])])),
      );
      return { type: 'respond', status: answer.status, body: await answer.text() };
    },
  });
  onTestFinished(() => proxy.close());
  return proxy.url('/hook');
};

const nowSeconds = (): number => Math.floor(Date.now() / 1000);
const count = (text: string, part: string): number => text.split(part).length - 1;

const accountSecret = async (): Promise<string> => {
  const [row] = await world.db<{ webhookSecret: Uint8Array }[]>`
    select webhook_secret from accounts where id = ${world.accountId}`;
  return world.secrets.open(row?.webhookSecret ?? Buffer.of(), {
    accountId: world.accountId,
    rowId: world.accountId,
  });
};

describe.each(runnable)('$file', (language) => {
  test.each(['api', 'dashboard'] as const)(
    'takes what Parley sends it, each delivery once, and answers its challenge: of the variant %s',
    async (variant) => {
      const secret = variant === 'api' ? 'a secret of the caller' : await accountSecret();
      const running = await start(language, variant, secret);
      const url = await behindHttps(running);
      const egress = createEgress({ allow: parseEgressAllow('127.0.0.0/8'), extraCa: testCa().certPem });
      onTestFinished(() => egress.close());
      const check = await sendChallenge(egress, { accountId: 'acme', url, secret });
      expect(check).toMatchObject({ status: 200, ok: variant === 'dashboard' });

      await retireWebhooks(world.db);
      await world.aWebhook({ url, variant, secret });
      const [id = ''] = await world.anEvent('Grüße 👋');
      const deliveryId = showId('delivery', id);
      await world.attempt({ deliveryId, round: 1, kind: 'scheduled', number: 1 });
      expect((await world.delivery(id)).status).toBe('delivered');
      const told = `received ${deliveryId} new_message`;
      await vi.waitUntil(() => running.output().includes(told), { timeout: 60_000, interval: 20 });

      // The next attempt, as after an answer that was lost, and another delivery, whose line comes after that of a repeated one.
      const { body } = await world.delivery(id);
      const sign = (as: string) => signDelivery({ secret, body, id: as, timestampSeconds: nowSeconds() });
      expect((await running.send(Uint8Array.from(body), sign(deliveryId))).status).toBe(200);
      expect((await running.send(Uint8Array.from(body), sign('dlv_other'))).status).toBe(200);
      await vi.waitUntil(() => running.output().includes('received dlv_other'), { timeout: 60_000, interval: 20 });
      expect(count(running.output(), told)).toBe(1);
    },
  );

  test.each(['a secret of the caller', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_no base64'])(
    'refuses what was changed, is old, or is signed by another secret: of %s',
    async (secret) => {
      const { send, output } = await start(language, 'api', secret);
      const body = Uint8Array.from(Buffer.from('{"event":"new_contact","id":"dlv_1"}'));
      const sign = (changes: Partial<Parameters<typeof signDelivery>[0]> = {}) =>
        signDelivery({ secret, body, id: 'dlv_1', timestampSeconds: nowSeconds(), ...changes });
      const statusOf = async (headers: Record<string, string>, bytes = body) => (await send(bytes, headers)).status;
      const without = (name: string) => Object.fromEntries(Object.entries(sign()).filter(([one]) => one !== name));

      expect(await statusOf(sign(), Uint8Array.from(Buffer.from('{"event":"new_contact", "id":"dlv_1"}')))).toBe(401);
      expect(await statusOf(sign({ timestampSeconds: nowSeconds() - 330 }))).toBe(401);
      expect(await statusOf(sign({ timestampSeconds: nowSeconds() + 330 }))).toBe(401);
      expect(await statusOf(sign({ secret: 'another' }))).toBe(401);
      expect(await statusOf({})).toBe(401);
      expect(await statusOf(without('X-Service-Signature'))).toBe(401);
      expect(await statusOf(without('webhook-signature'))).toBe(401);
      // What the signature of Standard Webhooks covers beside the body.
      expect(await statusOf({ ...sign(), 'webhook-id': 'dlv_2' })).toBe(401);
      const fresh = { 'webhook-timestamp': String(nowSeconds()) };
      expect(await statusOf({ ...sign({ timestampSeconds: nowSeconds() - 330 }), ...fresh })).toBe(401);
      expect(output()).not.toContain('received');

      expect(await statusOf(sign({ timestampSeconds: nowSeconds() - 200 }))).toBe(200);
      // For a day after the secret was changed, a receiver that still has the one before.
      expect(await statusOf(sign({ id: 'dlv_3', secret: 'a new one', previousSecret: secret }))).toBe(200);
      await vi.waitUntil(() => output().includes('received dlv_3'), { timeout: 60_000, interval: 20 });
    },
  );

  test('without a secret it takes nothing', async () => {
    const { send, hasExited } = await start(language, 'api', '');
    const body = Uint8Array.from(Buffer.from('{"event":"new_contact"}'));
    // With an empty key anybody can sign.
    const headers = signDelivery({ secret: '', body, id: 'dlv_1', timestampSeconds: nowSeconds() });
    const status = hasExited() ? undefined : (await send(body, headers)).status;
    expect([undefined, 500]).toContain(status);
  });
});

/** Those that keep in files what they have taken. */
const keepers = runnable.filter(({ file }) => file === 'receiver.php');

test.each(keepers)('$file refuses what it cannot keep, so that it comes again', async (language) => {
  const secret = 'a secret of the caller';
  // There is no folder below a file.
  const { send } = await start(language, 'api', secret, { TAKEN_FOLDER: join(receivers, language.file, 'taken') });
  const body = Uint8Array.from(Buffer.from('{"event":"new_contact","id":"dlv_1"}'));
  const headers = signDelivery({ secret, body, id: 'dlv_1', timestampSeconds: nowSeconds() });
  expect((await send(body, headers)).status).toBe(500);
});
