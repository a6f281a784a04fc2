import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { pickPort } from '../src/shared/embedded/ports.ts';
import { startReceiver } from './helpers/receiver.ts';

type Parley = { process: ChildProcess; lines: string[]; url: string };

describe('npm start', () => {
  let dataDir: string;
  const running: ChildProcess[] = [];

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'parley-start-'));
  });

  afterEach(async () => {
    for (const child of running.splice(0)) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
    }
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** Starts the whole service as `npm start` does after its set-up, and waits until it says that all of it is there. */
  const start = async (env: Record<string, string> = {}): Promise<Parley> => {
    const ports = { PORT: String(await pickPort()), METRICS_PORT: String(await pickPort()) };
    const { PATH, HOME } = process.env;
    const child = spawn('node', ['src/start.ts'], {
      env: { PATH, HOME, DATA_DIR: dataDir, ...ports, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.push(child);
    const lines: string[] = [];
    const started = Promise.withResolvers<void>();
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        if (line.includes('temporal.connected')) started.resolve();
      });
    }
    child.once('exit', () => started.reject(new Error(lines.join('\n'))));
    await started.promise;
    return { process: child, lines, url: `http://localhost:${ports.PORT}` };
  };

  /** Everything that runs on this data folder, our process and its servers. */
  const processesOn = async (folder: string): Promise<string[]> => {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const commands = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
    return (await Promise.all(commands)).filter((command) => command.includes(folder));
  };

  const noted = (name: string): unknown => JSON.parse(readFileSync(join(dataDir, 'run', name), 'utf8'));
  const pidSchema = z.object({ pid: z.number() });

  const apiKey = (): string =>
    /API key\s+(\S+)/.exec(readFileSync(join(dataDir, 'first-account.txt'), 'utf8'))?.[1] ?? '';

  test('makes an account on plan pro, whose key is in a file of its own and works; SIGTERM leaves nothing running', async () => {
    const parley = await start();
    expect(statSync(join(dataDir, 'first-account.txt')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'master.key')).mode & 0o777).toBe(0o600);
    expect(parley.lines.join('\n')).not.toContain(apiKey());

    const me = await fetch(`${parley.url}/api/accounts/me`, { headers: { 'x-access-token': apiKey() } });
    expect(me.status).toBe(200);
    expect(await me.json()).toMatchObject({ plan: 'pro' });
    const ready = await fetch(`${parley.url}/health/ready`);
    expect(await ready.json()).toMatchObject({ status: 'up', postgres: 'up', temporal: 'up', worker: 'up' });

    expect(await processesOn(dataDir)).not.toEqual([]);
    parley.process.kill('SIGTERM');
    const [code] = await once(parley.process, 'exit');
    expect(code).toBe(0);
    expect(await processesOn(dataDir)).toEqual([]);
  });

  test('Ctrl-C that arrives twice, as it does below npm, still stops everything in order', async () => {
    const { process: child, lines } = await start();
    child.kill('SIGINT');
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    expect(lines.at(-1)).toBe('Stopped.');
    expect(await processesOn(dataDir)).toEqual([]);
  });

  test('after SIGKILL the next start goes on with the same data in seconds, and makes no second account', async () => {
    const first = await start();
    const key = apiKey();
    first.process.kill('SIGKILL');
    await once(first.process, 'exit');
    const since = Date.now();
    const second = await start();
    // Below five on a machine of its own; here other tests run beside it.
    expect(Date.now() - since).toBeLessThan(10_000);
    expect(second.lines.join('\n')).not.toContain('Your account');
    const me = await fetch(`${second.url}/api/accounts/me`, { headers: { 'x-access-token': key } });
    expect(me.status).toBe(200);
  });

  test('its servers, killed under it, are started again, and an event sent while they were away is delivered', async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const EGRESS_CA_FILE = join(dataDir, 'ca.pem');
    writeFileSync(EGRESS_CA_FILE, receiver.caPem);
    const parley = await start({ EGRESS_ALLOW: '127.0.0.0/8', EGRESS_CA_FILE });
    const post = (path: string, body: object) =>
      fetch(`${parley.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey()}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const hook = { url: receiver.url('/hook'), events: ['new_message'], secret: 'a-secret-that-is-long-enough' };
    expect((await post('/v1/webhooks', hook)).status).toBe(201);
    const { id: channel } = z
      .object({ id: z.string() })
      .parse(await (await post('/v1/channels', { type: 'api', name: 'App' })).json());
    const say = (id: string) =>
      post(`/v1/channels/${channel}/inbound`, {
        message_id: id,
        sender: { external_id: 'ada', first_name: 'Ada' },
        text: id,
      });
    const isBack = (name: string) => parley.lines.some((line) => line.includes(`${name} runs again`));

    const temporal = z.object({ process: pidSchema }).parse(noted('temporal.json'));
    process.kill(temporal.process.pid, 'SIGKILL');
    expect((await say('m-1')).ok).toBe(true);
    await vi.waitUntil(() => isBack('Temporal'), { timeout: 10_000 });
    await receiver.waitFor(1, 40_000);

    process.kill(pidSchema.parse(noted('postgres.json')).pid, 'SIGKILL');
    // A 503 tells the sender to try again, as every sender does.
    await vi.waitUntil(async () => (await say('m-2')).ok, { timeout: 20_000, interval: 100 });
    expect(isBack('PostgreSQL')).toBe(true);
    await receiver.waitFor(2, 40_000);
    expect(receiver.requests.map(({ rawBody }) => /"text":"(m-.)"/.exec(String(rawBody))?.[1])).toEqual(['m-1', 'm-2']);
    expect(parley.process.exitCode).toBe(null);
  }, 90_000);

  test('a master key that opens nothing of what is stored is refused at the start', async () => {
    const first = await start();
    first.process.kill('SIGTERM');
    await once(first.process, 'exit');
    await expect(start({ MASTER_KEY: 'ab'.repeat(32) })).rejects.toThrow('MASTER_KEY does not open the secrets');
    expect(await processesOn(dataDir)).toEqual([]);
  });

  test('a second one on the same data folder is refused, and the first one goes on', async () => {
    const first = await start();
    await expect(start()).rejects.toThrow(/already/i);
    expect((await fetch(`${first.url}/health/live`)).status).toBe(200);
  });

  test('wrong settings are all named at once, in plain lines, before anything is started', async () => {
    await expect(start({ LOG_LEVEL: 'loud', RATE_LIMIT_PER_MINUTE: 'many' })).rejects.toThrow(
      /^These settings are wrong:\n {2}RATE_LIMIT_PER_MINUTE .*\n {2}LOG_LEVEL /,
    );
    expect(await processesOn(dataDir)).toEqual([]);
  });

  test("serves the deliveries' and the SDK's numbers and its own health on METRICS_PORT", async () => {
    const METRICS_PORT = String(await pickPort());
    await start({ METRICS_PORT });
    const numbers = async () => (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
    await vi.waitUntil(async () => (await numbers()).includes('temporal_'), { timeout: 10_000, interval: 100 });
    expect(await numbers()).toContain('parley_delivery_attempts_total');
    expect(await numbers()).toContain('parley_deliveries_unfinished');
    const ready = await fetch(`http://127.0.0.1:${METRICS_PORT}/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'up', postgres: 'up', temporal: 'up', worker: 'up' },
    ]);
  });
});
