import { join } from 'node:path';
import { z } from 'zod';
import { type HeldPort, holdPort, isPortFree, pickPort } from '../shared/platform/embedded/ports.ts';
import { readRunFile, writeRunFile } from '../shared/platform/embedded/run-file.ts';

const schema = z.object({ PORT: z.number(), METRICS_PORT: z.number() });

type Environment = Readonly<Record<string, string | undefined>>;

export type KeptPorts = {
  /** The environment, with both ports set. */
  env: Record<string, string | undefined>;
  /** Releases PORT, which is held until the service listens on it, so that a clone that starts at the same moment takes another. */
  release: () => Promise<void>;
};

const preferred = { PORT: 8080, METRICS_PORT: 9464 };

/**
 * Chooses the ports of an embedded installation where the environment names none: the usual ones, or free ones when another clone has
 * those at the first start. DATA_DIR keeps them, so that addresses stay the same.
 */
export const keptPorts = async (env: Environment, dataDir: string): Promise<KeptPorts> => {
  const found = readRunFile(fileIn(dataDir), schema);
  const held = env.PORT ? undefined : await hold(found?.PORT);
  const kept = {
    PORT: held?.port ?? found?.PORT ?? preferred.PORT,
    METRICS_PORT: found?.METRICS_PORT ?? (await freePort(preferred.METRICS_PORT)),
  };
  writeRunFile(fileIn(dataDir), kept);
  return {
    env: { ...env, PORT: env.PORT || String(kept.PORT), METRICS_PORT: env.METRICS_PORT || String(kept.METRICS_PORT) },
    release: held?.release ?? (async () => {}),
  };
};

/** Keeps the metrics port that the service took instead, unless the environment named one. */
export const keepMetricsPort = (env: Environment, dataDir: string, port: number): void => {
  const kept = readRunFile(fileIn(dataDir), schema);
  if (!env.METRICS_PORT && kept) writeRunFile(fileIn(dataDir), { ...kept, METRICS_PORT: port });
};

/** Holds the kept port, at the first start the usual one or a free one. Undefined when another process has the kept port. */
const hold = async (kept: number | undefined): Promise<HeldPort | undefined> => {
  if (kept !== undefined) return holdPort(kept);
  return (await holdPort(preferred.PORT)) ?? holdPort(await pickPort());
};

const freePort = async (port: number): Promise<number> => ((await isPortFree(port)) ? port : pickPort());

const fileIn = (dataDir: string): string => join(dataDir, 'run', 'http-ports.json');
