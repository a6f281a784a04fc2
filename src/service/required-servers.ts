import { ConfigError, parseConfig, type Config } from '../shared/platform/config.ts';

/** The settings of a process that starts no servers of its own. Throws a `ConfigError` that names the missing ones. */
export const requireServers = (
  env: Record<string, string | undefined>,
): { config: Config; masterKey: Uint8Array; database: string } => {
  const config = parseConfig(env);
  const { masterKey, databaseUrl, temporalAddress } = config;
  const missing = [
    ...(databaseUrl === undefined
      ? ['DATABASE_URL is required here; only npm start brings a PostgreSQL of its own']
      : []),
    ...(temporalAddress === undefined
      ? ['TEMPORAL_ADDRESS is required here; only npm start brings a Temporal server of its own']
      : []),
  ];
  if (masterKey === undefined || databaseUrl === undefined || missing.length > 0) throw new ConfigError(missing);
  return { config, masterKey, database: databaseUrl };
};
