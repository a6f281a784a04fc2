import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';

/** A connection that clients and workers share, which eager starts need, and the namespace they use. */
export type TemporalConnection = { connection: NativeConnection; namespace: string };

/**
 * Connects to Temporal: to the embedded server at `embedded` (host:port), else to where the usual `TEMPORAL_…` variables say,
 * with their namespace, TLS and API key. Rejects while Temporal is away.
 */
export const connectTemporal = async ({ embedded }: { embedded?: string | undefined }): Promise<TemporalConnection> => {
  // Variables that are meant for another server must not lead the embedded one astray.
  if (embedded !== undefined) {
    return { connection: await NativeConnection.connect({ address: embedded }), namespace: 'default' };
  }
  const { connectionOptions, namespace } = loadClientConnectConfig();
  return { connection: await NativeConnection.connect(connectionOptions), namespace: namespace ?? 'default' };
};
