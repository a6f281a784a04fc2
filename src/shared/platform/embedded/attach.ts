import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { databaseAnswers } from '../db/connect.ts';
import { AlreadyRunningError, type InstanceLock, findInstance, tryLockInstance } from './instance.ts';
import { databaseUser, urlOf } from './postgres-cluster.ts';
import { findNotedServer, readPidFile } from './postgres-process.ts';
import { startPostgres } from './postgres.ts';

/** The PostgreSQL of a data folder, for as long as one command needs it. */
export type AttachedPostgres = {
  database: string;
  /** Stops what was started, and gives the folder back. */
  release(): Promise<void>;
};

const patienceMs = 30_000;

/**
 * Connects to the PostgreSQL of the instance that runs on the data folder; where none runs, starts PostgreSQL alone. It waits
 * for an instance that is just starting, and for another command, up to 30 s; then it throws.
 */
export async function attachPostgres(dataDir: string): Promise<AttachedPostgres> {
  const root = resolve(dataDir);
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const { lock, holder } = tryLockInstance(root, { isCommand: true });
    if (lock) return startForCommand(root, lock);
    const database = await findServingDatabase(root);
    // The holder is the same before and after, so the server that answered is its own.
    if (database !== undefined && !holder.isCommand && findInstance(root) === holder.pid) {
      return { database, release: async () => {} };
    }
    if (performance.now() > deadline) throw new Error(busyMessage(root, holder.pid));
    await sleep(50);
  }
}

/**
 * Takes the data folder for an instance. While a command has the folder it waits, up to 30 s, and logs that. Throws AlreadyRunningError when an
 * instance has it.
 */
export async function lockInstanceInTurn(dataDir: string, log: (line: string) => void): Promise<InstanceLock> {
  const root = resolve(dataDir);
  const startedAt = performance.now();
  let waitsFor: number | undefined;
  for (;;) {
    const { lock, holder } = tryLockInstance(root);
    if (lock) return lock;
    const { pid, isCommand } = holder;
    if (!isCommand || performance.now() - startedAt > patienceMs) throw new AlreadyRunningError(root, holder);
    if (waitsFor !== pid) log(`a parley command (pid ${pid}) is using the data folder: waiting for it`);
    waitsFor = pid;
    await sleep(50);
  }
}

async function startForCommand(root: string, lock: InstanceLock): Promise<AttachedPostgres> {
  try {
    const server = await startPostgres({ dataDir: root, log: () => {} });
    return {
      database: server.database,
      release: () => server.stop().finally(() => lock.release()),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The server's own note says whether it is ready; the database itself comes after that at a first start. */
async function findServingDatabase(root: string): Promise<string | undefined> {
  const server = findNotedServer(root);
  const { pid, socketDir, status } = server ? readPidFile(server.clusterDir) : {};
  if (pid !== server?.pid || socketDir === undefined || status !== 'ready') return undefined;
  // Without its look-up of types, whose failure it leaves unhandled: the server may just be stopping.
  const sql = postgres({
    host: socketDir,
    user: databaseUser,
    database: 'parley',
    max: 1,
    fetch_types: false,
    connect_timeout: 5,
  });
  try {
    return (await databaseAnswers(sql)) ? urlOf(socketDir, 'parley') : undefined;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function busyMessage(root: string, holder: number): string {
  return `the data folder ${root} is held by process ${holder}, whose PostgreSQL does not answer: see the log in ${root}/logs, or end that process`;
}
