import { searchAttributeNames } from '../temporal/search-attributes.ts';

/** What the server itself listens on. Its UI stands behind ours, or is off. */
export type ServedPorts = { grpc: number; http: number; metrics: number; ui: number | undefined };

/** So that it takes little memory beside the service. A server with a machine of its own keeps what it comes with. */
const small = {
  // Entries, two a workflow. 8,096 would keep 4,000 in memory, most of which have ended. One that waits is read again from the file.
  'history.hostLevelCacheMaxSize': 2048,
  // Of goroutines that wait for tasks it starts 512 a kind, each with a stack that is looked through at every collection.
  'history.transferProcessorSchedulerWorkerCount': 64,
  'history.timerProcessorSchedulerWorkerCount': 64,
  'history.visibilityProcessorSchedulerWorkerCount': 64,
  'history.memoryTimerProcessorSchedulerWorkerCount': 16,
  // These are of other clusters, and of archives, which there are none of.
  'history.ReplicationProcessorSchedulerWorkerCount': 8,
  'history.ReplicationLowPriorityProcessorSchedulerWorkerCount': 8,
  'history.archivalProcessorSchedulerWorkerCount': 8,
};

/** The command line of Temporal's dev server, on this file and these ports. */
export function serverArguments(ports: ServedPorts, databaseFile: string): string[] {
  const dynamicConfig = {
    // Two cores gain nothing from partitions, and each costs pollers.
    'matching.numTaskqueueReadPartitions': 1,
    'matching.numTaskqueueWritePartitions': 1,
    'system.enableActivityEagerExecution': true,
    // A hanging receiver must not slow the retries of others. Only the new matcher uses fairness keys.
    'matching.useNewMatcher': true,
    'matching.enableFairness': true,
    'frontend.enableServerVersionCheck': false,
    // Any web page that reaches the HTTP API could give it commands. It answers only to this name, which no request can have: it has a space.
    'frontend.httpAllowedHosts': ['nobody at all'],
  };
  const flags = {
    ip: '127.0.0.1',
    port: ports.grpc,
    ...(ports.ui !== undefined && { 'ui-port': ports.ui }),
    'http-port': ports.http,
    'metrics-port': ports.metrics,
    'db-filename': databaseFile,
    'log-level': 'warn',
  };
  return [
    'server',
    'start-dev',
    ...(ports.ui === undefined ? ['--headless'] : ['--ui-disable-news-fetch']),
    ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ...['journal_mode=WAL', 'synchronous=NORMAL'].flatMap((pragma) => ['--sqlite-pragma', pragma]),
    ...searchAttributeNames.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
    ...Object.entries({ ...dynamicConfig, ...small }).flatMap(([key, value]) => [
      '--dynamic-config-value',
      `${key}=${JSON.stringify(value)}`,
    ]),
  ];
}
