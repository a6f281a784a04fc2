import { type SpawnOptions, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ProcessIdentity, findProcess } from './processes.ts';

export type ServerProcess = ProcessIdentity & {
  /** Resolves when the process has ended, with how. */
  readonly ended: Promise<string>;
  /** How it ended, or undefined while it runs. */
  howEnded(): string | undefined;
  /** What it has written since this start, at most the last 20 lines. */
  lastLines(): string;
};

export type SpawnServerOptions = Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'> & {
  logFile: string;
  /** Whether it stays when we are killed, for the next start to find; a server on a temporary folder would stay for ever. */
  outlivesUs: boolean;
};

const logBytesKept = 10 * 1024 * 1024;

/**
 * Starts a server that Ctrl-C at the terminal does not reach (a group of its own): only we stop it, in our order.
 * What it writes goes to `logFile`, where the former file is kept once as `.1` when it has grown.
 */
export async function spawnServer(
  command: readonly [string, ...string[]],
  { logFile, outlivesUs, ...options }: SpawnServerOptions,
): Promise<ServerProcess> {
  mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 });
  if (existsSync(logFile) && statSync(logFile).size > logBytesKept) renameSync(logFile, `${logFile}.1`);
  const output = openSync(logFile, 'a', 0o600);
  const offset = statSync(logFile).size;
  const [file, ...args] = command;
  try {
    const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', output, output] });
    let ending: string | undefined;
    const ended = new Promise<string>((resolve) => {
      child.once('exit', (code, signal) => {
        ending = signal === null ? `exit code ${code}` : `signal ${signal}`;
        resolve(ending);
      });
    });
    await new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    const pid = child.pid ?? 0;
    if (!outlivesUs) child.once('exit', endWithUs(pid));
    return {
      pid,
      // A process that is gone already has no start time any more; nothing will be found under this one.
      startTime: findProcess(pid)?.startTime ?? 'ended',
      ended,
      howEnded: () => ending,
      lastLines: () => readFileSync(logFile).subarray(offset).toString('utf8').trim().split('\n').slice(-20).join('\n'),
    };
  } catch (error) {
    throw new Error(`${file} cannot be started`, { cause: error });
  } finally {
    closeSync(output);
  }
}

/**
 * Has a process interrupted when this one is gone in whatever way: a shell waits for the end of its input, which comes then.
 * Returns what ends the shell; call it when the process has ended.
 */
export function endWithUs(pid: number): () => void {
  const watcher = spawn('/bin/sh', ['-c', 'read -r _; kill -INT "$1"', 'sh', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  return () => void watcher.kill('SIGKILL');
}
