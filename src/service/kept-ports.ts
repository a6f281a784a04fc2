import { join } from 'node:path';
import { z } from 'zod';
import { type HeldPort, holdPort, isPortFree, pickPort } from '../shared/platform/embedded/ports.ts';
import { readRunFile, writeRunFile } from '../shared/platform/embedded/run-file.ts';

const schema = z.object({ PORT: z.number(), METRICS_PORT: z.number() });

type Environment = Readonly<Record<string, string | undefined>>;

export type KeptPorts = {
  /** The environment with both ports. */
  env: Record<string, string | undefined>;
  /** Lets go of PORT, which is held until the service listens there itself: a clone that starts at the same moment takes another. */
  release: () => Promise<void>;
};

const preferred = { PORT: 8080, METRICS_PORT: 9464 };

/**
 * The ports of an embedded installation where the environment names none: the usual ones, or free ones when another
 * clone has those at the first start; kept in DATA_DIR, so that addresses stay good.
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

/** Keeps the metrics port that the service had to take instead, unless the environment named one. */
export const keepMetricsPort = (env: Environment, dataDir: string, port: number): void => {
  const kept = readRunFile(fileIn(dataDir), schema);
  if (!env.METRICS_PORT && kept) writeRunFile(fileIn(dataDir), { ...kept, METRICS_PORT: port });
};

/** The port that was kept, unless a stranger has it, who is told of when the service listens; at first the usual one or another. */
const hold = async (kept: number | undefined): Promise<HeldPort | undefined> => {
  if (kept !== undefined) return holdPort(kept);
  return (await holdPort(preferred.PORT)) ?? holdPort(await pickPort());
};

const freePort = async (port: number): Promise<number> => ((await isPortFree(port)) ? port : pickPort());

const fileIn = (dataDir: string): string => join(dataDir, 'run', 'http-ports.json');
