import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pickPort } from '../../src/shared/embedded/ports.ts';

export type ServingProcess = {
  url: string;
  masterKey: Buffer;
  /** What it serves on /metrics now. */
  metrics: () => Promise<string>;
  stop: () => Promise<void>;
};

/** All of Parley in a process of its own, on the servers given: Temporal's SDK serves its numbers once per process. */
export const startServing = async (servers: { database: string; temporal: string }): Promise<ServingProcess> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-metrics-'));
  const masterKey = randomBytes(32);
  const [port, metricsPort] = [await pickPort(), await pickPort()];
  const child = spawn('node', ['src/start.ts'], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      DATABASE_URL: servers.database,
      TEMPORAL_ADDRESS: servers.temporal,
      MASTER_KEY: masterKey.toString('base64'),
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      EGRESS_ALLOW: '127.0.0.0/8',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const started = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      if (line.includes('temporal.connected')) started.resolve();
    });
  }
  const exited = once(child, 'exit');
  void exited.then(() => started.reject(new Error(lines.join('\n'))));
  await started.promise;
  return {
    url: `http://localhost:${port}`,
    masterKey,
    metrics: async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
