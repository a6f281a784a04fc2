import { join } from 'node:path';
import { z } from 'zod';
import { isPortFree, pickPort } from '../shared/embedded/ports.ts';
import { readRunFile, writeRunFile } from '../shared/embedded/run-file.ts';

const schema = z.object({ PORT: z.number(), METRICS_PORT: z.number() });

const preferred = { PORT: 8080, METRICS_PORT: 9464 };

/**
 * The ports of an embedded installation where the environment names none: the usual ones, or free ones when another
 * clone has those at the first start; kept in DATA_DIR, so that addresses stay good.
 */
export const keptPorts = async (
  env: Record<string, string | undefined>,
  dataDir: string,
): Promise<Record<string, string | undefined>> => {
  const file = join(dataDir, 'run', 'http-ports.json');
  const kept = readRunFile(file, schema) ?? {
    PORT: await freePort(preferred.PORT),
    METRICS_PORT: await freePort(preferred.METRICS_PORT),
  };
  writeRunFile(file, kept);
  return { ...env, PORT: env.PORT || String(kept.PORT), METRICS_PORT: env.METRICS_PORT || String(kept.METRICS_PORT) };
};

const freePort = async (port: number): Promise<number> => ((await isPortFree(port)) ? port : pickPort());
