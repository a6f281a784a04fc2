import { setTimeout as sleep } from 'node:timers/promises';
import { findBinaries } from '../../scripts/binaries.mjs';
import { startPostgres, type EmbeddedPostgres } from '../../src/shared/platform/embedded/postgres.ts';
import { endWithUs } from '../../src/shared/platform/embedded/server-process.ts';
import { startTemporal, type EmbeddedTemporal } from '../../src/shared/platform/embedded/temporal.ts';
import { patienceMs } from './patience.ts';

/** A server on data that outlives it: killed at any moment, started again where it was. */
export type KillableServer<Server> = {
  /** As it was started last. */
  now: () => Server;
  /** SIGKILL; resolves when it is gone. */
  kill: () => Promise<void>;
  start: () => Promise<void>;
  /** Starts it where it was killed. */
  revive: () => Promise<void>;
  stop: () => Promise<void>;
};

const log = (): void => {};

/** PostgreSQL as `npm start` runs it: durable, for a commit that was answered must survive the kill. */
export const startKillablePostgres = (dataDir: string): Promise<KillableServer<EmbeddedPostgres>> =>
  startKillable(() => startPostgres({ dataDir, log }));

/** Temporal's server as `npm start` runs it, on the same ports each time. */
export const startKillableTemporal = (dataDir: string): Promise<KillableServer<EmbeddedTemporal>> => {
  const { temporal: binary } = findBinaries();
  if (binary === undefined) throw new Error("Temporal's CLI is missing: run node scripts/bootstrap.mjs --for test");
  return startKillable(() => startTemporal({ dataDir, log, binary }));
};

const startKillable = async <Server extends { pid: number; ended: Promise<string>; stop: () => Promise<void> }>(
  startServer: () => Promise<Server>,
): Promise<KillableServer<Server>> => {
  const startNext = async (): Promise<Server> => {
    const next = await persist(startServer);
    // Durable ones outlive whoever started them.
    void next.ended.then(endWithUs(next.pid));
    return next;
  };
  let server = await startNext();
  let isKilled = false;
  const start = async (): Promise<void> => {
    server = await startNext();
    isKilled = false;
  };
  return {
    now: () => server,
    kill: async () => {
      isKilled = true;
      process.kill(server.pid, 'SIGKILL');
      await server.ended;
    },
    start,
    revive: async () => {
      if (isKilled) await start();
    },
    stop: () => server.stop(),
  };
};

/** A killed server's children hold its memory and ports for a moment yet. */
const persist = async <Server>(start: () => Promise<Server>): Promise<Server> => {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(100);
    }
  }
};
