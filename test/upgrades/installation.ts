import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pickPort } from '../../src/shared/embedded/ports.ts';

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
  const folder = await mkdtemp(join(tmpdir(), `parley-${version}-`));
  await run('tar', ['-xzf', fileURLToPath(new URL(`parley-${version}.tar.gz`, import.meta.url)), '-C', folder]);
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
  // The bundle's stamp is made of it, too.
  await cp(join(project, 'package-lock.json'), join(folder, 'package-lock.json'));
  await run(process.execPath, ['scripts/bundle-workflows.ts'], { cwd: folder });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
};

export type Env = Record<string, string>;

/** A process of one version; `log` is what it has written. */
export type RunningProcess = {
  url: string;
  log: string[];
  /** SIGTERM, and the exit code that it comes to. */
  stop: () => Promise<number | null>;
};

const running = new Set<ChildProcess>();

/** Starts `main` of a version with these settings, and waits until it is ready to work, Temporal included. */
export const startProcess = async ({ folder }: Version, main: string, env: Env): Promise<RunningProcess> => {
  const [port, metricsPort] = [await pickPort(), await pickPort()];
  const child = spawn(process.execPath, [main], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env, PORT: String(port), METRICS_PORT: String(metricsPort) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const exited = once(child, 'exit').then(([code]) => {
    running.delete(child);
    return code === null ? null : Number(code);
  });
  const log: string[] = [];
  const connected = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      log.push(line);
      if (line.includes('"temporal.connected"')) connected.resolve();
    });
  }
  const early = exited.then(() => Promise.reject(new Error(`${main} of ${folder} ended:\n${log.join('\n')}`)));
  await Promise.race([connected.promise, early]);
  early.catch(() => {});
  return {
    url: `http://127.0.0.1:${port}`,
    log,
    stop: async () => {
      child.kill('SIGTERM');
      return exited;
    },
  };
};

/** Runs a command of a version's CLI and answers its JSON document. */
export const parleyOf = async ({ folder }: Version, env: Env, ...args: string[]): Promise<unknown> => {
  const { stdout } = await run(process.execPath, ['src/cli/main.ts', ...args, '--json'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
  });
  return JSON.parse(stdout);
};

/** Ends whatever a failed test has left. */
export const endAll = async (): Promise<void> => {
  await Promise.all(
    [...running].map(async (child) => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }),
  );
};
