import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { keyFilesOf } from '../../src/shared/platform/secrets/key-files.ts';
import { parley } from '../cli/parley.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { parleyOf, unpackRelease, type Version } from './installation.ts';

/** What `secrets rotate` of 0.3.0 does before it seals anything anew: it is killed then. */
const beginRotationOf = ({ folder }: Version, dataDir: string) => {
  const program = `
    const { replaceKeyFile } = await import('./src/shared/platform/secrets/key-files.ts');
    await replaceKeyFile(${JSON.stringify(dataDir)});`;
  return promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder });
};

test('a rotation of the embedded master key that 0.3.0 left unfinished is finished with its key, and the old one forgotten', async () => {
  const old = await unpackRelease('0.3.0');
  const env = { DATA_DIR: join(tempFolder('upgrade'), 'data') };
  onTestFinished(async () => {
    rmSync(env.DATA_DIR, { recursive: true, force: true });
    await old.remove();
  });
  await parleyOf(old, env, 'accounts', 'create', '--name', 'Acme', '--email', 'ada@example.com');
  await beginRotationOf(old, env.DATA_DIR);
  const files = keyFilesOf(env.DATA_DIR);
  const key = readFileSync(files.current, 'utf8');

  const unfinished = await parley(env, 'secrets', 'status', '--json');
  expect(unfinished.json()).toMatchObject({ sealed_with: { current: 0, previous: 1, unknown: 0 } });
  expect((await parley(env, 'secrets', 'forget')).stderr).toContain('run parley secrets rotate');
  const rotated = await parley(env, 'secrets', 'rotate', '--json');
  expect(rotated.json()).toMatchObject({ new_key: false, resealed: 1, sealed_with: { current: 1, previous: 0 } });
  expect(readFileSync(files.current, 'utf8')).toBe(key);

  // Back to 0.3.0, which opens what was sealed anew.
  expect(await parleyOf(old, env, 'secrets', 'status')).toMatchObject({ sealed_with: { current: 1, unknown: 0 } });
  utimesSync(files.current, new Date(), new Date(Date.now() - 601_000));
  expect(await parley(env, 'secrets', 'forget')).toMatchObject({ code: 0 });
  expect(existsSync(files.previous)).toBe(false);
});
