import { join, resolve } from 'node:path';
import { z } from 'zod';
import { isAlive, processIdentity } from './processes.ts';
import { readRunFile, writeRunFile } from './run-file.ts';

const port = z.number().int().min(1).max(65_535);

const temporalRun = z.object({
  ports: z.object({ grpc: port, ui: port, http: port, metrics: port }),
  /** Absent after a stop: the ports stay, the process is gone. */
  process: processIdentity.optional(),
});

/** What the Temporal server of a data folder notes of itself, for commands and the next start. */
export type TemporalRun = z.infer<typeof temporalRun>;

export const temporalRunFile = (root: string): string => join(root, 'run', 'temporal.json');

export const readTemporalRun = (root: string): TemporalRun | undefined =>
  readRunFile(temporalRunFile(root), temporalRun);

export const noteTemporalRun = (root: string, run: TemporalRun): void => writeRunFile(temporalRunFile(root), run);

/** Where the Temporal server of the instance on this data folder is, if it runs. */
export const findRunningTemporal = (dataDir: string): { address: string; uiUrl: string } | undefined => {
  const { ports, process } = readTemporalRun(resolve(dataDir)) ?? {};
  return ports && process && isAlive(process) ? addressesOf(ports) : undefined;
};

/** Where it is reached, and where its UI is. */
export const addressesOf = ({ grpc, ui }: TemporalRun['ports']): { address: string; uiUrl: string } => ({
  address: `127.0.0.1:${grpc}`,
  uiUrl: `http://127.0.0.1:${ui}`,
});
