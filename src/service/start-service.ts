import { createActivities } from '../activities/index.ts';
import { createOperationsApp } from './operations-app.ts';
import type { Config } from '../shared/platform/config.ts';
import { databaseAnswers, type Database, type DatabaseTarget } from '../shared/platform/db/connect.ts';
import { migrate } from '../shared/platform/db/migrate.ts';
import { readSettlingMs } from '../shared/platform/db/settling.ts';
import { watchStarts } from '../shared/platform/dispatch/start-watch.ts';
import { createEgress } from '../shared/platform/egress/client.ts';
import { pickPort } from '../shared/platform/embedded/ports.ts';
import { createRefusalLog } from './connections.ts';
import { connectPrepared } from './connect-prepared.ts';
import { createDispatching } from './dispatching.ts';
import { describeProcess, forgetProcess } from './own-process.ts';
import { createOwnRequests } from './own-requests.ts';
import { startMaintenance } from './maintenance.ts';
import { createHealth } from './health.ts';
import { createPools } from './pools.ts';
import { serveApi } from './serve-api.ts';
import { serveOperations } from './serve-operations.ts';
import { serveTestEndpoint } from './test-endpoint.ts';
import type { Logger } from '../shared/platform/log.ts';
import { createMedia } from '../shared/media/media.ts';
import type { EventTransact } from '../shared/facts/tell.ts';
import { createMailer } from '../shared/mail/mailer.ts';
import { createChannelKinds } from '../shared/messages/channels/kinds.ts';
import { createTokens } from '../shared/credentials/oauth2/tokens.ts';
import { createJudgeOnThread } from '../shared/external-requests/judge-on-thread.ts';
import { createTopicTeller } from '../shared/hints/tell-topics.ts';
import { createThreads } from '../shared/platform/threads/threads.ts';
import { createMetrics } from './metrics.ts';
import { orAbort } from '../shared/platform/deadline.ts';
import { ownProcessId } from '../shared/platform/processes/own-process.ts';
import { reportProcess } from '../shared/platform/processes/processes.ts';
import { openSecrets } from '../shared/platform/secrets/master-key.ts';
import { requireRightMasterKey } from '../shared/platform/secrets/probe.ts';
import type { Secrets } from '../shared/platform/secrets/seal.ts';
import { registerGauges } from './gauges.ts';
import { readInstallation } from './installation-numbers.ts';
import { startTracing } from '../shared/platform/telemetry/tracing.ts';
import { linkTemporal } from '../shared/platform/temporal/link.ts';
import { installRuntime } from '../shared/platform/temporal/runtime.ts';
import { linkToPages } from './link-to-pages.ts';
import { createWorkers, type Queue } from './workers.ts';

export type ServiceOptions = {
  config: Config;
  database: DatabaseTarget;
  /** Where the embedded Temporal is, as host:port, and its UI. The environment tells where not given. */
  embeddedTemporal?: { address: string; uiUrl?: string } | undefined;
  /** The roles of this process: whether it serves the API, and the task queues that it works on. */
  api: boolean;
  queues: readonly Queue[];
  /** The task queues of these on which it takes no ordinary activities. */
  localOnly?: readonly Queue[];
  log: Logger;
  /** Releases PORT, where it was held until this service listens. */
  releasePort?: () => Promise<void>;
  /** Gives up the start, which otherwise waits for as long as another process migrates. Its reason is thrown. */
  signal?: AbortSignal;
};

/** A running process. */
export type Service = {
  db: Database;
  transact: EventTransact;
  secrets: Secrets;
  /** The port of `/metrics`: METRICS_PORT, or a free one when that was taken. */
  metricsPort: number;
  /** Stops accepting, lets the workers drain, closes Temporal, closes PostgreSQL. Safe to call again. */
  stop: () => Promise<void>;
};

/**
 * Builds what a process needs and starts its roles. Resolves when the schema is up to date and the API listens; Temporal may come
 * later. Rejects when PostgreSQL is away or a port is taken, and leaves nothing running.
 */
export const startService = async (options: ServiceOptions): Promise<Service> => {
  await using started = new AsyncDisposableStack();
  const service = await build(options, started);
  const running = started.move();
  return { ...service, stop: () => running.disposeAsync() };
};

