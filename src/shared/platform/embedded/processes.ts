import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** A process as the operating system knows it. A pid is given out again after a while; pid and start time together are not. */
export const processIdentity = z.object({ pid: z.number().int().positive(), startTime: z.string() });

export type ProcessIdentity = z.infer<typeof processIdentity>;
export type RunningProcess = ProcessIdentity & { command: string };

/** The process with this pid, or undefined when there is none (a zombie counts as none). */
export function findProcess(pid: number): RunningProcess | undefined {
  return process.platform === 'linux' ? findLinuxProcess(pid) : findByPs(pid);
}

function findLinuxProcess(pid: number): RunningProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in brackets and may hold spaces and brackets itself: count from the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, ticks] = [fields[0], fields[19]];
    if (ticks === undefined || (state === 'Z' && hasEnded(pid))) return undefined;
    // Ticks count from boot, so the boot's own id belongs to them.
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { pid, startTime: `${boot}/${ticks}`, command };
  } catch {
    // Gone between two reads, or never there.
    return undefined;
  }
}

/** While threads of it are still ending, a process with many (Temporal) looks like a zombie already and holds its ports yet. */
function hasEnded(pid: number): boolean {
  return readdirSync(`/proc/${pid}/task`).length <= 1;
}

function findByPs(pid: number): RunningProcess | undefined {
  try {
    const [startTime, command] = [psColumn(pid, 'lstart='), psColumn(pid, 'command=')];
    return startTime && command ? { pid, startTime, command } : undefined;
  } catch {
    // ps ends with 1 when there is no such process.
    return undefined;
  }
}

function psColumn(pid: number, column: string): string {
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  return execFileSync('ps', ['-ww', '-o', column, '-p', String(pid)], {
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

/** The processes whose working directory is this folder, as far as this user may see them. */
export function findProcessesIn(folder: string): RunningProcess[] {
  const pids =
    process.platform === 'linux'
      ? listLinuxPids().filter((pid) => readLink(`/proc/${pid}/cwd`) === folder)
      : listByLsof(['-a', '-d', 'cwd', '--', folder]);
  return pids.flatMap((pid) => findProcess(pid) ?? []);
}

export function listLinuxPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Undefined for what belongs to another user's process, or has just ended or been closed. */
export function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** The pids that lsof finds. */
export function listByLsof(wanted: readonly string[]): number[] {
  try {
    const output = execFileSync('lsof', ['-t', ...wanted], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return output.split('\n').filter(Boolean).map(Number);
  } catch {
    // lsof ends with 1 when it finds none.
    return [];
  }
}

/** Whether this very process is still there, and not another one that got its pid. */
export function isAlive(identity: ProcessIdentity): boolean {
  return findProcess(identity.pid)?.startTime === identity.startTime;
}

/** Sends the signals in order, each after the one before had `graceMs` without effect; returns when the process is gone. */
export async function stopProcess(
  identity: ProcessIdentity,
  { signals, graceMs }: { signals: readonly NodeJS.Signals[]; graceMs: number },
): Promise<void> {
  for (const signal of signals) {
    if (!isAlive(identity)) return;
    try {
      process.kill(identity.pid, signal);
    } catch (error) {
      if (isAlive(identity)) throw new Error(`process ${identity.pid} cannot be stopped`, { cause: error });
      return;
    }
    const deadline = performance.now() + graceMs;
    while (performance.now() < deadline) {
      if (!isAlive(identity)) return;
      await sleep(10);
    }
  }
  if (isAlive(identity)) throw new Error(`process ${identity.pid} does not stop (sent ${signals.join(', ')})`);
}
