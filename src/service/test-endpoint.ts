import { join } from 'node:path';
import { z } from 'zod';
import type { Database } from '../shared/platform/db/connect.ts';
import type { FindOwnEndpoint } from '../shared/platform/egress/own-endpoint.ts';
import { pickPort } from '../shared/platform/embedded/ports.ts';
import { readRunFile, writeRunFile } from '../shared/platform/embedded/run-file.ts';
import { keptCertificate } from '../shared/platform/kept-certificate.ts';
import type { Logger } from '../shared/platform/log.ts';
import type { Secrets } from '../shared/platform/secrets/seal.ts';
import { createTestEndpoint, type RunningTestEndpoint } from '../shared/test-endpoint/test-endpoint.ts';
import { listen, PortTakenError, type Limits, type Listener } from './listen.ts';

/** It always listens here, whatever HOST says. */
const host = '127.0.0.1';

/** Only this machine reaches it, and what calls it is fast. */
const defaultLimits: Partial<Limits> = {
  headMs: 5_000,
  requestMs: 10_000,
  exchangeMs: 30_000,
  connections: 512,
  connectionsPerNetwork: 512,
};

/** The endpoint, and how the egress guard finds it while it listens. */
export type ServedTestEndpoint = {
  endpoint: RunningTestEndpoint;
  find: FindOwnEndpoint;
  stop: () => Promise<void>;
};

const schema = z.object({ port: z.int().min(1).max(65_535) });

/** `limits` in place of some of its own. */
type Options = { dataDir: string; db: Database; secrets: Secrets; log: Logger; limits?: Partial<Limits> };

/**
 * Serves the test endpoint on a loopback port of its own. Webhooks and flows have its address, so port and certificate stay the same over restarts.
 * Undefined where another program has the port: nothing may be sent there then.
 */
export const serveTestEndpoint = async ({
  dataDir,
  limits: changed,
  ...deps
}: Options): Promise<ServedTestEndpoint | undefined> => {
  const folder = join(dataDir, 'test-endpoint');
  const portFile = join(folder, 'port.json');
  const { certPem, keyPem, caPem } = await keptCertificate(folder, "Parley's test endpoint");
  const port = readRunFile(portFile, schema)?.port ?? (await pickPort());
  const origin = `https://${host}:${port}`;
  const endpoint = createTestEndpoint({ ...deps, origin });
  let listener: Listener;
  try {
    const tls = { cert: certPem, key: keyPem };
    const limits = { ...defaultLimits, ...changed };
    listener = await listen(endpoint.take, { name: 'TEST_ENDPOINT', host, port, limits, tls });
  } catch (error) {
    endpoint.stop();
    if (!(error instanceof PortTakenError)) throw error;
    deps.log.warn({ port }, 'test_endpoint.port_taken');
    return undefined;
  }
  writeRunFile(portFile, { port });
  return {
    endpoint,
    find: () => (listener.isListening() ? { origin, caPem } : undefined),
    stop: async () => {
      const stopped = listener.stop();
      endpoint.stop();
      await stopped;
    },
  };
};
