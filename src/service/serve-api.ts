import { createApp } from '../api/app.ts';
import { createRedactOnThread } from '../shared/external-requests/redact-on-thread.ts';
import { startRenewing } from '../shared/messages/channels/renew-connections.ts';
import { startPolling } from '../shared/messages/channels/polling/poll-channels.ts';
import type { DatabaseTarget } from '../shared/platform/db/connect.ts';
import { createApiDeps } from './api-deps.ts';
import { createBeatTellers } from './beat-tellers.ts';
import { listen } from './listen.ts';
import { createApiPools } from './pools.ts';

type Shared = Omit<Parameters<typeof createApiDeps>[0], 'pools' | 'presenceTeller' | 'typingTeller' | 'redactBody'>;

type Place = {
  database: DatabaseTarget;
  releasePort?: () => Promise<void>;
  onRefused: () => void;
  /** Closes what is added to it, the last first. */
  started: AsyncDisposableStack;
};

/** Serves the API and the dashboard at PORT, and asks the channels that are polled. Rejects when the port is taken. */
export const serveApi = async (shared: Shared, { database, releasePort, onRefused, started }: Place): Promise<void> => {
  const { config, db, processId, threads, log } = shared;
  const { stop, ...beatTellers } = createBeatTellers({ sql: db, processId, log });
  started.defer(stop);
  const deps = createApiDeps({
    ...shared,
    pools: createApiPools(database, started),
    ...beatTellers,
    redactBody: createRedactOnThread(threads),
  });
  started.defer(deps.arrivals.stop);
  started.defer(startPolling(deps).stop);
  started.defer(startRenewing(deps).stop);
  await releasePort?.();
  const server = await listen(createApp(deps).callback(), {
    name: 'PORT',
    host: config.host,
    port: config.port,
    trustsProxy: config.trustProxy,
    onRefused,
  });
  started.defer(server.stop);
  // First: else the server would wait for pages that listen.
  started.defer(deps.live.stop);
  started.defer(deps.visitorStreams.stop);
  started.defer(deps.streams.stop);
};
