import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { parley as parleyCli } from './cli/parley.ts';
import { startParley, type ParleyProcess } from './helpers/parley-process.ts';
import { startReceiver, verifySignature, type Receiver } from './helpers/receiver.ts';
import { tempFolder } from './helpers/temp-folder.ts';

describe('npm start', () => {
  /** A data folder of a service that has been stopped. */
  let stopped: string;

  beforeAll(async () => {
    stopped = tempFolder('stopped');
    await (await startParley({ env: { DATA_DIR: stopped } })).stop();
    // The ports that were its own; each copy picks others.
    rmSync(join(stopped, 'run'), { recursive: true });
  });
  afterAll(() => rmSync(stopped, { recursive: true }));

  const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

  const aNewFolder = (): string => {
    const folder = tempFolder('start');
    onTestFinished(() => remove(folder));
    return folder;
  };

  /** With the account, the key and the servers' data of a service that ran before. */
  const copyStopped = (to: string): string => {
    execFileSync('cp', ['-a', `${stopped}/.`, to]);
    return to;
  };

  const start = async (DATA_DIR: string, env: Record<string, string> = {}): Promise<ParleyProcess> => {
    const parley = await startParley({ env: { DATA_DIR, ...env } });
    onTestFinished(async () => void (await parley.stop()));
    return parley;
  };

  /** The servers that run on this data folder. */
  const serversOn = async (folder: string): Promise<string[]> => {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const commands = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
    return (await Promise.all(commands)).filter((command) => command.includes(folder));
  };

  const credentialsIn = (dataDir: string): string => readFileSync(join(dataDir, 'first-account.txt'), 'utf8');
  const apiKeyIn = (dataDir: string): string => /API key\s+(\S+)/.exec(credentialsIn(dataDir))?.[1] ?? '';

  const askMe = ({ url }: ParleyProcess, dataDir: string): Promise<Response> =>
    fetch(`${url}/api/accounts/me`, { headers: { 'x-access-token': apiKeyIn(dataDir) } });

  test('makes an account on plan pro, whose key is in a file of its own and works; SIGTERM leaves nothing running', async () => {
    const dataDir = aNewFolder();
    const parley = await start(dataDir);
    expect(statSync(join(dataDir, 'first-account.txt')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'master.key')).mode & 0o777).toBe(0o600);
    expect(parley.lines.join('\n')).not.toContain(apiKeyIn(dataDir));

    const me = await askMe(parley, dataDir);
    expect(me.status).toBe(200);
    expect(await me.json()).toMatchObject({ plan: 'pro' });
    const [, base = '', token] = /Sign in +(\S+)\/sign-in#token=(\S+)/.exec(credentialsIn(dataDir)) ?? [];
    expect(parley.lines.join('\n')).not.toContain(token);
    const signedIn = await fetch(`${parley.url}/dashboard/api/session/link`, {
      method: 'POST',
      headers: { origin: base, 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    expect(await signedIn.json()).toMatchObject({ user: { role: 'owner' }, installation: { base_url: base } });
    for (const url of [parley.url, parley.metricsUrl]) {
      const ready = await fetch(`${url}/health/ready`);
      expect(await ready.json()).toMatchObject({ status: 'up', postgres: 'up', temporal: 'up', worker: 'up' });
    }

    expect(await serversOn(dataDir)).not.toEqual([]);
    expect(await parley.stop()).toBe(0);
    expect(await serversOn(dataDir)).toEqual([]);
  });

  test('a second one on the same data folder is refused; the first one goes on, until Ctrl-C, which arrives twice below npm, stops everything in order', async () => {
    const dataDir = copyStopped(aNewFolder());
    const { url, child, lines } = await start(dataDir);
    await expect(start(dataDir)).rejects.toThrow(/already/i);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);

    child.kill('SIGINT');
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    expect(lines.at(-1)).toBe('Stopped.');
    expect(await serversOn(dataDir)).toEqual([]);
  });

  test('two that start at the same moment take ports of their own, say which, and keep them', async () => {
    const folders = [copyStopped(aNewFolder()), copyStopped(aNewFolder())];
    const unset = { PORT: '', METRICS_PORT: '' };
    const addressesOf = ({ lines }: ParleyProcess): string[] => {
      const said = lines.join('\n');
      return [/^Parley serves (\S+)$/m, /^Metrics +(\S+)\/metrics$/m].map((line) => line.exec(said)?.[1] ?? '');
    };
    const both = await Promise.all(folders.map((folder) => start(folder, unset)));
    await vi.waitUntil(() => both.every((parley) => addressesOf(parley).every(Boolean)), { timeout: 60_000 });
    const addresses = both.map(addressesOf);
    expect(new Set(addresses.flat()).size).toBe(4);
    for (const url of addresses.flat()) expect((await fetch(`${url}/health/live`)).status).toBe(200);

    await Promise.all(both.map(({ stop }) => stop()));
    const again = await start(folders[1] ?? '', unset);
    await vi.waitUntil(() => addressesOf(again).every(Boolean), { timeout: 60_000 });
    expect(addressesOf(again)).toEqual(addresses[1]);
  });

  test('after SIGKILL the next start goes on with the same data in seconds, and makes no second account', async () => {
    const dataDir = copyStopped(aNewFolder());
    const first = await start(dataDir);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const since = Date.now();
    const second = await start(dataDir);
    // Below five on a machine of its own; here other tests run beside it.
    expect(Date.now() - since).toBeLessThan(60_000);
    expect(second.lines.join('\n')).not.toContain('Your account');
    expect((await askMe(second, dataDir)).status).toBe(200);
  });

  test('a master key that opens nothing of what is stored is refused at the start', async () => {
    const dataDir = copyStopped(aNewFolder());
    const another = { MASTER_KEY: 'ab'.repeat(32) };
    await expect(start(dataDir, another)).rejects.toThrow('MASTER_KEY does not open the secret');
    expect(await serversOn(dataDir)).toEqual([]);
  });

  test('wrong settings are all named at once, in plain lines, before anything is started', async () => {
    const dataDir = aNewFolder();
    await expect(start(dataDir, { LOG_LEVEL: 'loud', RATE_LIMIT_PER_MINUTE: 'many' })).rejects.toThrow(
      /^These settings are wrong:\n {2}RATE_LIMIT_PER_MINUTE .*\n {2}LOG_LEVEL /,
    );
    expect(await readdir(dataDir)).toEqual([]);
  });

  describe('that delivers', () => {
    const secret = 'a-secret-that-is-long-enough';
    const withId = z.object({ id: z.string() });
    let dataDir: string;
    let parley: ParleyProcess;
    let receiver: Receiver;
    let channel: string;

    const post = (path: string, body: object): Promise<Response> =>
      fetch(`${parley.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKeyIn(dataDir)}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });

    const addWebhook = async (path: string): Promise<void> => {
      const hook = { url: receiver.url(path), events: ['new_message'], secret };
      expect((await post('/v1/webhooks', hook)).status).toBe(201);
    };

    /** Hands a message in. */
    const say = (text: string): Promise<Response> => {
      const sender = { external_id: 'ada', first_name: 'Ada' };
      return post(`/v1/channels/${channel}/inbound`, { message_id: text, sender, text });
    };

    /** The texts that a webhook has got, in order. */
    const receivedAt = (path: string): (string | undefined)[] =>
      receiver.requests
        .filter((request) => request.path === path)
        .map(({ rawBody }) => /"text":"([^"]*)"/.exec(String(rawBody))?.[1]);

    const sayAndReceive = async (text: string, ...paths: string[]): Promise<void> => {
      expect((await say(text)).ok).toBe(true);
      await receiver.waitFor(() => paths.every((path) => receivedAt(path).includes(text)));
    };

    beforeAll(async () => {
      dataDir = copyStopped(tempFolder('start'));
      receiver = await startReceiver();
      const EGRESS_CA_FILE = join(dataDir, 'ca.pem');
      writeFileSync(EGRESS_CA_FILE, receiver.caPem);
      parley = await startParley({ env: { DATA_DIR: dataDir, EGRESS_ALLOW: '127.0.0.0/8', EGRESS_CA_FILE } });
      channel = withId.parse(await (await post('/v1/channels', { type: 'api', name: 'App' })).json()).id;
      await addWebhook('/hook');
    });
    afterAll(async () => {
      await Promise.all([parley.stop(), receiver.close()]);
      remove(dataDir);
    });

    test('uses a new master key, made while it runs, at once: it opens what was resealed and seals what is new', async () => {
      await sayAndReceive('before', '/hook');

      const rotated = await parleyCli({ DATA_DIR: dataDir }, 'secrets', 'rotate', '--json');
      expect(rotated.json()).toMatchObject({ new_key: true, sealed_with: { previous: 0, unknown: 0 } });
      // Before anything new is sealed, which would have it read the key as well.
      await sayAndReceive('resealed', '/hook');
      await addWebhook('/added');
      await sayAndReceive('sealed anew', '/hook', '/added');
      for (const { rawBody, headers } of receiver.requests)
        expect(verifySignature(rawBody, secret, headers['x-service-signature'])).toBe(true);
      const status = await parleyCli({ DATA_DIR: dataDir }, 'secrets', 'status', '--json');
      expect(status).toMatchObject({ code: 0, stderr: '' });
    });

    test('has its servers started again when they are killed under it, and delivers what was sent while they were away', async () => {
      const noted = (name: string): unknown => JSON.parse(readFileSync(join(dataDir, 'run', name), 'utf8'));
      const withPid = z.object({ pid: z.number() });
      const isBack = (name: string): boolean => parley.lines.some((line) => line.includes(`${name} runs again`));
      const before = receivedAt('/hook').length;

      process.kill(z.object({ process: withPid }).parse(noted('temporal.json')).process.pid, 'SIGKILL');
      expect((await say('without Temporal')).ok).toBe(true);
      await vi.waitUntil(() => isBack('Temporal'), { timeout: 60_000 });
      await receiver.waitFor(() => receivedAt('/hook').includes('without Temporal'), 40_000);

      process.kill(withPid.parse(noted('postgres.json')).pid, 'SIGKILL');
      // A 503 tells the sender to try again, as every sender does.
      await vi.waitUntil(async () => (await say('without PostgreSQL')).ok, { timeout: 20_000, interval: 100 });
      // It serves a moment before this is said.
      await vi.waitUntil(() => isBack('PostgreSQL'), { timeout: 60_000 });
      await receiver.waitFor(() => receivedAt('/hook').includes('without PostgreSQL'), 40_000);
      expect(receivedAt('/hook').slice(before)).toEqual(['without Temporal', 'without PostgreSQL']);
      expect(parley.child.exitCode).toBe(null);
    });
  });
});
