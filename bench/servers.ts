import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findBinaries } from '../scripts/binaries.mjs';
import { pickPort } from '../src/shared/embedded/ports.ts';
import { startPostgres } from '../src/shared/embedded/postgres.ts';
import { stopProcess } from '../src/shared/embedded/processes.ts';
import { spawnServer } from '../src/shared/embedded/server-process.ts';
import { startTemporal } from '../src/shared/embedded/temporal.ts';
import { startFloor, type Floor } from './floor.ts';
import type { Parts } from './processes.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { createTarget, type Target } from './target.ts';

const project = fileURLToPath(new URL('../', import.meta.url));

/** Everything that is measured, each in processes of its own. */
export type Servers = {
  temporalAddress: string;
  receiver: Receiver;
  /** Parley as it is deployed: API and first attempts in one process. */
  parley: Target;
  /** The same on a plain queue. */
  graphile: Target;
  floor: Floor;
  parts: Parts;
  stop: () => Promise<void>;
};

/** Starts it all on a new folder beside the data of `npm start`, the same disk; rejects with nothing left running. */
export const startServers = async ({ profileDir }: { profileDir: string | undefined }): Promise<Servers> => {
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
  const startParley = async (name: string, { args, database }: { args: readonly string[]; database: string }) => {
    const port = await pickPort();
    const server = await spawnServer([process.execPath, ...args], {
      logFile: join(dataDir, 'logs', `${name}.log`),
      outlivesUs: false,
      cwd: project,
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: dataDir,
        PORT: String(port),
        METRICS_PORT: String(await pickPort()),
        DATABASE_URL: database,
        TEMPORAL_ADDRESS: temporal.address,
        MASTER_KEY: masterKey.toString('base64'),
        EGRESS_ALLOW: `127.0.0.1:${receiver.port}`,
        EGRESS_CA_FILE: caFile,
        RATE_LIMIT_PER_MINUTE: '100000000',
      },
    });
    started.defer(() => stopProcess(server, { signals: ['SIGTERM', 'SIGKILL'], graceMs: 30_000 }));
    const url = `http://localhost:${port}`;
    await waitUntilReady(url, server);
    const target = await createTarget({ url, database, masterKey, receiverPort: receiver.port });
    started.defer(() => target.close());
    return { target, pid: server.pid };
  };

  const profiling = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
  const parley = await startParley('parley', { args: [...profiling, 'src/api/main.ts'], database: postgres.database });
  const graphile = await startParley('graphile', {
    args: ['bench/graphile.ts'],
    database: await postgres.createDatabase('graphile'),
  });
  const floor = startFloor(temporal.address);
  started.defer(() => floor.stop());

  const running = started.move();
  return {
    temporalAddress: temporal.address,
    receiver,
    parley: parley.target,
    graphile: graphile.target,
    floor,
    parts: {
      temporal: temporal.pid,
      parley: parley.pid,
      postgres: postgres.pid,
      graphile: graphile.pid,
      floor: floor.pid,
      receiver: receiver.pid,
      load: process.pid,
    },
    stop: () => running.disposeAsync(),
  };
};

const readyWithinMs = 20_000;

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
