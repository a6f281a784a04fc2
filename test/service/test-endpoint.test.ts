import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { serveTestEndpoint } from '../../src/service/test-endpoint.ts';
import { createSecrets } from '../../src/shared/platform/secrets/seal.ts';
import { anAccount } from '../helpers/accounts.ts';
import { createTestDatabase } from '../helpers/database.ts';
import { liftDelayBound } from '../helpers/states/test-endpoints.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { sendAnything } from '../helpers/test-endpoint.ts';

const { db, drop } = await createTestDatabase();
const dataDir = tempFolder('endpoint');
afterAll(async () => {
  await drop();
  await rm(dataDir, { recursive: true, force: true });
});

const logged: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
const secrets = createSecrets(randomBytes(32));
const serve = () => serveTestEndpoint({ dataDir, db, secrets, log });

test('port and certificate are the same after a restart', async () => {
  const first = await serve();
  const found = first?.find();
  expect(found?.origin).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  await first?.stop();
  const second = await serve();
  expect(second?.find()).toEqual(found);
  await second?.stop();
});

test('once it has stopped, the egress guard is told of no endpoint', async () => {
  const served = await serve();
  await served?.stop();
  expect(served?.find()).toBeUndefined();
});

test('while another program has its port, there is no test endpoint, and the log says so', async () => {
  const { port } = JSON.parse(await readFile(join(dataDir, 'test-endpoint', 'port.json'), 'utf8')) as { port: number };
  const other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  try {
    expect(await serve()).toBeUndefined();
    expect(logged.join('')).toContain('test_endpoint.port_taken');
  } finally {
    other.close();
    await once(other, 'close');
  }
  const again = await serve();
  expect(again?.find()?.origin).toBe(`https://127.0.0.1:${port}`);
  await again?.stop();
});

test('an account has 32 delayed answers at a time, the rest comes at once, and a stop ends all delays', async () => {
  const served = await serve();
  if (!served) throw new Error('its port is taken');
  onTestFinished(served.stop);
  const { accountId } = await anAccount({ db, secrets });
  // No delay ends by itself while the test runs, however slow the machine is.
  await liftDelayBound(db);
  const { url } = await served.endpoint.change(accountId, { delay_ms: 600_000 });
  const statuses: number[] = [];
  const all = Array.from({ length: 40 }, async () => statuses.push((await sendAnything(url)).status));
  await vi.waitUntil(() => statuses.length === 8, { timeout: 90_000 });
  const { requests, notKept } = served.endpoint.requests.list(accountId);
  expect(requests.length + notKept).toBe(40);
  await Promise.all([served.stop(), ...all]);
  expect(statuses).toEqual(Array.from({ length: 40 }, () => 200));
});
