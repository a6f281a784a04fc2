import { Client, Connection, type ConnectionOptions } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { Config } from '../shared/platform/config.ts';
import { findRunningTemporal } from '../shared/platform/embedded/temporal-run.ts';
import type { Environment } from './command-deps.ts';

const connectTimeoutMs = 3_000;

/** How Temporal is reached: the server at `address`, else the one that the `TEMPORAL_…` variables name. */
export const temporalOptions = (
  env: Environment,
  address: string | undefined,
): { options: ConnectionOptions; namespace: string } => {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig({ overrideEnvVars: given(env) });
  const options = {
    ...connectionOptions,
    connectTimeout: connectTimeoutMs,
    ...(address !== undefined && { address }),
  };
  return { options, namespace };
};

/**
 * Runs `work` with a client of the installation's Temporal: the embedded one where no other is set. Without a client while it cannot be reached.
 * Closes what it opened.
 */
export const withTemporal = async <Result>(
  env: Environment,
  { temporalAddress, dataDir }: Pick<Config, 'temporalAddress' | 'dataDir'>,
  work: (client: Client | undefined) => Promise<Result>,
): Promise<Result> => {
  const embedded = temporalAddress === undefined ? findRunningTemporal(dataDir)?.address : undefined;
  if (temporalAddress === undefined && embedded === undefined) return work(undefined);
  const { options, namespace } = temporalOptions(env, embedded);
  // An absent Temporal is an answer here. Whoever needs it says so.
  const connection = await Connection.connect(options).catch(() => undefined);
  if (!connection) return work(undefined);
  try {
    return await work(new Client({ connection, namespace }));
  } finally {
    await connection.close();
  }
};

const given = (env: Environment): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])));
