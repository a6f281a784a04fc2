import { findBinaries } from '../../../scripts/binaries.mjs';
import { lockInstanceInTurn } from './attach.ts';
import { startPostgres } from './postgres.ts';
import { startTemporal } from './temporal.ts';

export type Embedded = {
  /** DATABASE_URL, or the url of ours. */
  database: string;
  /** TEMPORAL_ADDRESS, or ours, which alone has a UI that we know of. */
  temporal: { address: string; uiUrl?: string };
  /** Resolves when a server of ours ends that nobody stopped, with the sentence to tell. */
  lost: Promise<string>;
  /** Temporal first, then PostgreSQL, then the data folder's lock. Safe to call again, also while it stops. */
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  config: { dataDir: string; databaseUrl?: string | undefined; temporalAddress?: string | undefined };
  /** Takes plain lines for people. */
  log: (line: string) => void;
  /** false for tests; see `PostgresOptions`. */
  durable?: boolean;
  /** Path of Temporal's CLI; else what the bootstrap got. */
  temporalBinary?: string | undefined;
};

/**
 * Starts the servers that the settings do not name, both at the same time, and takes the data folder for this process; with both
 * given it does neither. Throws AlreadyRunningError when another process has the folder. When one server fails to start, the other
 * one is stopped as well.
 */
export async function startEmbedded({
  config,
  log,
  durable = true,
  temporalBinary,
}: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, databaseUrl, temporalAddress } = config;
  const lock =
    databaseUrl === undefined || temporalAddress === undefined ? await lockInstanceInTurn(dataDir, log) : undefined;
  const startingPostgres =
    databaseUrl === undefined ? startPostgres({ dataDir, log, durable }) : outside({ database: databaseUrl });
  const startingTemporal =
    temporalAddress === undefined
      ? startDevServer({ dataDir, log, durable, temporalBinary })
      : outside({ address: temporalAddress });

  const stopAll = async () => {
    const failures: unknown[] = [];
    for (const starting of [startingTemporal, startingPostgres]) {
      // What failed to start has cleaned up after itself and told the caller.
      const server = await starting.catch(() => undefined);
      await server?.stop().catch((error: unknown) => failures.push(error));
    }
    lock?.release();
    if (failures.length > 0) throw new AggregateError(failures, 'an embedded server could not be stopped');
  };
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= stopAll());

  try {
    const [postgres, temporal] = await Promise.all([startingPostgres, startingTemporal]);
    const lost = new Promise<string>((resolve) => {
      for (const [name, server] of Object.entries({ PostgreSQL: postgres, Temporal: temporal })) {
        const tell = (ending: string) =>
          stopping ?? resolve(`${name} has ended by itself (${ending}): see the log in ${dataDir}/logs`);
        void server.ended.then(tell);
      }
    });
    return { database: postgres.database, temporal, lost, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A server that somebody else runs, in the form of one of ours. */
async function outside<Server extends object>(server: Server) {
  return { ...server, ended: new Promise<string>(() => {}), stop: async () => {} };
}

async function startDevServer({
  temporalBinary,
  ...options
}: Pick<EmbeddedOptions, 'log' | 'temporalBinary'> & { dataDir: string; durable: boolean }) {
  const binary = temporalBinary ?? findBinaries().temporal;
  if (binary !== undefined) return startTemporal({ ...options, binary });
  throw new Error("Temporal's dev server is missing: run `node scripts/bootstrap.mjs`, or set TEMPORAL_ADDRESS");
}