/** Each part adds what closes it. They are closed in reverse order, all of them even when one fails. */
const build = async (options: ServiceOptions, started: AsyncDisposableStack): Promise<Omit<Service, 'stop'>> => {
  const { config, log, queues, signal } = options;
  const { db, forBatches, forSurveys } = createPools(options.database, started);
  const onWait = (wait: object) => log.warn(wait, 'database.migration_waits');
  const migrating = migrate(db, { onWait }).catch((error: unknown) => {
    throw new Error(`PostgreSQL at ${placeOf(options.database)} cannot be used`, { cause: error });
  });
  const applied = await orAbort(migrating, signal);
  if (applied.length > 0) log.info({ applied: applied.length, last: applied.at(-1) }, 'database.migrated');
  const teller = createTopicTeller({ sql: db, processId: ownProcessId, log });
  started.defer(teller.stop);
  const secrets = await openSecrets(config);
  await requireRightMasterKey(db, secrets);
  const tested =
    options.api && config.testEndpoint
      ? await serveTestEndpoint({ dataDir: config.dataDir, db, secrets, log })
      : undefined;
  if (tested) started.defer(tested.stop);
  const findOwn = tested?.find ?? (() => undefined);
  const egressOptions = { allow: config.egressAllow, extraCa: config.egressCa, findOwn };
  const egress = createEgress(egressOptions);
  started.defer(() => egress.close());
  // Connections of its own: a third party that hangs holds up no delivery.
  const callEgress = createEgress(egressOptions);
  started.defer(() => callEgress.close());
  const threads = createThreads();
  started.defer(threads.stop);
  const judgeResponse = createJudgeOnThread(threads);
  const media = createMedia(config, secrets, log);
  started.defer(media.stop);
  const mailer = createMailer(config, log);
  started.defer(() => mailer.close());

  started.defer(await startTracing(config, log));
  const metrics = createMetrics();
  const channelKinds = createChannelKinds(config, media.store);
  const sdkMetrics = `127.0.0.1:${await pickPort()}`;
  installRuntime({ log, metricsAddress: sdkMetrics });

  const client = () => link.client();
  const watch = watchStarts(metrics);
  const settledAt = performance.now() + (await readSettlingMs(db));
  const requests = createOwnRequests(db, options, metrics);
  const common = { db, egress, secrets, channelKinds, metrics, tellTopics: teller.tell, log };
  const dispatching = createDispatching({
    ...common,
    forBatches,
    forClaims: forSurveys,
    sendsMessages: queues.includes('messages'),
    urls: { baseUrl: config.baseUrl, apiUrl: config.apiUrl, lastingLinkTo: media.lastingLinkTo },
    placeRequest: requests.localRequests.place,
    workflowPerDelivery: config.workflowPerDelivery,
    client,
    temporalAnswers: () => link.answers(),
    eager: queues.includes('deliveries') && queues.includes('flows'),
    settled: () => performance.now() >= settledAt,
    watch,
  });
  const { transact, autocommit, dispatcher, outbox, firstPasses, sweep } = dispatching;
  const { baseUrl, apiUrl, retentionDays } = config;
  const tokens = createTokens({ transact, secrets, egress: callEgress, log, metrics, baseUrl });
  const activities = createActivities({
    ...common,
    ...requests,
    transact,
    callEgress,
    tokens,
    judgeResponse,
    mailer,
    firstPasses,
    dispatcher,
    outbox,
    baseUrl,
    apiUrl,
    lastingLinkTo: media.lastingLinkTo,
    retentionDays,
  });
  const link = linkTemporal({
    connect: () => connectPrepared({ embedded: options.embeddedTemporal?.address, queues, log }),
    createWorkers: (temporal) =>
      createWorkers(temporal, { queues, localOnly: options.localOnly ?? [], activities, log }),
    onRun: requests.localRequests.open,
    onStop: requests.localRequests.close,
    interceptors: { workflow: [linkToPages(config.baseUrl)] },
    log,
  });
  started.defer(link.stop);

  const self = describeProcess(config, options);
  const processId = self.id;
  await reportProcess(db, self);
  started.defer(() => forgetProcess(db, self, log));
  const scheduling = queues.includes('maintenance') ? client : () => undefined;
  const maintenance = startMaintenance({
    db,
    transact,
    process: self,
    sweep,
    store: media.store,
    mediaRetentionDays: config.mediaRetentionDays,
    temporal: scheduling,
    log,
  });
  started.defer(maintenance.stop);
  const health = createHealth({ db, link, watch });
  registerGauges(metrics.registry, {
    installation: () => readInstallation(forSurveys),
    databaseAnswers: () => databaseAnswers(db),
    temporalAnswers: link.answers,
    queues,
    workersRunning: link.workersRunning,
    dispatchesWaiting: dispatcher.waiting,
    spareStartsWaiting: dispatching.spareStartsWaiting,
    writesWaiting: dispatching.writesWaiting,
    startsFailing: watch.failing,
  });
  const operations = createOperationsApp({ registry: metrics.registry, sdkMetrics, health, processId, log });
  const onRefused = createRefusalLog(log);
  const served = await serveOperations(operations.callback(), { port: config.metricsPort, onRefused, log });
  started.defer(served.stop);
  started.defer(dispatching.stop);
  if (options.api) {
    const shared = {
      config,
      threads,
      embeddedTemporal: options.embeddedTemporal,
      testEndpoint: tested?.endpoint,
      findOwn,
      teller,
      db,
      transact,
      autocommit,
      egress,
      callEgress,
      tokens,
      judgeResponse,
      secrets,
      channelKinds,
      media,
      log,
      health,
      processId,
      temporal: client,
      metrics,
    };
    const { database, releasePort } = options;
    await serveApi(shared, { database, ...(releasePort ? { releasePort } : {}), started, onRefused });
  }
  return { db, transact, secrets, metricsPort: served.port };
};

/** Host and port of a database's url, or its socket's folder; never the password. */
const placeOf = (database: DatabaseTarget): string => decodeURIComponent(URL.parse(database)?.host ?? 'DATABASE_URL');
