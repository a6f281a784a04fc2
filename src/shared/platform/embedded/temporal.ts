import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { canStartWorkflows } from '../temporal/namespace.ts';
import { findListeners, isListening, isPortFree, pickPort } from './ports.ts';
import { type ProcessIdentity, findProcess, isAlive, stopProcess } from './processes.ts';
import { type ServerProcess, spawnServer } from './server-process.ts';
import { type ServedPorts, serverArguments } from './temporal-arguments.ts';
import { addressesOf, noteTemporalRun, readTemporalRun, type TemporalRun, temporalRunFile } from './temporal-run.ts';
import { findPortWithoutBrowsers, serveUi } from './temporal-ui.ts';

export type EmbeddedTemporal = {
  /** host:port of gRPC. */
  address: string;
  uiUrl: string;
  pid: number;
  /** Resolves with how the server ended, whether by `stop` or by itself. */
  ended: Promise<string>;
  stop(): Promise<void>;
};

export type TemporalOptions = {
  /** Everything of the server's lies below: `temporal/`, `run/`, `logs/`. */
  dataDir: string;
  log: (line: string) => void;
  /** Path of Temporal's CLI, which holds the server. */
  binary: string;
  /** false for tests; see `PostgresOptions`. */
  durable?: boolean;
};

const namespace = 'default';
const startTimeoutMs = 30_000;

type Ports = TemporalRun['ports'];

/**
 * Starts Temporal's dev server on a file below the data folder, on the same ports as last time. Its search attributes are made with the file;
 * those that a later version adds are registered when the service connects. A server that a crash of ours left running is stopped first; anyone
 * else on one of the ports is an error.
 */
export async function startTemporal(options: TemporalOptions): Promise<EmbeddedTemporal> {
  const root = resolve(options.dataDir);
  const databaseFile = join(root, 'temporal', 'temporal.db');
  mkdirSync(join(root, 'temporal'), { recursive: true, mode: 0o700 });
  const recorded = readTemporalRun(root);
  if (recorded?.process !== undefined && isAlive(recorded.process)) await stopOrphan(recorded.process, options);
  const ports = await choosePorts(recorded?.ports, { ...options, databaseFile, runFile: temporalRunFile(root) });
  // Written before the server starts: after a crash in between, the next start finds the server by its ports.
  noteTemporalRun(root, { ports });

  const note = (server: ServerProcess) =>
    noteTemporalRun(root, { ports, process: { pid: server.pid, startTime: server.startTime } });
  const server = await spawnUsable({ ports, databaseFile, root, note }, options);
  const stopServer = async () => {
    await stopProcess(server, stopping(options));
    noteTemporalRun(root, { ports });
  };
  try {
    const ui = await serveUi({ port: ports.ui, behind: server.uiPort });
    void server.ended.then(ui.close);
    const stop = async () => {
      await Promise.all([ui.close(), stopServer()]);
    };
    return { ...addressesOf(ports), pid: server.pid, ended: server.ended, stop };
  } catch (error) {
    await stopServer();
    throw error;
  }
}

/**
 * A namespace that was deprecated takes no workflow ever again, and nothing brings it back: then the server begins anew, with the
 * file of before beside its own. The sweep starts again what was in it.
 */
async function spawnUsable(place: Place, options: TemporalOptions): Promise<ServingProcess> {
  const server = await spawnServing(place, options);
  if (await takesWorkflows(addressesOf(place.ports).address)) return server;
  await stopProcess(server, stopping(options));
  const aside = `${place.databaseFile}.deprecated`;
  options.log(
    `Temporal's namespace ${namespace} was deprecated and takes no workflow: beginning anew, the old file is ${aside}`,
  );
  for (const part of ['', '-wal', '-shm']) {
    rmSync(`${aside}${part}`, { force: true });
    if (existsSync(`${place.databaseFile}${part}`)) renameSync(`${place.databaseFile}${part}`, `${aside}${part}`);
  }
  return spawnServing(place, options);
}

async function takesWorkflows(address: string): Promise<boolean> {
  const connection = await Connection.connect({ address, connectTimeout: startTimeoutMs });
  try {
    return await connection.withDeadline(Date.now() + startTimeoutMs, () =>
      canStartWorkflows({ connection, namespace }),
    );
  } catch {
    // When it is not known, the server keeps what it has.
    return true;
  } finally {
    await connection.close();
  }
}

