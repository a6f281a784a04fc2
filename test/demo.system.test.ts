import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { isPortFree } from '../src/shared/platform/embedded/ports.ts';
import { endWithUs } from '../src/shared/platform/embedded/server-process.ts';

const script = fileURLToPath(new URL('../scripts/demo.ts', import.meta.url));

/** The demo as a pipe sees it: no terminal, so it ends by itself. */
const startDemo = () => {
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.once('exit', endWithUs(child.pid ?? 0));
  const demo = {
    output: '',
    ended: once(child, 'exit').then(([code]) => Number(code)),
    stop: () => child.kill('SIGTERM'),
  };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (demo.output += String(chunk)));
  return demo;
};

const portOf = (output: string, line: RegExp): number => Number(line.exec(output)?.[1]);
const uiPort = /Temporal UI +http:\/\/127\.0\.0\.1:(\d+)/;
const parleyPort = /Parley +http:\/\/localhost:(\d+)/;

test('shows a verified delivery of each variant and a flow with links to their workflows, and ends by itself with 0', async () => {
  const demo = startDemo();

  const code = await demo.ended;
  expect({ code, output: demo.output }).toMatchObject({ code: 0 });

  const ids = ['variant A', 'variant B'].map(
    (variant) => new RegExp(`Delivery verified: ${variant}, new_message, (dlv_\\w+)`).exec(demo.output)?.[1],
  );
  for (const id of ids) {
    expect(id).toBeDefined();
    expect(demo.output).toMatch(
      new RegExp(`http://127\\.0\\.0\\.1:\\d+/namespaces/default/workflows/delivery%2F${id}\n`),
    );
  }
  expect(demo.output).toContain('<- GET /stock/M ');
  expect(demo.output).toContain('"text":"We have 3 of them."');
  expect(demo.output.match(/Delivery verified: our app, message, msg_/g)).toHaveLength(2);
  expect(demo.output).toMatch(/Delivery verified: end of a flow, flow_completed, dlv_/);
  expect(demo.output).toMatch(/http:\/\/127\.0\.0\.1:\d+\/namespaces\/default\/workflows\/run%2Frun_\w+\n/);
  expect(demo.output).not.toContain('WRONG');
  // Its flow is published without a warning.
  expect(demo.output).not.toContain('"severity"');
});

test('leaves no server and no data behind, and ends with 1 when it is told to stop while it starts', async () => {
  const demo = startDemo();
  await vi.waitUntil(() => demo.output.includes('EGRESS_ALLOW'), { timeout: 20_000 });

  demo.stop();

  const code = await demo.ended;
  expect({ code, output: demo.output }).toEqual({ code: 1, output: expect.stringContaining('interrupted') });
  expect(await isPortFree(portOf(demo.output, uiPort))).toBe(true);
  expect(await isPortFree(portOf(demo.output, parleyPort))).toBe(true);
  const [, caFile = ''] = /EGRESS_CA_FILE=(.+)/.exec(demo.output) ?? [];
  expect(caFile).not.toBe('');
  expect(existsSync(dirname(caFile))).toBe(false);
});
