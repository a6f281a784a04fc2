import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';

/** A connection that clients and workers share, which eager starts need, and the namespace they use. */
export type TemporalConnection = { connection: NativeConnection; namespace: string };

/**
 * Connects to Temporal. Address, namespace, TLS and API key come from the usual `TEMPORAL_…` variables; `address` says
 * where the embedded server is. Rejects while Temporal is away.
 */
export const connectTemporal = async ({ address }: { address?: string | undefined } = {}): Promise<TemporalConnection> => {
  const { connectionOptions, namespace } = loadClientConnectConfig();
  const connection = await NativeConnection.connect({
    ...connectionOptions,
    ...(address !== undefined && { address }),
  });
  return { connection, namespace: namespace ?? 'default' };
};
