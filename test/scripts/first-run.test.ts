import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { tempFolder } from '../helpers/temp-folder.ts';

let folder: string;

beforeEach(() => {
  folder = tempFolder('first-run');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const aProgram = (path: string, lines: string[]): void => {
  writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(path, 0o755);
};

const bootstrapped = Object.entries(packageJson.scripts).filter(
  ([, script]) => script.startsWith('node scripts/bootstrap.mjs') && / node /.test(script.replace(/^node/, '')),
);

test.each(['sh', 'bash'].flatMap((shell) => bootstrapped.map(([name, script]) => ({ shell, name, script }))))(
  'npm run $name below $shell: what follows the bootstrap runs on the Node that it brought, also the first time',
  async ({ shell, script }) => {
    const [brought, system, used] = ['brought', 'system', 'used'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    mkdirSync(brought);
    mkdirSync(system);
    aProgram(join(folder, 'newer'), [`echo "newer $1" >> '${used}'`]);
    for (const program of ['oxlint', 'oxfmt', 'knip', 'vite']) aProgram(join(brought, program), []);
    // As with npm: the folder of the packages' programs comes first on PATH, and holds no node before they are installed.
    aProgram(join(system, 'node'), [`echo "older $1" >> '${used}'`, `cp '${folder}/newer' '${brought}/node'`]);
    await promisify(execFile)(shell, ['-c', script], { env: { PATH: `${brought}:${system}:/usr/bin:/bin` } });

    const [first, ...others] = readFileSync(used, 'utf8').trim().split('\n');
    expect(first).toBe('older scripts/bootstrap.mjs');
    expect(others).not.toEqual([]);
    expect(others.filter((line) => !line.startsWith('newer '))).toEqual([]);
  },
);
