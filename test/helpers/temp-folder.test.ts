import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bareEnv } from './bare-env.ts';

const place = mkdtempSync(join(tmpdir(), 'place-'));
const helper = new URL('temp-folder.ts', import.meta.url).href;

/** In a process of its own, for which this environment holds from its first line on. */
const inProcess = (code: string, env: Record<string, string> = {}): string =>
  execFileSync(process.execPath, ['--input-type=module', '-e', `const helper = await import('${helper}'); ${code}`], {
    env: { ...bareEnv(), ...env },
    encoding: 'utf8',
  });

afterAll(() => rmSync(place, { recursive: true }));

describe('folders of tests', () => {
  it('lie where TMPDIR says, where somebody said it', () => {
    const folder = inProcess(`process.stdout.write(helper.tempFolder('any'))`, { TMPDIR: place });
    expect(dirname(folder)).toBe(place);
  });

  it('are removed by the next run, in memory and on the disk, when their process is no more', () => {
    // No process has this id: it is larger than Linux gives.
    const left = ['/dev/shm', tmpdir()].filter(existsSync).map((root) => join(root, 'parley-test-99999999-left-'));
    for (const folder of left) mkdirSync(folder, { recursive: true });
    inProcess('await helper.removeLeftFolders()');
    expect(left.filter(existsSync)).toEqual([]);
  });
});
