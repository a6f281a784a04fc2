import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stopProcess } from '../../src/shared/embedded/processes.ts';
import { spawnServer, type ServerProcess } from '../../src/shared/embedded/server-process.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));

/** The process under fault: API and all workers, as `npm start` runs them, on servers that the suite kills by itself. */
export type FaultedService = {
  url: string;
  /** Resolves when it is ready, or alive where Temporal is away; answers when it was spawned, in ms since the epoch. */
  start: (options?: { withoutTemporal?: boolean }) => Promise<number>;
  kill: () => Promise<void>;
  /** SIGTERM; resolves when it has ended. */
  stop: () => Promise<void>;
};

const readyWithinMs = 30_000;

export const createService = ({
  dataDir,
  port,
  env,
}: {
  dataDir: string;
  port: number;
  env: Record<string, string>;
}): FaultedService => {
  const url = `http://127.0.0.1:${port}`;
  let server: ServerProcess | undefined;

  const answers = async (path: string): Promise<boolean> => {
    const answer = await fetch(`${url}${path}`).catch(() => undefined);
    return answer?.ok ?? false;
  };

  return {
    url,
    start: async ({ withoutTemporal = false } = {}) => {
      const sinceMs = Date.now();
      const { PATH = '', HOME = '' } = process.env;
      const started = await spawnServer([process.execPath, 'src/start.ts'], {
        logFile: join(dataDir, 'logs', 'parley.log'),
        outlivesUs: false,
        cwd: project,
        env: { PATH, HOME, UV_THREADPOOL_SIZE: '32', DATA_DIR: dataDir, PORT: String(port), ...env },
      });
      server = started;
      while (!(await answers(withoutTemporal ? '/health/live' : '/health/ready'))) {
        const ending = started.howEnded();
        if (ending !== undefined || Date.now() > sinceMs + readyWithinMs) {
          throw new Error(`the service did not get ready (${ending ?? 'in time'}):\n${started.lastLines()}`);
        }
        await sleep(50);
      }
      return sinceMs;
    },
    kill: async () => {
      if (!server || server.howEnded() !== undefined) throw new Error('there is nothing to kill');
      process.kill(server.pid, 'SIGKILL');
      await server.ended;
    },
    stop: async () => {
      if (server) await stopProcess(server, { signals: ['SIGTERM', 'SIGKILL'], graceMs: 30_000 });
    },
  };
};
