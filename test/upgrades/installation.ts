import { execFile } from 'node:child_process';
import { cp, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bareEnv } from '../helpers/bare-env.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../../', import.meta.url));

/** Where a version's sources are, with their workflows bundled. */
export type Version = { folder: string; remove: () => Promise<void> };

/** The version under test. Global set-up has bundled its workflows. */
export const present: Version = { folder: project, remove: async () => {} };

/**
 * Unpacks a released version from the archive of its sources beside this file. It runs with today's dependencies: what is
 * proven is that the two versions' own code agrees on database, workflows and sealed secrets, not the old packages.
 */
export const unpackRelease = async (version: string): Promise<Version> => {
  const folder = tempFolder(version);
  await run('tar', ['-xzf', fileURLToPath(new URL(`parley-${version}.tar.gz`, import.meta.url)), '-C', folder]);
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
  // The bundle's stamp is made of it, too.
  await cp(join(project, 'package-lock.json'), join(folder, 'package-lock.json'));
  await run(process.execPath, ['scripts/bundle-workflows.ts'], { cwd: folder });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
};

export type Env = Record<string, string>;

/** Runs a command of a version's CLI and answers its JSON document. */
export const parleyOf = async ({ folder }: Version, env: Env, ...args: string[]): Promise<unknown> => {
  const { stdout } = await run(process.execPath, ['src/cli/main.ts', ...args, '--json'], {
    cwd: folder,
    env: { ...bareEnv(), ...env },
  });
  return JSON.parse(stdout);
};
