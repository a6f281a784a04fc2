import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  type ProcessIdentity,
  findProcess,
  findProcessesIn,
  isAlive,
  processIdentity,
  stopProcess,
} from './processes.ts';
import { readRunFile, writeRunFile } from './run-file.ts';

const noteSchema = processIdentity.extend({ clusterDir: z.string() });

type PostgresNote = z.infer<typeof noteSchema>;

const noteFile = (root: string): string => join(root, 'run', 'postgres.json');

/** Notes a running server, so that commands and the next start find it. */
export function noteServer(root: string, note: PostgresNote): void {
  writeRunFile(noteFile(root), note);
}

/** The server that is noted for this data folder, if it still runs. */
export function findNotedServer(root: string): PostgresNote | undefined {
  const noted = readRunFile(noteFile(root), noteSchema);
  return noted !== undefined && isAlive(noted) ? noted : undefined;
}

/** SIGINT is the fast shutdown: open connections end, what was committed stays. SIGQUIT leaves the rest to recovery. */
export async function stopServer(root: string, server: ProcessIdentity): Promise<void> {
  await stopProcess(server, { signals: ['SIGINT', 'SIGQUIT', 'SIGKILL'], graceMs: 15_000 });
  rmSync(noteFile(root), { force: true });
}

/** Stops the server that a crash of ours left running on this folder; our note or its own names it. */
export async function stopOrphan(root: string, clusterDir: string, log: (line: string) => void): Promise<void> {
  const orphan = findNotedServer(root) ?? findByPidFile(clusterDir);
  if (orphan === undefined) return;
  log(`stopping the PostgreSQL that a former start left running (pid ${orphan.pid})`);
  await stopServer(root, orphan);
}

/**
 * Ends the processes that a killed server has left. Each would end by itself when it next waits, but a long query holds the shared memory until
 * then, and no server starts on the folder meanwhile.
 */
export async function endBackends(clusterDir: string): Promise<void> {
  if (!existsSync(clusterDir)) return;
  const backends = findProcessesIn(realpathSync(clusterDir)).filter(({ command }) => command.startsWith('postgres: '));
  await Promise.all(
    backends.map((backend) => stopProcess(backend, { signals: ['SIGQUIT', 'SIGKILL'], graceMs: 2_000 })),
  );
}

/**
 * Finds the server by PostgreSQL's own note, where a crash left none of ours. The note has no start time, so the command line must name the
 * folder.
 */
function findByPidFile(clusterDir: string) {
  const found = findProcess(readPidFile(clusterDir).pid || 0);
  return found?.command.includes(clusterDir) ? found : undefined;
}

/** What a PostgreSQL notes of itself in its data folder. Empty before it has written that, and after a stop. */
type PidFile = { pid?: number; socketDir?: string; status?: string };

export function readPidFile(clusterDir: string): PidFile {
  try {
    const [pid, , , , socketDir = '', , , status = ''] = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split(
      '\n',
    );
    return { pid: Number(pid), socketDir, status: status.trim() };
  } catch {
    return {};
  }
}
