import { createActivities } from '../activities/index.ts';
import { createApp } from '../api/app.ts';
import { createOperationsApp } from './operations-app.ts';
import type { Config } from '../shared/config.ts';
import { connectDatabase, databaseAnswers, type Database, type DatabaseTarget } from '../shared/db/connect.ts';
import { migrate } from '../shared/db/migrate.ts';
import { createTransact, type Transact } from '../shared/db/transact.ts';
import { countUnfinished } from '../shared/deliveries/backlog.ts';
import { createDispatcher } from '../shared/dispatch/dispatcher.ts';
import { createFirstAttempts } from '../shared/dispatch/first-attempts.ts';
import { createSweep } from '../shared/dispatch/sweep.ts';
import { createEgress } from '../shared/egress/client.ts';
import { pickPort } from '../shared/embedded/ports.ts';
import { keepHouse } from './housekeeping.ts';
import { listen } from './listen.ts';
import type { Logger } from '../shared/log.ts';
import { createMailer } from '../shared/mail/mailer.ts';
import { createMetrics } from '../shared/metrics.ts';
import { requireRightMasterKey } from '../shared/secrets/probe.ts';
import { createSecrets, type Secrets } from '../shared/secrets/seal.ts';
import { connectTemporal } from '../shared/temporal/connect.ts';
import { linkTemporal } from '../shared/temporal/link.ts';
import { registerSearchAttributes } from '../shared/temporal/register-search-attributes.ts';
import { installRuntime } from '../shared/temporal/runtime.ts';
import { createWorkers, type Queue } from './workers.ts';

export type ServiceOptions = {
  config: Config;
  masterKey: Uint8Array;
  database: DatabaseTarget;
  /** Where the embedded Temporal is, as host:port; else the environment tells. */
  embeddedTemporal?: string | undefined;
  /** The roles of this process: whether it serves the API, and which task queues it works on. */
  api: boolean;
  queues: readonly Queue[];
  log: Logger;
};

/** A process at work. */
export type Service = {
  db: Database;
  transact: Transact;
  secrets: Secrets;
  /** Stops accepting, lets the workers drain, closes Temporal, closes PostgreSQL. Safe to call again. */
  stop: () => Promise<void>;
};

/**
 * Builds what a process needs and starts its roles. Resolves when the schema is up to date and the API listens; Temporal
 * may come later. Rejects, with nothing left running, when PostgreSQL is away or a port is taken.
 */
export const startService = async (options: ServiceOptions): Promise<Service> => {
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (let close = closers.pop(); close; close = closers.pop()) await close();
  };
  try {
    return { ...(await build(options, closers)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** Each part adds what closes it; they are closed in reverse. */
const build = async (options: ServiceOptions, closers: (() => Promise<unknown>)[]): Promise<Omit<Service, 'stop'>> => {
  const { config, log, queues } = options;
  const db = connectDatabase(options.database);
  closers.push(() => db.end({ timeout: 5 }));
  const applied = await migrate(db).catch((error: unknown) => {
    throw new Error(`PostgreSQL at ${placeOf(options.database)} cannot be used`, { cause: error });
  });
  if (applied.length > 0) log.info({ applied }, 'database.migrated');

  const secrets = createSecrets(options.masterKey, config.masterKeyPrevious);
  await requireRightMasterKey(db, secrets);
  const egress = createEgress({ allow: config.egressAllow, extraCa: config.egressCa });
  closers.push(() => egress.close());
  const mailer = createMailer(config, log);
  closers.push(async () => mailer.close());

  const metrics = createMetrics({ backlog: () => countUnfinished(db) });
  const sdkMetrics = `127.0.0.1:${await pickPort()}`;
  installRuntime({ log, metricsAddress: sdkMetrics });

  const firstAttempts = createFirstAttempts();
  const client = () => link.client();
  const dispatcher = createDispatcher({ client, firstAttempts, eager: queues.includes('deliveries'), log });
  const transact = createTransact(db, dispatcher.dispatch);
  const { baseUrl } = config;
  const activities = createActivities({ db, transact, egress, secrets, mailer, metrics, firstAttempts, baseUrl, log });
  const link = linkTemporal({
    connect: () => connectPrepared({ embedded: options.embeddedTemporal, log }),
    createWorkers: (temporal) => createWorkers(temporal, { queues, activities, log }),
    log,
  });
  closers.push(link.stop);

  const house = keepHouse({ db, sweep: createSweep({ db, client, temporalAnswers: link.answers, log }), log });
  closers.push(house.stop);
  const health = async () => ({
    postgres: upDown(await databaseAnswers(db)),
    temporal: upDown(await link.answers()),
    worker: upDown(link.workersRunning()),
  });
  const operations = createOperationsApp({ registry: metrics.registry, sdkMetrics, health, log });
  const loopback = { name: 'METRICS_PORT', host: '127.0.0.1', port: config.metricsPort };
  closers.push((await listen(operations.callback(), loopback)).stop);
  if (options.api) {
    const app = createApp({ config, db, transact, egress, secrets, log, health, temporal: client });
    const server = await listen(app.callback(), { name: 'PORT', host: config.host, port: config.port });
    closers.push(dispatcher.stop, server.stop);
  }
  return { db, transact, secrets };
};

/** Host and port of a database's url, or its socket's folder: without the password. */
const placeOf = (database: DatabaseTarget): string => decodeURIComponent(URL.parse(database)?.host ?? 'DATABASE_URL');

/** Connects, and sees to the search attributes; where that is not ours to do the log says so, and `doctor` says more. */
const connectPrepared = async ({ embedded, log }: { embedded?: string | undefined; log: Logger }) => {
  const temporal = await connectTemporal({ embedded });
  await registerSearchAttributes(temporal.connection, temporal.namespace).catch((error: unknown) =>
    log.warn({ err: error }, 'temporal.search_attributes_unregistered'),
  );
  return temporal;
};

const upDown = (answers: boolean): 'up' | 'down' => (answers ? 'up' : 'down');
