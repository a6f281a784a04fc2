import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';

/** A connection that client and workers share, which eager starts need, and their namespace. */
export type TemporalConnection = { connection: NativeConnection; namespace: string };

/**
 * Connects to the embedded server at `embedded` (host:port), or else to the server of the usual `TEMPORAL_…` variables, with their namespace,
 * TLS and API key. Rejects while Temporal is away.
 */
export const connectTemporal = async ({ embedded }: { embedded?: string | undefined }): Promise<TemporalConnection> => {
  // Variables that are meant for another server must not affect the embedded one.
  if (embedded !== undefined) {
    return { connection: await NativeConnection.connect({ address: embedded }), namespace: 'default' };
  }
  const { connectionOptions, namespace } = loadClientConnectConfig();
  return { connection: await NativeConnection.connect(connectionOptions), namespace: namespace ?? 'default' };
};
