import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pickPort } from '../../src/shared/platform/embedded/ports.ts';
import { endWithUs } from '../../src/shared/platform/embedded/server-process.ts';
import { bareEnv } from './bare-env.ts';

type Env = Record<string, string>;

/** An entry file of Parley in a process of its own, ready to work. */
export type ParleyProcess = {
  url: string;
  /** Of `/metrics` and of its own health. */
  metricsUrl: string;
  /** What it has written so far. */
  lines: string[];
  child: ChildProcess;
  /** SIGTERM where it still runs, and the exit code that it comes to. */
  stop: () => Promise<number | null>;
};

const project = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Starts `main` of the sources in `cwd` on ports of its own (where `env` names them, also as empty, on those), with a bare environment, and waits until Temporal is there too. Rejects with what it wrote when it ends before. It ends with this process at
 * the latest.
 */
export const startParley = async ({
  main = 'src/start.ts',
  cwd = project,
  env,
}: {
  main?: string;
  cwd?: string;
  env: Env;
}): Promise<ParleyProcess> => {
  const { PORT: port = String(await pickPort()), METRICS_PORT: metricsPort = String(await pickPort()) } = env;
  const child = spawn(process.execPath, [main], {
    cwd,
    env: { ...bareEnv(), ...env, PORT: port, METRICS_PORT: metricsPort },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.once('exit', endWithUs(child.pid ?? 0));
  // Its end, and its output's: what it says of why comes last.
  const closed = once(child, 'close').then(([code]) => (code === null ? null : Number(code)));
  const lines: string[] = [];
  const started = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      if (line.includes('"temporal.connected"')) started.resolve();
    });
  }
  void closed.then(() => started.reject(new Error(lines.join('\n'))));
  await started.promise;
  return {
    url: `http://localhost:${port}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}`,
    lines,
    child,
    stop: async () => {
      child.kill('SIGTERM');
      return closed;
    },
  };
};
