import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { pickPort } from '../../src/shared/platform/embedded/ports.ts';
import { endWithUs } from '../../src/shared/platform/embedded/server-process.ts';
import { bareEnv } from '../helpers/bare-env.ts';
import { startParley } from '../helpers/parley-process.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

const soon = { timeout: 60_000, interval: 100 };

const project = fileURLToPath(new URL('../../', import.meta.url));
const document = await readFile(join(project, 'docs/first-flow.md'), 'utf8');
const blocks = [...document.matchAll(/```sh\n([^]+?)```/g)].map(([, code = '']) => code);

/** A terminal into which lines are pasted. */
const openTerminal = (env: Record<string, string>) => {
  const shell = spawn('sh', [], {
    env: { ...bareEnv(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const pid = shell.pid ?? 0;
  shell.once('exit', endWithUs(-pid));
  onTestFinished(() => {
    if (shell.exitCode === null) process.kill(-pid, 'SIGKILL');
  });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  let pasted = 0;
  return {
    output: () => output,
    type: (lines: string) => void shell.stdin.write(lines),
    /** Pastes lines, and answers what they have written when all of them are done. */
    paste: async (lines: string): Promise<string> => {
      const from = output.length;
      const end = `pasted-${(pasted += 1)}\n`;
      shell.stdin.write(`${lines}\necho ${end}`);
      await vi.waitUntil(() => output.endsWith(end), soon);
      return output.slice(from, -end.length);
    },
  };
};

test('the page works as pasted: the shop, Parley with its two settings, the flow, and a contact who walks through it', async () => {
  const home = tempFolder('first-flow');
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const shopPort = String(await pickPort());
  const [openShop = '', startLine = '', , ...rest] = blocks;

  const shop = openTerminal({ HOME: home });
  shop.type(openShop.replaceAll('8443', shopPort));
  await vi.waitUntil(() => shop.output().includes('the shop is open'), soon);

  const [, allow = '', caFile = ''] = /^EGRESS_ALLOW=(\S+) EGRESS_CA_FILE=(\S+) npm start$/m.exec(startLine) ?? [];
  const dataDir = join(home, 'data');
  const parley = await startParley({
    env: {
      DATA_DIR: dataDir,
      EGRESS_ALLOW: allow.replace('8443', shopPort),
      EGRESS_CA_FILE: caFile.replace('$HOME', home),
    },
  });
  onTestFinished(async () => void (await parley.stop()));

  const [, key = ''] = /API key\s+(\S+)/.exec(readFileSync(join(dataDir, 'first-account.txt'), 'utf8')) ?? [];
  const here = (lines: string): string =>
    lines.replaceAll('8443', shopPort).replaceAll('http://localhost:8080', parley.url);
  const terminal = openTerminal({ HOME: home, KEY: key });
  const [helpers = '', things = '', flow = '', first = '', look = '', second = '', over = '', workflow = ''] = rest;
  const paste = (lines: string) => terminal.paste(here(lines));

  expect(await paste(helpers)).toBe('');
  expect(await paste(things)).toMatch(/key: 'size'[^]*key: 'left'[^]*name: 'shop'/);
  expect(await paste(flow)).toMatch(/issues: \[\][^]*\nlive\n$/);

  expect(await paste(first)).toMatch(/to: 'flow'/);
  await vi.waitUntil(() => shop.output().includes('to ada: Which size, Ada?\n'), soon);
  const waiting = await paste(look);
  expect(waiting).toContain("block_id: 'ask_size'");
  expect(waiting).toContain("waiting: 'reply'");
  expect(await paste(second)).toBe('false\n');
  await vi.waitUntil(() => shop.output().includes('to ada: One M is yours. 2 are left.\n'), soon);
  expect(shop.output()).toContain('stock of M: 3\n');

  const shown = await vi.waitFor(async () => {
    const lines = await paste(over);
    expect(lines).toMatch(/^completed\n/);
    return lines;
  }, soon);
  expect(shown.match(/'\d \w+: \w+'/g)).toEqual([
    "'6 done: null'",
    "'5 yes: default'",
    "'4 take_one: default'",
    "'3 any_left: true'",
    "'2 stock: success'",
    "'1 ask_size: answered'",
  ]);
  expect(shown).toMatch(/\n200\n/);
  expect(shown).toMatch(/runs: 1/);
  const workflowId = (await paste(workflow)).trim();
  expect(workflowId).toMatch(/^run\/run_\w+$/);
  const [, ui = ''] = /Temporal's UI\s+(\S+)/.exec(parley.lines.join('\n')) ?? [];
  const inUi = await fetch(`${ui}/api/v1/namespaces/default/workflows/${encodeURIComponent(workflowId)}`);
  expect(await inUi.json()).toMatchObject({ workflowExecutionInfo: { type: { name: 'runFlow' } } });
});
