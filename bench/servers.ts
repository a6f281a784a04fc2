import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findBinaries } from '../scripts/binaries.mjs';
import { pickPort } from '../src/shared/platform/embedded/ports.ts';
import { startPostgres, type EmbeddedPostgres } from '../src/shared/platform/embedded/postgres.ts';
import { stopProcess } from '../src/shared/platform/embedded/processes.ts';
import { spawnServer } from '../src/shared/platform/embedded/server-process.ts';
import { startTemporal, type EmbeddedTemporal } from '../src/shared/platform/embedded/temporal.ts';
import { startFloor, type Floor } from './floor.ts';
import { memoryFlags } from './memory-flags.ts';
import type { Parts } from './processes.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { createTarget, type Target, type TargetOptions } from './target.ts';

const project = fileURLToPath(new URL('../', import.meta.url));

/** A process of Parley, or of a yardstick with Parley's API. */
export type Process = {
  pid: number;
  url: string;
  /** Where one of Parley serves its metrics. */
  metricsUrl: string;
  database: string;
  masterKey: Uint8Array;
  receiverPort: number;
};

type ProcessOptions = { file: string; flags?: readonly string[]; database: string; env?: Record<string, string> };

/** New servers for a measurement, on the same disk as the data of `npm start`. */
export type Ground = {
  /** Where its data and logs are. */
  dataDir: string;
  postgres: EmbeddedPostgres;
  temporal: EmbeddedTemporal;
  receiver: Receiver;
  /** Starts one more Temporal. Processes with databases of their own would take each other's tasks from one. */
  addTemporal: (name: string) => Promise<EmbeddedTemporal>;
  /** Starts a process and resolves when it is ready. */
  startProcess: (name: string, options: ProcessOptions) => Promise<Process>;
  /** A new account on a process, with webhooks at these paths of the receiver. */
  addTarget: (process: Process, options?: Pick<TargetOptions, 'paths' | 'senderOf'>) => Promise<Target>;
  /** Runs this when the servers are stopped, the last one first. */
  defer: (stop: () => Promise<void>) => void;
  stop: () => Promise<void>;
};

/** Starts PostgreSQL, Temporal and the receiver. Rejects with nothing left running. */
export const startGround = async (): Promise<Ground> => {
  await using started = new AsyncDisposableStack();
  await mkdir(join(project, 'data'), { recursive: true, mode: 0o700 });
  const dataDir = await mkdtemp(join(project, 'data', 'bench-'));
  started.defer(() => rm(dataDir, { recursive: true, force: true }));

  const log = (): void => {};
  const postgres = await startPostgres({ dataDir, log });
  started.defer(() => postgres.stop());
  const { temporal: binary } = findBinaries();
  if (binary === undefined) throw new Error("Temporal's dev server is missing: run `node scripts/bootstrap.mjs`");
  const temporal = await startTemporal({ dataDir, log, binary });
  started.defer(() => temporal.stop());
  const receiver = await startReceiver();
  started.defer(() => receiver.stop());

  const caFile = join(dataDir, 'receiver-ca.pem');
  await writeFile(caFile, receiver.caPem);
  const masterKey = randomBytes(32);
  const running = started.move();
  const startProcess = async (
    name: string,
    { file, flags = [], database, env = {} }: ProcessOptions,
  ): Promise<Process> => {
    const port = await pickPort();
    const metricsPort = await pickPort();
    const server = await spawnServer([process.execPath, ...memoryFlags.flags, ...flags, file], {
      logFile: join(dataDir, 'logs', `${name}.log`),
      outlivesUs: false,
      cwd: project,
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: dataDir,
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        DATABASE_URL: database,
        TEMPORAL_ADDRESS: temporal.address,
        MASTER_KEY: masterKey.toString('base64'),
        EGRESS_ALLOW: `127.0.0.1:${receiver.port}`,
        EGRESS_CA_FILE: caFile,
        RATE_LIMIT_PER_MINUTE: '100000000',
        ...memoryFlags.env,
        ...env,
      },
    });
    running.defer(() => stopProcess(server, { signals: ['SIGTERM', 'SIGKILL'], graceMs: 30_000 }));
    const url = `http://localhost:${port}`;
    const operations = `http://127.0.0.1:${metricsPort}`;
    await waitUntilReady(file === worker ? operations : url, server);
    const metricsUrl = `${operations}/metrics`;
    return { pid: server.pid, url, metricsUrl, database, masterKey, receiverPort: receiver.port };
  };
  return {
    dataDir,
    postgres,
    temporal,
    receiver,
    addTemporal: async (name) => {
      const more = await startTemporal({ dataDir: join(dataDir, name), log, binary });
      running.defer(() => more.stop());
      return more;
    },
    startProcess,
    addTarget: async (parley, options = {}) => {
      const target = await createTarget({ ...parley, ...options });
      running.defer(() => target.close());
      return target;
    },
    defer: (stop) => running.defer(stop),
    stop: () => running.disposeAsync(),
  };
};

/** What is measured for speed, each in processes of its own. */
export type Servers = {
  temporalAddress: string;
  receiver: Receiver;
  /** Parley as it is deployed: API and first attempts in one process. */
  parley: Target;
  /** The same with a plain queue instead of Temporal. */
  graphile: Target;
  floor: Floor;
  parts: Parts;
  stop: () => Promise<void>;
};

/** Starts Parley and the yardsticks. Rejects with nothing left running. */
export const startServers = async ({ profileDir }: { profileDir: string | undefined }): Promise<Servers> => {
  const ground = await startGround();
  try {
    const { postgres, temporal, receiver, startProcess, addTarget } = ground;
    const flags = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
    const parley = await startProcess('parley', { file: api, flags, database: postgres.database });
    const queue = { file: 'bench/graphile.ts', database: await postgres.createDatabase('graphile') };
    const graphile = await startProcess('graphile', queue);
    const floor = startFloor(temporal.address);
    ground.defer(() => floor.stop());
    return {
      temporalAddress: temporal.address,
      receiver,
      parley: await addTarget(parley),
      graphile: await addTarget(graphile),
      floor,
      parts: { ...partsOf(ground, { parley }), graphile: graphile.pid, floor: floor.pid },
      stop: ground.stop,
    };
  } catch (error) {
    await ground.stop();
    throw error;
  }
};

/** The process with the API, which also makes first attempts. */
export const api = 'src/api/main.ts';

/** The process with all task queues alone. It serves no API. */
export const worker = 'src/worker.ts';

/** The process with the API and all task queues, as `npm start` starts it. */
export const whole = 'src/start.ts';

/** The parts that use CPU time and memory while these processes are measured. */
export const partsOf = (
  { temporal, postgres, receiver }: Ground,
  processes: Readonly<Record<string, Process>>,
): Parts => ({
  temporal: temporal.pid,
  postgres: postgres.pid,
  receiver: receiver.pid,
  load: process.pid,
  ...Object.fromEntries(Object.entries(processes).map(([name, { pid }]) => [name, pid])),
});

const readyWithinMs = 60_000;

const waitUntilReady = async (
  url: string,
  { howEnded, lastLines }: { howEnded: () => string | undefined; lastLines: () => string },
): Promise<void> => {
  const deadline = Date.now() + readyWithinMs;
  for (;;) {
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (answer?.ok) return;
    const ending = howEnded();
    if (ending !== undefined || Date.now() > deadline) {
      throw new Error(`a server did not get ready (${ending ?? `${readyWithinMs / 1000} s`}):\n${lastLines()}`);
    }
    await sleep(50);
  }
};
