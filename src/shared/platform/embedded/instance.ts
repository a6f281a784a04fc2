import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { findProcess, isAlive, processIdentity } from './processes.ts';
import { parseRunFile } from './run-file.ts';
import { codeOf } from '../error-code.ts';

const holderSchema = processIdentity.extend({
  /** True for a command, which soon gives the folder back; an instance keeps it. */
  isCommand: z.boolean().default(false),
});

/** Who has a data folder. */
export type Holder = z.infer<typeof holderSchema>;

export class AlreadyRunningError extends Error {
  override readonly name = 'AlreadyRunningError';
  constructor(dataDir: string, { pid }: Holder) {
    super(
      `already running (pid ${pid}) on the data folder ${dataDir}: stop that one first (Ctrl-C in its terminal, or kill ${pid}), ` +
        'or set DATA_DIR to another folder',
    );
  }
}

export type InstanceLock = { release(): void };

/** The pid of the instance that serves this data folder now, if any. */
export function findInstance(dataDir: string): number | undefined {
  const holder = findHolder(dataDir);
  return holder?.isCommand ? undefined : holder?.pid;
}

/** Who has this data folder now, an instance or a command. */
export function findHolder(dataDir: string): Holder | undefined {
  return parseHolder(readOrUndefined(lockFile(dataDir)));
}

function parseHolder(content: string | undefined): Holder | undefined {
  const holder = parseRunFile(content, holderSchema);
  return holder !== undefined && isAlive(holder) ? holder : undefined;
}

/**
 * Takes the data folder for this process, or answers who has it. A lock that a crash has left is taken over: its process is gone, or another
 * process has its pid. The lock is a file and no listening socket, because a socket's file outlives a killed owner as well: taking it over
 * would need the same exchange, and the owner's servers would have to be found all the same.
 */
export function tryLockInstance(
  dataDir: string,
  { isCommand = false } = {},
): { lock: InstanceLock; holder?: never } | { lock?: never; holder: Holder } {
  const path = lockFile(dataDir);
  const own = findProcess(process.pid);
  if (own === undefined) throw new Error('this system does not tell about its processes (neither /proc nor ps)');
  const content = JSON.stringify({ pid: own.pid, startTime: own.startTime, isCommand });
  const prepared = `${path}.${own.pid}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(prepared, content, { mode: 0o600 });
  try {
    // A link appears at once with its whole content, and only where nothing is, so two starts cannot both get it.
    while (!tryLink(prepared, path)) {
      const found = readOrUndefined(path);
      const holder = parseHolder(found);
      if (holder !== undefined) return { holder };
      if (found !== undefined) discardStale(path, found);
    }
  } finally {
    rmSync(prepared, { force: true });
  }
  const release = () => {
    if (readOrUndefined(path) === content) rmSync(path, { force: true });
  };
  return { lock: { release } };
}

/** Moves a dead lock away. When it moved the fresh lock of a faster start instead, it puts that back. */
function discardStale(path: string, stale: string): void {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    // Another start has moved it already.
    return;
  }
  if (readOrUndefined(aside) !== stale) tryLink(aside, path);
  rmSync(aside, { force: true });
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function readOrUndefined(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function lockFile(dataDir: string): string {
  return join(dataDir, 'run', 'instance.json');
}
