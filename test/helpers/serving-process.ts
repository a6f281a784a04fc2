import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { startParley } from './parley-process.ts';
import { tempFolder } from './temp-folder.ts';

export type ServingProcess = {
  url: string;
  masterKey: Buffer;
  /** What it serves on /metrics now. */
  metrics: () => Promise<string>;
  stop: () => Promise<void>;
};

/** All of Parley in a process of its own, on the servers given: Temporal's SDK serves its numbers once per process. */
export const startServing = async ({
  database,
  temporal,
  env = {},
}: {
  database: string;
  temporal: string;
  env?: Record<string, string>;
}): Promise<ServingProcess> => {
  const dataDir = tempFolder('serving');
  const masterKey = randomBytes(32);
  const { url, metricsUrl, stop } = await startParley({
    env: {
      DATA_DIR: dataDir,
      DATABASE_URL: database,
      TEMPORAL_ADDRESS: temporal,
      MASTER_KEY: masterKey.toString('base64'),
      EGRESS_ALLOW: '127.0.0.0/8',
      ...env,
    },
  });
  return {
    url,
    masterKey,
    metrics: async () => (await fetch(`${metricsUrl}/metrics`)).text(),
    stop: async () => {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
