import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { parseEgressAllow } from '../../src/shared/platform/egress/addresses.ts';
import { createEgress } from '../../src/shared/platform/egress/client.ts';
import { pickPort } from '../../src/shared/platform/embedded/ports.ts';
import { endWithUs } from '../../src/shared/platform/embedded/server-process.ts';
import { signDelivery } from '../../src/shared/signing/signature.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../../', import.meta.url));
const document = await readFile(join(project, 'docs/receiving.md'), 'utf8');
const blocks = [...document.matchAll(/```sh\n([^]+?)```/g)].map(([, code = '']) => code);

/** The block of shell lines that has this text in it. */
const blockWith = (text: string): string => {
  const block = blocks.find((code) => code.includes(text));
  if (block === undefined) throw new Error(`docs/receiving.md has no block with ${text}`);
  return block;
};

const aFolder = (name: string): string => {
  const folder = tempFolder(name);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

test('the receiver for this machine works as pasted, with the certificate and the two settings that the page names', async () => {
  const folder = aFolder('receiver');
  const port = await pickPort();
  await writeFile(join(folder, 'lines.sh'), `set -e\n${blockWith('receiver.mjs')}`);
  const receiver = spawn('sh', ['lines.sh'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], PORT: String(port) },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  receiver.once('exit', endWithUs(-(receiver.pid ?? 0)));
  onTestFinished(() => void process.kill(-(receiver.pid ?? 0), 'SIGKILL'));
  const lines: string[] = [];
  const reader = createInterface({ input: receiver.stdout });
  reader.on('line', (line) => lines.push(line));
  await once(reader, 'line');
  expect(lines).toEqual([`listening on https://localhost:${port}/`]);

  const [, address = ''] = /EGRESS_ALLOW=(\S+)/.exec(document) ?? [];
  expect(address).toBe('127.0.0.1:8443');
  const egress = createEgress({
    allow: parseEgressAllow(address.replace('8443', String(port))),
    extraCa: await readFile(join(folder, 'cert.pem'), 'utf8'),
  });
  onTestFinished(() => egress.close());
  const [, secret = ''] = /^SECRET=(\S+) node/m.exec(document) ?? [];
  const body = Buffer.from('{"event":"new_message"}');
  const send = (key: string) =>
    egress.post({
      accountId: 'acme',
      url: `https://localhost:${port}/hook`,
      headers: { ...signDelivery({ secret: key, body, id: 'dlv_1', timestampSeconds: 1 }) },
      body,
      timeoutMs: 10_000,
      maxBodyBytes: 100,
    });
  expect(await send(secret)).toMatchObject({ status: 200 });
  expect(await send('another')).toMatchObject({ status: 401 });
  expect(lines.slice(1)).toEqual([`verified ${String(body)}`, `NOT VERIFIED ${String(body)}`]);
});

test('a secret made as the page says is taken by a ready-made verifier of Standard Webhooks', async () => {
  const { stdout } = await run('sh', ['-c', blockWith('whsec_$(openssl')]);
  const secret = stdout.trim();
  const body = Buffer.from('{"event":"new_message"}');
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const { ...headers } = signDelivery({ secret, body, id: 'dlv_1', timestampSeconds });
  expect(new Webhook(secret).verify(body, headers)).toEqual({ event: 'new_message' });
  expect(() => new Webhook(secret).verify('{"event":"another"}', headers)).toThrow(/signature/);
});

test('the package is built and installed as the page says', async () => {
  const folder = aFolder('verify-installed');
  await run('npm', ['pack', './packages/verify', '--pack-destination', folder], { cwd: project });
  const [file = ''] = await readdir(folder);
  expect(blockWith('npm install')).toContain('dist/parley-verify-*.tgz');
  expect(file).toMatch(/^parley-verify-\d+\.\d+\.\d+\.tgz$/);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${file}`], { cwd: folder });
  const check = "const { verifyWebhook } = await import('@parley/verify'); console.log(typeof verifyWebhook)";
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', check], { cwd: folder });
  expect(stdout).toBe('function\n');
});
