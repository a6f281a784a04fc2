import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { connectDatabase, type Database } from '../../src/shared/platform/db/connect.ts';
import { pickPort } from '../../src/shared/platform/embedded/ports.ts';
import type { EmbeddedPostgres } from '../../src/shared/platform/embedded/postgres.ts';
import type { EmbeddedTemporal } from '../../src/shared/platform/embedded/temporal.ts';
import { createSecrets, type Secrets } from '../../src/shared/platform/secrets/seal.ts';
import { suiteMode } from './suite-mode.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { testCa } from '../helpers/tls.ts';
import { startMailServer, type MailServer } from '../helpers/mail-server.ts';
import { startTelegram, type TelegramService } from '../helpers/telegram/service.ts';
import { startKillablePostgres, startKillableTemporal, type KillableServer } from './servers.ts';
import { createService, type FaultedService } from './service.ts';

/** A whole Parley, each part of it in a process that can be killed alone. */
export type Installation = {
  postgres: KillableServer<EmbeddedPostgres>;
  temporal: KillableServer<EmbeddedTemporal>;
  service: FaultedService;
  /** Starts another process of the same kind, on the same servers, where `env` says nothing else. */
  startAnother: (name: string, env?: Record<string, string>) => Promise<FaultedService>;
  mailServer: MailServer;
  /** A double of Telegram, which outlives every fault. */
  telegram: TelegramService;
  /** The suite's own eye on the database. */
  db: Database;
  secrets: Secrets;
  temporalClient: Client;
  /** SIGKILL of Temporal, whose file is deleted, and its start without it; answers when that was, in ms since the epoch. */
  loseTemporal: () => Promise<number>;
  /** Starts again what a failed test has left dead. */
  revive: () => Promise<void>;
  stop: () => Promise<void>;
};

/** Starts it on a folder of its own, the service included, in the suite's mode; rejects with nothing left running. */
export const startInstallation = async (): Promise<Installation> => {
  await using started = new AsyncDisposableStack();
  const dataDir = tempFolder('faults');
  started.defer(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await startKillablePostgres(dataDir);
  started.defer(() => postgres.stop());
  const temporal = await startKillableTemporal(dataDir);
  started.defer(() => temporal.stop());
  const smtpPort = await pickPort();
  const mailServer = await startMailServer(smtpPort);
  started.defer(() => mailServer.close());

  const telegram = await startTelegram();
  started.defer(() => telegram.close());

  const caFile = join(dataDir, 'receivers-ca.pem');
  await writeFile(caFile, testCa().certPem);
  const masterKey = randomBytes(32);
  const { address } = temporal.now();
  const { database } = postgres.now();
  const aService = async (name: string, env: Record<string, string> = {}): Promise<FaultedService> =>
    createService({
      dataDir,
      name,
      port: await pickPort(),
      env: {
        METRICS_PORT: String(await pickPort()),
        DATABASE_URL: database,
        TEMPORAL_ADDRESS: address,
        MASTER_KEY: masterKey.toString('base64'),
        EGRESS_ALLOW: '127.0.0.0/8',
        EGRESS_CA_FILE: caFile,
        SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
        RATE_LIMIT_PER_MINUTE: '100000000',
        WORKFLOW_PER_DELIVERY: suiteMode,
        TELEGRAM_API_URL: telegram.url,
        TELEGRAM_UPDATES: 'webhook',
        ...env,
      },
    });
  const service = await aService('parley');
  started.defer(async () => void (await service.stop()));
  await service.start();

  const db = connectDatabase(`${database}?application_name=suite`, { max: 4 });
  started.defer(() => db.end({ timeout: 5 }));
  const connection = await Connection.connect({ address });
  started.defer(() => connection.close());
  const running = started.move();
  return {
    postgres,
    temporal,
    service,
    startAnother: async (name, env) => {
      const another = await aService(name, env);
      running.defer(async () => void (await another.stop()));
      await another.start();
      return another;
    },
    mailServer,
    telegram,
    db,
    secrets: createSecrets(masterKey),
    temporalClient: new Client({ connection }),
    loseTemporal: async () => {
      await temporal.kill();
      await rm(join(dataDir, 'temporal'), { recursive: true });
      const sinceMs = Date.now();
      await temporal.start();
      return sinceMs;
    },
    revive: async () => {
      await Promise.all([postgres.revive(), temporal.revive()]);
      await service.revive();
    },
    stop: () => running.disposeAsync(),
  };
};
