import { findBinaries } from '../../../../scripts/binaries.mjs';
import { lockInstanceInTurn } from './attach.ts';
import { type KeptServer, keepRunning } from './keep-running.ts';
import { startPostgres } from './postgres.ts';
import { startTemporal } from './temporal.ts';

export type Embedded = {
  /** DATABASE_URL, or the url of ours. */
  database: string;
  /** TEMPORAL_ADDRESS, or ours, which alone has a UI that we know of. */
  temporal: { address: string; uiUrl?: string };
  /** Resolves when a server of ours that ended by itself does not come back, with the sentence to tell. */
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
  /** See `KeepRunningOptions.pausesMs`. */
  restartPausesMs?: readonly number[] | undefined;
  /** Gives up the start, which takes its time after a crash, and throws its reason. */
  signal?: AbortSignal;
};

/**
 * Starts the servers that the settings do not name, both at the same time, and takes the data folder for this process; with both
 * given it does neither. A server that ends by itself is started again where it was. Throws AlreadyRunningError when another
 * process has the folder. When one server fails to start, the other one is stopped as well.
 */
export async function startEmbedded({
  config,
  log,
  durable = true,
  temporalBinary,
  restartPausesMs: pausesMs,
  signal,
}: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, databaseUrl, temporalAddress } = config;
  const lock =
    databaseUrl === undefined || temporalAddress === undefined ? await lockInstanceInTurn(dataDir, log) : undefined;
  const startingPostgres =
    databaseUrl === undefined
      ? keepRunning((signal) => startPostgres({ dataDir, log, durable, signal }), {
          name: 'PostgreSQL',
          log,
          pausesMs,
          signal,
        })
      : outside({ database: databaseUrl });
  const startingTemporal =
    temporalAddress === undefined
      ? keepRunning(() => startDevServer({ dataDir, log, durable, temporalBinary }), {
          name: 'Temporal',
          log,
          pausesMs,
        })
      : outside({ address: temporalAddress });

  const stopAll = async () => {
    const failures: unknown[] = [];
    for (const starting of [startingTemporal, startingPostgres]) {
      // What failed to start has cleaned up after itself and told the caller.
      const kept = await starting.catch(() => undefined);
      await kept?.stop().catch((error: unknown) => failures.push(error));
    }
    lock?.release();
    if (failures.length > 0) throw new AggregateError(failures, 'an embedded server could not be stopped');
  };
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= stopAll());

  try {
    const [postgres, temporal] = await Promise.all([startingPostgres, startingTemporal]);
    const lost = Promise.race([postgres.lost, temporal.lost]).then(
      (sentence) => `${sentence}: see the log in ${dataDir}/logs`,
    );
    return { database: postgres.server.database, temporal: temporal.server, lost, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A server that somebody else runs, in the form of one of ours. */
async function outside<Server>(server: Server): Promise<KeptServer<Server>> {
  return { server, lost: new Promise(() => {}), stop: async () => {} };
}

async function startDevServer({
  temporalBinary,
  ...options
}: Pick<EmbeddedOptions, 'log' | 'temporalBinary'> & { dataDir: string; durable: boolean }) {
  const binary = temporalBinary ?? findBinaries().temporal;
  if (binary !== undefined) return startTemporal({ ...options, binary });
  throw new Error("Temporal's dev server is missing: run `node scripts/bootstrap.mjs`, or set TEMPORAL_ADDRESS");
}