type ServingProcess = ServerProcess & {
  /** Where its own UI listens. */
  uiPort: number | undefined;
};

type Place = { ports: Ports; databaseFile: string; root: string; note: (server: ServerProcess) => void };

/**
 * Spawns the server and waits until it serves. Another start may take the port of the UI after our look at it: then with the next
 * one. Where all of them are taken there is no UI.
 */
async function spawnServing(
  { ports, databaseFile, root, note }: Place,
  options: TemporalOptions,
): Promise<ServingProcess> {
  const tried = new Set<number>();
  for (;;) {
    const uiPort = await findPortWithoutBrowsers(tried);
    if (uiPort === undefined) options.log("Temporal's UI is not there: every port that it may listen on is taken");
    const server = await spawnServer([options.binary, ...serverArguments({ ...ports, ui: uiPort }, databaseFile)], {
      logFile: join(root, 'logs', 'temporal.log'),
      outlivesUs: options.durable ?? true,
      // Not our environment: TEMPORAL_* would configure the command line too.
      // GOGC: its heap grows by half between two collections instead of doubling, which takes a fifth less memory, and 3 % more CPU.
      env: { PATH: process.env['PATH'], HOME: join(root, 'temporal'), TZ: 'UTC', GOGC: '50' },
    });
    note(server);
    try {
      await waitUntilServing(server, { grpc: ports.grpc, ui: uiPort });
      return { ...server, uiPort };
    } catch (error) {
      await stopProcess(server, stopping(options));
      if (uiPort === undefined || !server.lastLines().includes(`:${uiPort}: bind: address already in use`)) throw error;
      tried.add(uiPort);
    }
  }
}

/** Its own shutdown takes more than a second; the file survives being cut off, so tests do not wait. */
function stopping({ durable = true }: TemporalOptions) {
  return { signals: durable ? (['SIGTERM', 'SIGKILL'] as const) : (['SIGKILL'] as const), graceMs: 10_000 };
}

async function stopOrphan(orphan: ProcessIdentity, options: TemporalOptions): Promise<void> {
  options.log(`stopping the Temporal server that a former start left running (pid ${orphan.pid})`);
  await stopProcess(orphan, stopping(options));
}

async function choosePorts(
  kept: Ports | undefined,
  options: TemporalOptions & { databaseFile: string; runFile: string },
): Promise<Ports> {
  const ports = kept ?? {
    grpc: await pickPort(),
    ui: await pickPort(),
    http: await pickPort(),
    metrics: await pickPort(),
  };
  for (const [name, number] of Object.entries(ports)) {
    if (await isPortFree(number)) continue;
    const listeners = findListeners(number).flatMap((pid) => findProcess(pid) ?? []);
    // A start of ours that was killed before it could note the pid has spawned it: it serves our file.
    const orphan = listeners.find((listener) => listener.command.includes(options.databaseFile));
    if (orphan === undefined) throw new Error(portTakenMessage({ name, number, listeners, runFile: options.runFile }));
    await stopOrphan(orphan, options);
  }
  return ports;
}

function portTakenMessage(taken: {
  name: string;
  number: number;
  listeners: { pid: number; command: string }[];
  runFile: string;
}): string {
  const [listener] = taken.listeners;
  const who =
    listener === undefined ? "another user's process" : `pid ${listener.pid} (${listener.command.slice(0, 200)})`;
  return `port ${taken.number} (Temporal's ${taken.name} port) is taken by ${who}: stop that, or remove ${taken.runFile} to have other ports chosen`;
}

async function waitUntilServing(server: ServerProcess, ports: Pick<ServedPorts, 'grpc' | 'ui'>): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  // The port has to be held by the very process that we spawned: over a taken one we would silently use another's server.
  while (!isListening(server.pid, ports.grpc) || (ports.ui !== undefined && !isListening(server.pid, ports.ui))) {
    const ending = server.howEnded();
    if (ending !== undefined) throw new Error(`Temporal did not start (${ending}):\n${server.lastLines()}`);
    if (performance.now() > deadline)
      throw new Error(`Temporal was not ready within ${startTimeoutMs / 1000} s:\n${server.lastLines()}`);
    await sleep(20);
  }
}
