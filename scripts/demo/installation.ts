import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFirstAccount } from '../../src/service/first-account.ts';
import { startService } from '../../src/service/start-service.ts';
import type { CreatedAccount } from '../../src/shared/accounts/create-account.ts';
import { parseConfig } from '../../src/shared/platform/config.ts';
import { pickPort } from '../../src/shared/platform/embedded/ports.ts';
import { startEmbedded } from '../../src/shared/platform/embedded/start-embedded.ts';
import { createTerminalLog } from '../../src/shared/platform/log.ts';

/** A Parley of the demo's own. It shares nothing with others on this machine. */
export type Installation = {
  baseUrl: string;
  apiUrl: string;
  uiUrl: string;
  account: CreatedAccount;
  /** Resolves when one of its servers ends by itself, with a sentence for people. */
  lost: Promise<string>;
  /** Stops everything and deletes its data. */
  stop: () => Promise<void>;
};

export type InstallationOptions = {
  /** The only port on this machine that webhooks and flows may call, and the authority of its certificate. */
  receiver: { port: number; caPem: string };
  say: (line: string) => void;
};

const readyWithinMs = 20_000;

/**
 * Starts PostgreSQL, Temporal, API and workers as `npm start` does, on free ports, with a data folder that is deleted at the end. Resolves when
 * all of it is ready. Rejects with nothing left running.
 */
export const startInstallation = async ({ receiver, say }: InstallationOptions): Promise<Installation> => {
  await using started = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-demo-'));
  started.defer(() => rm(dataDir, { recursive: true, force: true }));
  const caFile = join(dataDir, 'receiver-ca.pem');
  await writeFile(caFile, receiver.caPem);
  const settings = { EGRESS_ALLOW: `127.0.0.1:${receiver.port}`, EGRESS_CA_FILE: caFile };
  for (const [name, value] of Object.entries(settings)) say(`   ${name}=${value}`);

  // The settings of this shell are not used, because they may name the servers of a real installation.
  for (const name of Object.keys(process.env)) if (name.startsWith('TEMPORAL_')) delete process.env[name];
  const ports = { PORT: String(await pickPort()), METRICS_PORT: String(await pickPort()) };
  const config = parseConfig({ DATA_DIR: dataDir, ...ports, ...settings });

  // Not durable: when this process is killed, its servers end with it.
  const embedded = await startEmbedded({ config, log: (line) => say(`   ${line}`), durable: false });
  started.defer(() => embedded.stop());
  const service = await startService({
    config,
    database: embedded.database,
    embeddedTemporal: embedded.temporal,
    api: true,
    queues: ['deliveries', 'mail', 'messages', 'maintenance', 'flows'],
    log: createTerminalLog('warn'),
  });
  started.defer(() => service.stop());
  const account = await createFirstAccount(service);
  const { uiUrl } = embedded.temporal;
  if (!account || uiUrl === undefined) throw new Error('the demo did not get servers of its own');
  await waitUntilReady(config.baseUrl);

  const running = started.move();
  return {
    baseUrl: config.baseUrl,
    apiUrl: config.apiUrl,
    uiUrl,
    account,
    lost: embedded.lost,
    stop: () => running.disposeAsync(),
  };
};

/** Waits until the process is ready. The API listens before the worker is connected to Temporal, and a delivery of that time waits for the sweep. */
const waitUntilReady = async (baseUrl: string): Promise<void> => {
  const deadline = Date.now() + readyWithinMs;
  while (!(await fetch(`${baseUrl}/health/ready`)).ok) {
    if (Date.now() > deadline) throw new Error(`not ready within ${readyWithinMs / 1000} s`);
    await sleep(50);
  }
};
