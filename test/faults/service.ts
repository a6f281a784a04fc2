import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stopProcess } from '../../src/shared/platform/embedded/processes.ts';
import { spawnServer, type ServerProcess } from '../../src/shared/platform/embedded/server-process.ts';
import { bareEnv } from '../helpers/bare-env.ts';
import { patienceMs } from './patience.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));

/** The process under fault: API and all workers, as `npm start` runs them, on servers that the suite kills by itself. */
export type FaultedService = {
  url: string;
  /** Resolves when it is ready; answers when it was spawned, in ms since the epoch. */
  start: () => Promise<number>;
  /** Starts it where it has ended. */
  revive: () => Promise<void>;
  isRunning: () => boolean;
  /** The last twenty lines of its log that are not of level info. */
  complaints: () => string;
  kill: () => Promise<void>;
  /** SIGTERM, and SIGKILL where that does not end it; answers how it ended: "exit code 0". */
  stop: () => Promise<string>;
};

export const createService = ({
  dataDir,
  name,
  port,
  env,
}: {
  dataDir: string;
  name: string;
  port: number;
  env: Record<string, string>;
}): FaultedService => {
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(dataDir, 'logs', `${name}.log`);
  let server: ServerProcess | undefined;

  const isReady = async (): Promise<boolean> => {
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
    return answer?.ok ?? false;
  };

  const start = async (): Promise<number> => {
    const sinceMs = Date.now();
    const { HOME = '' } = process.env;
    const started = await spawnServer([process.execPath, 'src/start.ts'], {
      logFile,
      outlivesUs: false,
      cwd: project,
      env: { ...bareEnv(), HOME, DATA_DIR: dataDir, PORT: String(port), ...env },
    });
    server = started;
    while (!(await isReady())) {
      const ending = started.howEnded();
      if (ending !== undefined || Date.now() > sinceMs + patienceMs) {
        throw new Error(`the service did not get ready (${ending ?? 'in time'}):\n${started.lastLines()}`);
      }
      await sleep(50);
    }
    return sinceMs;
  };

  return {
    url,
    start,
    revive: async () => {
      if (server?.howEnded() !== undefined) await start();
    },
    isRunning: () => server !== undefined && server.howEnded() === undefined,
    complaints: () => {
      const lines = readFileSync(logFile, 'utf8').split('\n');
      return lines
        .filter((line) => !line.includes('"level":"info"'))
        .slice(-20)
        .join('\n');
    },
    kill: async () => {
      if (!server || server.howEnded() !== undefined) throw new Error('there is nothing to kill');
      process.kill(server.pid, 'SIGKILL');
      await server.ended;
    },
    stop: async () => {
      if (!server) return 'never started';
      await stopProcess(server, { signals: ['SIGTERM', 'SIGKILL'], graceMs: patienceMs });
      return server.ended;
    },
  };
};
