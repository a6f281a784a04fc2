import { request } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { findBinaries } from '../../scripts/binaries.mjs';
import { isListening } from '../../src/shared/platform/embedded/ports.ts';
import { type EmbeddedTemporal, startTemporal } from '../../src/shared/platform/embedded/temporal.ts';
import { portsWithoutBrowsers } from '../../src/shared/platform/embedded/temporal-ui.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { reportAttack } from './report.ts';

let temporal: EmbeddedTemporal;
let connection: Connection;
/** What a page could find by trying all ports of this machine. */
let ports: { grpc: number; ui: number; http: number; metrics: number };
let uiBehind: number[];

beforeAll(async () => {
  const binary = findBinaries().temporal;
  if (binary === undefined) throw new Error("Temporal's dev server is missing: run node scripts/bootstrap.mjs");
  const dataDir = tempFolder('web-pages');
  temporal = await startTemporal({ dataDir, log: () => {}, binary, durable: false });
  connection = await Connection.connect({ address: temporal.address });
  const port = z.number();
  const notes = z.object({ ports: z.object({ grpc: port, ui: port, http: port, metrics: port }) });
  ({ ports } = notes.parse(JSON.parse(readFileSync(join(dataDir, 'run', 'temporal.json'), 'utf8'))));
  uiBehind = portsWithoutBrowsers.filter((blocked) => isListening(temporal.pid, blocked));
});
afterAll(async () => {
  await connection.close();
  await temporal.stop();
});

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: string };

/** Node's own client sends any `Host` and `Cookie`, as a browser would for the page's own name. Status 0: not even HTTP. */
const ask = (
  port: number,
  {
    method = 'GET',
    path = '/',
    headers = {},
    body = '',
  }: Partial<Record<'method' | 'path' | 'body', string>> & {
    headers?: Record<string, string>;
  },
): Promise<Answer> =>
  new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, method, path, headers, timeout: 5_000 }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks).toString() }),
      );
    });
    asked.on('error', () => resolve({ status: 0, headers: {}, body: '' }));
    asked.end(body);
  });

const deprecate = {
  method: 'POST',
  path: '/api/v1/namespaces/default/update',
  body: JSON.stringify({ updateInfo: { description: 'taken', state: 'NAMESPACE_STATE_DEPRECATED' } }),
};
const evil = 'https://evil.example';

const csrfToken = ({ headers }: Answer): string =>
  /_csrf=(\w+)/.exec(String(headers['set-cookie'] ?? ''))?.[1] ?? 'none';

test('no web page can give the server an order, at whichever of its ports and by whichever name', async () => {
  const taken: string[] = [];
  let tried = 0;
  const attack = async (what: string, port: number, options: Parameters<typeof ask>[1]): Promise<void> => {
    tried += 1;
    const { status } = await ask(port, options);
    if (status >= 200 && status < 300) taken.push(`${what}: ${status}`);
  };

  for (const [name, port] of Object.entries(ports)) {
    const names = [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `evil.example:${port}`,
      'evil.example',
      'nobody at all',
      '',
    ];
    for (const host of names) {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json']) {
        const headers = { host, origin: evil, 'content-type': type };
        await attack(`${name}, ${host}, ${type}`, port, { ...deprecate, headers });
      }
      // What a page gets that is its own origin by a name that leads here: the cookie, and the right to any header.
      const token = csrfToken(await ask(port, { headers: { host } }));
      const headers = { cookie: `_csrf=${token}`, 'x-csrf-token': token, 'content-type': 'application/json' };
      if (/evil|nobody/.test(host)) {
        await attack(`${name}, rebound as ${host}`, port, { ...deprecate, headers: { ...headers, host } });
        await attack(`${name}, read as ${host}`, port, { path: '/api/v1/namespaces/default', headers: { host } });
      }
    }
  }
  // Whether the browser may send the header that keeps other pages out of the UI.
  const preflight = {
    origin: evil,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'x-csrf-token',
  };
  const { headers } = await ask(ports.ui, { method: 'OPTIONS', path: deprecate.path, headers: preflight });
  tried += 1;
  if (headers['access-control-allow-origin'] !== undefined) taken.push('preflight');
  // The UI's own port takes any name, and is one that no browser connects to; fetch has the browsers' list.
  expect(uiBehind).toHaveLength(1);
  for (const port of uiBehind) {
    tried += 1;
    const refused = await fetch(`http://127.0.0.1:${port}/`).then(String, (error: Error) => String(error.cause));
    if (!refused.includes('bad port')) taken.push(`fetch of ${port}: ${refused}`);
  }

  expect(taken).toEqual([]);
  const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace: 'default' });
  expect(namespaceInfo).toMatchObject({ state: 1, description: expect.not.stringContaining('taken') });
  await reportAttack('temporalFromWebPages', { tried, through: taken.length });
});

test("Temporal's UI works: its pages, what it reads, and what its buttons do", async () => {
  const client = new Client({ connection });
  const handle = await client.workflow.start('anything', { taskQueue: 'nobody', workflowId: 'delivery/one' });
  const page = await fetch(temporal.uiUrl);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('<html');
  // Its server dials Temporal by itself, and tries again after a second when it was faster than that.
  const list = async () => (await fetch(`${temporal.uiUrl}/api/v1/namespaces/default/workflows`)).text();
  await expect.poll(list, { timeout: 60_000 }).toContain('delivery/one');

  const token = csrfToken(await ask(ports.ui, { headers: { host: `localhost:${ports.ui}` } }));
  const cancelled = await ask(ports.ui, {
    method: 'POST',
    path: '/api/v1/namespaces/default/workflows/delivery%2Fone/cancel',
    headers: { cookie: `_csrf=${token}`, 'x-csrf-token': token, 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'a button' }),
  });
  expect(cancelled).toMatchObject({ status: 200 });
  const { events } = await handle.fetchHistory();
  expect(events?.map(({ eventType }) => eventType)).toContain(20);
});
